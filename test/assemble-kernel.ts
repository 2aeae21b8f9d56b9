import { readFileSync } from 'node:fs';
import path from 'node:path';
import wabt from 'wabt';

const search = path.join(import.meta.dirname, '../src/domain/search');

/** Each with the file that holds it, assembled. */
export const ASSEMBLED = [
  { source: path.join(search, 'vectors/kernel.wat'), target: path.join(search, 'vectors/kernel-bytes.ts') },
  { source: path.join(search, 'postings/tally.wat'), target: path.join(search, 'postings/tally-bytes.ts') },
];

/** The text of the file with the bytes. */
export async function assembled(source: string): Promise<string> {
  const { parseWat } = await wabt();
  const name = path.basename(source);
  const module = parseWat(name, readFileSync(source, 'utf8'), { simd: true });
  module.validate();
  const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64');
  const lines = base64.match(/.{1,100}/g) ?? [];
  const constant = `${path.basename(source, '.wat').toUpperCase()}_BASE64`;
  return `/** Assembled from ${name} by scripts/build-kernel.ts. */\nexport const ${constant} =\n  '${lines.join("' +\n  '")}';\n`;
}
