/** Runs tools that are Wasm components, each call in a sandbox of its own. */

import { setFlagsFromString } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import { unlessAborted } from '../../base/concurrency.ts';
import { type JsonObject, parseJson } from '../../base/json.ts';
import type { ComponentCall, ComponentHost } from '../../domain/tools/component-host.ts';
import { outcomeFromJson } from '../../domain/tools/outcome-json.ts';
import { failure, type ToolOutcome } from '../../domain/tools/tool.ts';
import { faultFrom } from './component-error.ts';
import { ComponentLibrary } from './component-library.ts';
import { cancelled } from './guest-thread.ts';
import type { WitOutcome } from './loaded-component.ts';
import { ThreadPool } from './thread-pool.ts';

export interface WasmSettings {
  readonly cacheDirectory: string;
  readonly memoryMib: number;
  /** The limit for each of standard output and standard error; the rest is dropped. */
  readonly outputBytes: number;
}

export interface HostOptions {
  /** A thread that was started early; the first call takes it over. */
  readonly spareWorker?: Worker;
  /** The process ends after one call. */
  readonly isForOneCall?: boolean;
}

export function wasmComponentHost(settings: WasmSettings, options: HostOptions = {}): ComponentHost {
  const library = new ComponentLibrary(settings);
  const pool = new ThreadPool({ outputBytes: settings.outputBytes }, options.spareWorker);
  return {
    async run(call, signal) {
      const component = await unlessCancelled(library.prepare(call.component), signal);
      const guestCall = guestCallOf(call, settings);
      // Builtin tools finish soon; other tools may run long enough for optimised code to pay off.
      const isShort = options.isForOneCall === true && 'builtin' in call.component;
      const replying = pool.withThread(component, (thread) => {
        const callThread = () => thread.call(guestCall, { timeoutMs: call.timeoutMs, signal });
        return isShort ? withoutOptimising(callThread) : callThread();
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
        // The call itself reports what is wrong.
      }
    },
    async close() {
      library.close();
      await pool.close();
    },
  };
}

/** Stops waiting when cancelled. A translation goes on in the background, as the next call may need it. */
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

/** A question in a form that cannot be asked becomes a failure of the tool. */
function outcomeFromWit(outcome: WitOutcome): ToolOutcome {
  return (
    outcomeFromJson(outcomeJson(outcome)) ?? failure('The tool asked a question that nobody could answer.')
  );
}

/** The contract carries the answer's type and default as JSON text; text that is not JSON is taken literally. */
function outcomeJson(outcome: WitOutcome): JsonObject {
  if (outcome.tag === 'success') return { type: 'success', content: outcome.val };
  if (outcome.tag === 'error') return { type: 'error', ...outcome.val };
  const { id, text, answerType, default: fallback } = outcome.val;
  const question = { id, text, 'answer-type': parseJson(answerType) ?? answerType };
  if (fallback === undefined) return { type: 'needs-input', question };
  return { type: 'needs-input', question: { ...question, default: parseJson(fallback) ?? fallback } };
}

const OPTIMISER_FLAGS = ['wasm-dynamic-tiering', 'wasm-tier-up'];

/**
 * Switches off V8's background optimiser while `work` runs, because a process that is about to end would wait for the
 * optimiser and gain nothing. The flags hold for the whole process, and V8 rejects cached code that was made under
 * other flags, so no thread may load a script meanwhile.
 */
async function withoutOptimising<Value>(work: () => Promise<Value>): Promise<Value> {
  for (const flag of OPTIMISER_FLAGS) setFlagsFromString(`--no-${flag}`);
  try {
    return await work();
  } finally {
    for (const flag of OPTIMISER_FLAGS) setFlagsFromString(`--${flag}`);
  }
}
