/** Runs the probe in the real host. */

import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { wasmComponentHost } from '../../src/adapters/wasm/component-host.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type {
  ComponentHost,
  ComponentResult,
  GrantedDirectory,
} from '../../src/domain/tools/component-host.ts';
import { probeGuest } from './build-guest.ts';

export type Step = JsonObject & { readonly do: string };
export type Gave = { readonly ok?: unknown; readonly error?: string };

export interface ProbeRun {
  readonly directories?: readonly GrantedDirectory[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface Probe {
  readonly host: ComponentHost;
  readonly file: string;
  run(steps: readonly Step[], options?: ProbeRun): Promise<ComponentResult>;
  gave(steps: readonly Step[], options?: ProbeRun): Promise<Gave[]>;
}

/** All files of a run share it, as a translation takes a second. */
const CACHE = path.join(tmpdir(), 'ken-probes');

/** One host for all tests of a file. */
export function probeHost(settings: { memoryMib?: number; outputBytes?: number } = {}): () => Probe {
  let probe: Probe | undefined;
  beforeAll(async () => {
    const file = await probeGuest();
    const host = wasmComponentHost({ cacheDirectory: CACHE, memoryMib: 64, outputBytes: 1000, ...settings });
    probe = probeOf(host, file);
  });
  afterAll(async () => {
    await probe?.host.close();
  });
  return () => {
    if (!probe) throw new Error('the probe is there only inside tests');
    return probe;
  };
}

function probeOf(host: ComponentHost, file: string): Probe {
  const run: Probe['run'] = (steps, options = {}) =>
    host.run(
      {
        component: { file },
        tool: 'probe',
        request: { action: 'run', arguments: { steps }, answers: {} },
        root: '/workspace',
        directories: options.directories ?? [],
        timeoutMs: options.timeoutMs ?? 30_000,
      },
      options.signal ?? new AbortController().signal,
    );
  return {
    host,
    file,
    run,
    async gave(steps, options) {
      const { outcome } = await run(steps, options);
      if (outcome.type !== 'success') throw new Error(JSON.stringify(outcome));
      return JSON.parse(outcome.text).gave;
    },
  };
}
