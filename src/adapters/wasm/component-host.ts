/** Runs tools that are Wasm components, each call in a sandbox of its own. */

import { unlessAborted } from '../../base/concurrency.ts';
import { type JsonObject, parseJson } from '../../base/json.ts';
import type { ComponentCall, ComponentHost } from '../../domain/tools/component-host.ts';
import { outcomeFromJson } from '../../domain/tools/outcome-json.ts';
import { failure, type Receipt, type ToolOutcome } from '../../domain/tools/tool.ts';
import { ComponentLibrary, type LibrarySettings } from './component-library.ts';
import { cancelled, type GuestCall, type GuestReply } from './process/guest-process.ts';
import { ProcessPool } from './process/process-pool.ts';
import { GUEST_RUNNER, keepingAlive, type RunnerProcess, startRunner } from './process/runner-process.ts';
import type { Done } from './wire/messages.ts';

export interface WasmSettings extends LibrarySettings {
  /** The limit for each of standard output and standard error; the rest is dropped. */
  readonly outputBytes: number;
}

/** `spare` is a process that was started early; the first call takes it over. */
export function wasmComponentHost(settings: WasmSettings, spare?: Promise<RunnerProcess>): ComponentHost {
  const library = new ComponentLibrary(settings);
  const pool = new ProcessPool(settings, spare);
  return {
    async run(call, signal) {
      const component = await unlessCancelled(library.prepare(call.component), signal);
      let startMs = performance.now();
      const replying = pool.withProcess(component, ownerOf(call), (guest) => {
        startMs = performance.now();
        return guest.call(guestCallOf(call), { timeoutMs: call.timeoutMs, signal });
      });
      const reply = await unlessCancelled(replying, signal);
      const milliseconds = Math.round((performance.now() - startMs) * 10) / 10;
      return { outcome: outcomeFromWit(reply.done.outcome), receipt: receiptOf(reply, milliseconds) };
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
    async walls() {
      const runner = await keepingAlive(startRunner(GUEST_RUNNER));
      await runner.end();
      return runner.walls;
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

/** Calls of different owners never share a process. */
function ownerOf({ component, tool, root, directories }: ComponentCall): string {
  return JSON.stringify([component, tool, root, directories]);
}

function guestCallOf({ tool, request, root, directories }: ComponentCall): GuestCall {
  return {
    tool,
    action: request.action,
    argumentsJson: JSON.stringify(request.arguments),
    answersJson: JSON.stringify(request.answers),
    root,
    directories,
  };
}

function receiptOf({ done, usage }: GuestReply, milliseconds: number): Receipt {
  const { stdout, stderr, memoryBytes } = done;
  return {
    milliseconds,
    ...usage.files(),
    stdoutBytes: stdout.total,
    stderrBytes: stderr.total,
    ...(stdout.total > 0 ? { stdout: stdout.text } : {}),
    ...(stderr.total > 0 ? { stderr: stderr.text } : {}),
    memoryPeakBytes: memoryBytes,
  };
}

/** A question in a form that cannot be asked becomes a failure of the tool. */
function outcomeFromWit(outcome: Done['outcome']): ToolOutcome {
  return (
    outcomeFromJson(outcomeJson(outcome)) ?? failure('The tool asked a question that nobody could answer.')
  );
}

/** The contract carries the answer's type and default as JSON text; text that is not JSON is taken literally. */
function outcomeJson(outcome: Done['outcome']): JsonObject {
  if (outcome.tag === 'success') return { type: 'success', content: outcome.val };
  if (outcome.tag === 'error') return { type: 'error', ...outcome.val };
  const { id, text, answerType, default: fallback } = outcome.val;
  const question = { id, text, 'answer-type': parseJson(answerType) ?? answerType };
  if (fallback === undefined) return { type: 'needs-input', question };
  return { type: 'needs-input', question: { ...question, default: parseJson(fallback) ?? fallback } };
}
