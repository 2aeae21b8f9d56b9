/** ken is killed while a guest never ends: the guest does not go on. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { wrappers } from '../../src/adapters/wasm/process/confinement.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { toolFromText } from '../wasm/tool-text.ts';

const HOST = path.join(import.meta.dirname, '../../src/adapters/wasm/component-host.ts');

/** A program that calls the tool and says when its process is there. */
const program = (file: string, cacheDirectory: string) => `
import { wasmComponentHost } from ${JSON.stringify(HOST)};
const host = wasmComponentHost({ cacheDirectory: ${JSON.stringify(cacheDirectory)}, memoryMib: 64, outputBytes: 1 });
const call = { component: { file: ${JSON.stringify(file)} }, tool: '', root: '/', directories: [], timeoutMs: 600_000,
  request: { action: 'run', arguments: {}, answers: {} } };
await host.warm(call.component);
void host.run(call, new AbortController().signal);
setTimeout(() => console.log('running'), 500);`;

const running = (pids: readonly string[]) => pids.filter((pid) => existsSync(`/proc/${pid}`));

function descendants(pid: number): string[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(/\s+/)
      .filter(Boolean);
    return children.flatMap((child) => [child, ...descendants(Number(child))]);
  } catch {
    return [];
  }
}

it.runIf(wrappers()[0]?.endsWithKen)('ends with ken, however ken ends', { timeout: 120_000 }, async () => {
  const file = await toolFromText('(loop $more (br $more)) (i32.const 16)');
  const words = ['--input-type=module', '-e', program(file, temporaryDirectory())];
  const ken = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(ken.stdout, 'data');
  const started = descendants(ken.pid ?? 0);
  expect(started.length).toBeGreaterThan(0);
  ken.kill('SIGKILL');
  await once(ken, 'exit');
  await expect.poll(() => running(started)).toEqual([]);
});
