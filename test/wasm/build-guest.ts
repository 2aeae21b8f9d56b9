/** Components for the tests, built from source once and kept in build/. */

import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { componentizeScript } from '../../src/adapters/wasm/author/componentize.ts';

const root = path.join(import.meta.dirname, '../..');
const wit = path.join(root, 'wit');
const kept = path.join(root, 'build/test-guests');

/** The path of the guest that does whatever its arguments say. */
export function probeGuest(): Promise<string> {
  const source = readFileSync(path.join(import.meta.dirname, 'probe/probe-guest.js'), 'utf8');
  const world = readFileSync(path.join(import.meta.dirname, 'probe/probe.wit'), 'utf8');
  return javascriptGuest({ source, world, name: 'probe' });
}

/** A guest in JavaScript against a world of its own, which may include ours and import WASI. */
export async function javascriptGuest(input: {
  source: string;
  world: string;
  name: string;
}): Promise<string> {
  const contract = readFileSync(path.join(wit, 'tool.wit'), 'utf8');
  const digest = createHash('sha256').update(input.source).update(input.world).update(contract).digest('hex');
  const file = path.join(kept, `${input.name}-${digest.slice(0, 16)}.wasm`);
  if (existsSync(file)) return file;
  const scratch = path.join(kept, randomUUID());
  const witPath = path.join(scratch, 'wit');
  mkdirSync(witPath, { recursive: true });
  try {
    writeFileSync(path.join(witPath, 'world.wit'), input.world);
    cpSync(path.join(wit, 'deps'), path.join(witPath, 'deps'), { recursive: true });
    if (input.world.includes('include ken:tool/')) {
      mkdirSync(path.join(witPath, 'deps/ken-tool'));
      writeFileSync(path.join(witPath, 'deps/ken-tool/tool.wit'), contract);
    }
    const component = await componentizeScript(root, { text: input.source, wit: witPath, world: input.name });
    const fresh = path.join(scratch, 'guest.wasm');
    writeFileSync(fresh, component);
    renameSync(fresh, file);
    return file;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
