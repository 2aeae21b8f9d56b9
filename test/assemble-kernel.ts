import { readFileSync } from 'node:fs';
import path from 'node:path';
import wabt from 'wabt';

const directory = path.join(import.meta.dirname, '../src/domain/search/vectors');
export const kernelBytesFile = path.join(directory, 'kernel-bytes.ts');

/** The text of kernel-bytes.ts, made from kernel.wat. */
export async function assembledKernel(): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat('kernel.wat', readFileSync(path.join(directory, 'kernel.wat'), 'utf8'), {
    simd: true,
  });
  module.validate();
  const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64');
  const lines = base64.match(/.{1,100}/g) ?? [];
  return `/** Assembled from kernel.wat by scripts/build-kernel.ts. */\nexport const KERNEL_BASE64 =\n  '${lines.join("' +\n  '")}';\n`;
}
