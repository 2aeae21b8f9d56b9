/** Runs tools that are Wasm components, each call in a sandbox of its own. */

import type { Worker } from 'node:worker_threads';
import type { ComponentCall, ComponentHost } from '../../domain/tools/component-host.ts';
import { faultFrom } from './component-error.ts';
import { ComponentLibrary } from './component-library.ts';
import { outcomeFromWit } from './outcome-from-wit.ts';
import { ThreadPool } from './thread-pool.ts';

export interface WasmSettings {
  readonly cacheDirectory: string;
  readonly memoryMib: number;
  /** How much of each of standard output and standard error is kept. */
  readonly outputBytes: number;
}

/** `spare` is a thread that was started before anybody knew what for; it is taken over. */
export function wasmComponentHost(settings: WasmSettings, spare?: Worker): ComponentHost {
  const library = new ComponentLibrary(settings);
  const pool = new ThreadPool({ outputBytes: settings.outputBytes }, spare);
  return {
    async run(call, signal) {
      const component = await library.prepare(call.component);
      const guestCall = guestCallOf(call, settings);
      const reply = await pool.lend(component, (thread) =>
        thread.call(guestCall, { timeoutMs: call.timeoutMs, signal }),
      );
      if ('refusal' in reply) throw faultFrom(reply.refusal);
      return { outcome: outcomeFromWit(reply.outcome), receipt: reply.receipt };
    },
    async check(source) {
      return (await library.prepare(source)).facts;
    },
    async warm(source) {
      try {
        await pool.warm(library.prepare(source));
      } catch {
        // What is wrong shows when it is called.
      }
    },
    close: () => pool.close(),
  };
}

function guestCallOf(call: ComponentCall, settings: WasmSettings) {
  return {
    tool: call.tool,
    action: call.request.action,
    argumentsJson: JSON.stringify(call.request.arguments),
    answersJson: JSON.stringify(call.request.answers),
    root: call.root,
    directories: call.directories,
    outputBytes: settings.outputBytes,
    memoryBytes: settings.memoryMib * 1024 ** 2,
  };
}
