/** Runs tools that are Wasm components, each call in a sandbox of its own. */

import type { Worker } from 'node:worker_threads';
import { unlessAborted } from '../../base/unless-aborted.ts';
import type { ComponentCall, ComponentHost } from '../../domain/tools/component-host.ts';
import { faultFrom } from './component-error.ts';
import { ComponentLibrary } from './component-library.ts';
import { cancelled } from './guest-thread.ts';
import { outcomeFromWit } from './outcome-from-wit.ts';
import { ThreadPool } from './thread-pool.ts';
import { withoutOptimising } from './without-optimising.ts';

export interface WasmSettings {
  readonly cacheDirectory: string;
  readonly memoryMib: number;
  /** How much of each of standard output and standard error is kept. */
  readonly outputBytes: number;
}

export interface Ahead {
  /** A thread that was started before anybody knew what for; it is taken over. */
  readonly spare?: Worker;
  /** The process ends after one call. */
  readonly isForOneCall?: boolean;
}

export function wasmComponentHost(settings: WasmSettings, ahead: Ahead = {}): ComponentHost {
  const library = new ComponentLibrary(settings);
  const pool = new ThreadPool({ outputBytes: settings.outputBytes }, ahead.spare);
  return {
    async run(call, signal) {
      const component = await unlessCancelled(library.prepare(call.component), signal);
      const guestCall = guestCallOf(call, settings);
      // What ken brings is soon done; a tool of somebody else's may have long work to do.
      const isShort = ahead.isForOneCall === true && 'builtin' in call.component;
      const replying = pool.lend(component, (thread) => {
        const answer = () => thread.call(guestCall, { timeoutMs: call.timeoutMs, signal });
        return isShort ? withoutOptimising(answer) : answer();
      });
      const reply = await unlessCancelled(replying, signal);
      if ('refusal' in reply) throw faultFrom(reply.refusal);
      return { outcome: outcomeFromWit(reply.outcome), receipt: reply.receipt };
    },
    async check(source, signal) {
      return (await unlessCancelled(library.prepare(source), signal)).facts;
    },
    async warm(source) {
      try {
        await pool.warm(library.prepare(source));
      } catch {
        // What is wrong shows when it is called.
      }
    },
    async close() {
      library.close();
      await pool.close();
    },
  };
}

/** A translation that nobody waits for any more goes on: the next call may want it. A call does not begin any more. */
async function unlessCancelled<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  try {
    return await unlessAborted(work, signal);
  } catch (error) {
    throw signal.aborted ? cancelled() : error;
  }
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
