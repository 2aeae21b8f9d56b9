import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { ProcessRequest, ProcessResult, ProcessRunner } from '../../base/processes.ts';
import type { ProcessGroup } from './process-group.ts';
import { type StartedChild, startInGroup } from './start-in-group.ts';

export const systemProcesses: ProcessRunner = {
  async run(request, signal) {
    if (signal?.aborted) return NEVER_STARTED;
    const started = performance.now();
    const { child, group } = await start(request);
    const output = capture(child, group, request.limits);
    // A program may end without reading its input.
    child.stdin.on('error', () => {}).end(request.input ?? '');
    const ended = await endOf(child, group, { ...request.limits, signal });
    await drain(child, output);
    return { ...ended, ...outputOf(output), milliseconds: Math.round(performance.now() - started) };
  },
};

function start({ command, shell, directory, environment }: ProcessRequest): Promise<StartedChild> {
  const words: ProcessRequest['command'] = shell
    ? ['/bin/sh', '-c', command[0], 'sh', ...command.slice(1)]
    : command;
  return startInGroup({ command: words, directory, environment });
}

interface Output {
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
}

function capture(
  child: ChildProcessWithoutNullStreams,
  group: ProcessGroup,
  limits: ProcessRequest['limits'],
): Output {
  const overflowed = () => {
    if (limits.overflow === 'stop') void group.end(limits.graceMs ?? GRACE_MS);
  };
  return {
    stdout: captureOutput(child.stdout, limits.stdoutBytes, overflowed),
    stderr: captureOutput(child.stderr, limits.stderrBytes, overflowed),
  };
}

type Ended = Pick<ProcessResult, 'exitCode' | 'signal' | 'timedOut' | 'aborted'>;

/** Waits for the leader, and then until the rest of its group has ended. */
async function endOf(
  child: ChildProcessWithoutNullStreams,
  group: ProcessGroup,
  limits: { timeoutMs: number; graceMs?: number; signal: AbortSignal | undefined },
): Promise<Ended> {
  const graceMs = limits.graceMs ?? GRACE_MS;
  let timedOut = false;
  const end = () => void group.end(graceMs);
  const timeout = setTimeout(
    () => {
      timedOut = true;
      end();
    },
    Math.min(limits.timeoutMs, LONGEST_TIMER_MS),
  );
  limits.signal?.addEventListener('abort', end);
  const [exitCode, signal] = await once(child, 'exit');
  clearTimeout(timeout);
  limits.signal?.removeEventListener('abort', end);
  await group.end(graceMs);
  group.forget();
  const aborted = limits.signal?.aborted === true && !timedOut;
  return { exitCode: exitCode ?? undefined, signal: signal ?? undefined, timedOut, aborted };
}

/** Reads what is left in the pipes. A process that left the group may hold them open, so a silence ends this too. */
async function drain(child: ChildProcessWithoutNullStreams, output: Output): Promise<void> {
  const streams = [child.stdout, child.stderr];
  const isOpen = () => streams.some((stream) => !stream.closed);
  const total = () => output.stdout.total + output.stderr.total;
  const closed = new AbortController();
  for (const stream of streams) stream.once('close', () => isOpen() || closed.abort());
  for (let turns = 0, before = -1; isOpen() && turns < DRAIN_TURNS && before !== total(); turns++) {
    before = total();
    await wait(DRAIN_MS, undefined, { signal: closed.signal }).catch(() => {});
    // Timers fire before input is read: after a busy spell, waiting input must be read before the silence counts.
    await nextTurn();
  }
  for (const stream of streams) stream.destroy();
}

function outputOf({ stdout, stderr }: Output) {
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    stdoutRaw: stdout.bytes,
    stdoutBytes: stdout.total,
    stderrBytes: stderr.total,
    truncated: stdout.truncated || stderr.truncated,
  };
}

const GRACE_MS = 2000;
const DRAIN_MS = 100;
const DRAIN_TURNS = 20;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const NEVER_STARTED: ProcessResult = {
  exitCode: undefined,
  signal: undefined,
  stdout: '',
  stderr: '',
  stdoutRaw: new Uint8Array(),
  stdoutBytes: 0,
  stderrBytes: 0,
  timedOut: false,
  aborted: true,
  truncated: false,
  milliseconds: 0,
};

interface CapturedOutput {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly total: number;
  readonly truncated: boolean;
}

/** Keeps the first `limit` bytes and reads on, so that the writer never blocks. */
function captureOutput(stream: Readable, limit: number, overflowed: () => void): CapturedOutput {
  const chunks: Buffer[] = [];
  let kept = 0;
  let total = 0;
  stream.on('data', (chunk: Buffer) => {
    const wasWithin = total <= limit;
    total += chunk.length;
    const part = chunk.subarray(0, limit - kept);
    if (part.length > 0) chunks.push(part);
    kept += part.length;
    if (wasWithin && total > limit) overflowed();
  });
  // A broken pipe is the end of the output; what was read before is valid.
  stream.on('error', () => {});
  return {
    get bytes() {
      return Buffer.concat(chunks);
    },
    get text() {
      // In stream mode the decoder holds back a character that the limit cut in two.
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      return decoder.decode(Buffer.concat(chunks), { stream: total > limit });
    },
    get total() {
      return total;
    },
    get truncated() {
      return total > limit;
    },
  };
}
