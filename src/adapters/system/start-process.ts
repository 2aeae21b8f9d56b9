import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessEnd, ProcessStarter, RunningProcess } from '../../base/processes.ts';
import { type StartedChild, startInGroup } from './start-in-group.ts';

export const systemStarter: ProcessStarter = {
  start: async (request) => running(await startInGroup(request)),
};

function running({ child, group }: StartedChild): RunningProcess {
  const tail = keepTail(child.stderr);
  // A program may end without reading its input; `write` rejects then.
  child.stdin.on('error', () => {});
  const ended = endOf(child);
  let ending: Promise<void> | undefined;
  const endAll = async () => {
    child.stdin.end();
    await Promise.race([ended, wait(LEAVE_MS, undefined, { ref: false })]);
    await group.end(GRACE_MS);
    group.forget();
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  };
  const end = () => {
    ending ??= endAll();
    return ending;
  };
  // The rest of its group must end too, before its number is used again.
  void ended.then(end);
  return {
    pid: child.pid ?? 0,
    write: (text) =>
      new Promise((resolve, reject) => {
        child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    onOutput: (listener) => void child.stdout.on('data', listener),
    errorTail: () => tail.text(),
    ended,
    end,
  };
}

/** Waits for the last output too, unless another process holds the pipe open. */
async function endOf(child: StartedChild['child']): Promise<ProcessEnd> {
  const closed = once(child.stdout, 'close');
  const [exitCode, signal] = await once(child, 'exit');
  await Promise.race([closed, wait(DRAIN_MS, undefined, { ref: false })]);
  return { exitCode: exitCode ?? undefined, signal: signal ?? undefined };
}

function keepTail(stream: NodeJS.ReadableStream) {
  let kept = Buffer.alloc(0);
  stream.on('data', (bytes: Buffer) => {
    kept = Buffer.concat([kept, bytes]).subarray(-TAIL_BYTES);
  });
  return { text: () => kept.toString('utf8') };
}

const TAIL_BYTES = 4096;
const DRAIN_MS = 200;
const LEAVE_MS = 500;
const GRACE_MS = 1000;
