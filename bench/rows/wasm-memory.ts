import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { wasmComponentHost } from '../../src/adapters/wasm/component-host.ts';
import { ALIASES, toolWat } from '../../test/wasm/tool-wat.ts';
import type { Row } from '../row.ts';
import { peakOfChildren } from '../watch-process.ts';

const MEMORY_MIB = 64;
const ENGINE_MIB = 128;
/** A process is looked at every 15 ms, and takes more meanwhile. */
const EXCESS_MIB = 64;

export const rows: readonly Row[] = [
  {
    name: 'wasm-memory',
    subject: `the process of a component that takes all it can, with memory_mib = ${MEMORY_MIB}`,
    unit: 'MiB',
    bar: MEMORY_MIB + ENGINE_MIB + EXCESS_MIB,
    async measure({ home }) {
      mkdirSync(home, { recursive: true });
      const file = path.join(home, 'greedy.wasm');
      writeFileSync(file, await parse(toolWat(ALIASES)));
      const components = wasmComponentHost({
        cacheDirectory: home,
        memoryMib: MEMORY_MIB,
        outputBytes: 1000,
      });
      await components.check({ file }, new AbortController().signal);
      const request = { action: 'run', arguments: {}, answers: {} } as const;
      const call = { component: { file }, tool: 'greedy', request, root: '/', directories: [] };
      const run = () => components.run({ ...call, timeoutMs: 30_000 }, new AbortController().signal);
      const peak = await peakOfChildren(() => run().catch(requireFull));
      await components.close();
      return peak;
    },
  },
];

function requireFull(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'wasm/out-of-memory') return;
  throw error;
}
