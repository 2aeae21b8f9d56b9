import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { systemProcesses } from '../../src/adapters/system/run-process.ts';
import type { ProcessRequest } from '../../src/base/processes.ts';
import { childProgram } from '../child-program.ts';

const PATH = process.env.PATH ?? '';

function directory(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'ken-process-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function request(
  command: ProcessRequest['command'],
  changes: Partial<ProcessRequest> & { limit?: Partial<ProcessRequest['limits']> } = {},
): ProcessRequest {
  const { limit, ...rest } = changes;
  return {
    command,
    directory: '/',
    environment: { PATH },
    limits: { timeoutMs: 30_000, stdoutBytes: 100_000, stderrBytes: 100_000, ...limit },
    ...rest,
  };
}

const shell = (script: string, changes: Parameters<typeof request>[1] = {}) =>
  request([script], { shell: true, ...changes });

/** Somebody else may be running this test at the same time. */
const unique = (mark: string) => `${mark}-${process.pid}`;

/** Processes that carry this word in their environment, whatever group or parent they have. */
function survivors(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8')
          .split('\0')
          .includes(`MARK=${unique(mark)}`);
      } catch {
        return false;
      }
    })
    .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
}

/** Init may take a moment to collect the dead. */
function isCollected(group: number): boolean {
  try {
    return !process.kill(-group, 0);
  } catch {
    return true;
  }
}

const seesProcesses = process.platform === 'linux';
const marked = (mark: string) => ({ environment: { PATH, MARK: unique(mark) } });

it('answers with what the program wrote and how it ended', async () => {
  const result = await systemProcesses.run(shell('cat; echo oops >&2; exit 3', { input: 'größe\n' }));
  expect({ ...result, stdoutRaw: undefined, milliseconds: 0 }).toEqual({
    exitCode: 3,
    signal: undefined,
    stdout: 'größe\n',
    stderr: 'oops\n',
    stdoutRaw: undefined,
    stdoutBytes: 8,
    stderrBytes: 5,
    timedOut: false,
    aborted: false,
    truncated: false,
    milliseconds: 0,
  });
  expect(Buffer.from(result.stdoutRaw).toString()).toBe('größe\n');
});

it('passes arguments as they are, to no shell', async () => {
  const words = ['$HOME', '`id`', '; exit 9', '*', 'a b', '', '--', '"\'\\\n'];
  const result = await systemProcesses.run(request(['printf', '%s|', ...words]));
  expect(result.stdout).toBe(words.map((word) => `${word}|`).join(''));
});

it('gives a script its arguments as $1, $2', async () => {
  const result = await systemProcesses.run(
    request(['printf "%s-" "$0" "$@"', 'a b', '$(id)'], { shell: true }),
  );
  expect(result.stdout).toBe('sh-a b-$(id)-');
});

it('gives exactly the environment and directory asked for, and an empty input', async () => {
  const root = directory();
  const result = await systemProcesses.run(
    request(['/bin/sh', '-c', 'pwd; cat; exec /usr/bin/env'], {
      directory: root,
      environment: { ONE: '1', TWO: 'zwei' },
    }),
  );
  const lines = result.stdout
    .trim()
    .split('\n')
    .filter((line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line));
  expect(lines.sort()).toEqual([root, 'ONE=1', 'TWO=zwei'].sort());
});

it('does not mind a program that ignores its input', async () => {
  const result = await systemProcesses.run(request(['true'], { input: 'x'.repeat(5_000_000) }));
  expect(result.exitCode).toBe(0);
});

it('reads everything a program that ends quickly has written', async () => {
  const result = await systemProcesses.run(
    shell('head -c 3000000 /dev/zero', { limit: { stdoutBytes: 4_000_000 } }),
  );
  expect([result.stdoutBytes, result.stdoutRaw.length, result.truncated]).toEqual([
    3_000_000,
    3_000_000,
    false,
  ]);
});

it('keeps the beginning past a limit and lets the program finish', async () => {
  const result = await systemProcesses.run(
    shell('printf 1234ö; head -c 300000 /dev/zero; printf abc >&2; exit 7', {
      limit: { stdoutBytes: 5, stderrBytes: 2 },
    }),
  );
  expect(result).toMatchObject({
    exitCode: 7,
    stdout: '1234',
    stdoutBytes: 300_006,
    stderr: 'ab',
    stderrBytes: 3,
    truncated: true,
  });
});

it('does not call output of exactly the limit truncated', async () => {
  const result = await systemProcesses.run(
    shell('printf 12345', { limit: { stdoutBytes: 5, overflow: 'stop' } }),
  );
  expect(result).toMatchObject({ exitCode: 0, stdout: '12345', truncated: false });
});

it('stops a program that writes too much, where asked to', async () => {
  const result = await systemProcesses.run(
    request(['yes'], { limit: { stdoutBytes: 10, overflow: 'stop' } }),
  );
  expect(result).toMatchObject({
    exitCode: undefined,
    signal: 'SIGTERM',
    stdout: 'y\n'.repeat(5),
    timedOut: false,
    truncated: true,
  });
});

it('ends the whole group at the time limit, also what ignores SIGTERM', async () => {
  const script = `trap '' TERM; (sleep 1000 & sleep 1001 & wait) & echo ready; while :; do sleep 1000; done`;
  const result = await systemProcesses.run(
    shell(script, { ...marked('timeout'), limit: { timeoutMs: 300, graceMs: 100 } }),
  );
  expect(result).toMatchObject({ signal: 'SIGKILL', exitCode: undefined, stdout: 'ready\n', timedOut: true });
  if (seesProcesses) expect(survivors('timeout')).toEqual([]);
});

it('asks before it kills', async () => {
  const result = await systemProcesses.run(
    shell(`trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.01; done`, {
      limit: { timeoutMs: 300, graceMs: 20_000 },
    }),
  );
  expect(result).toMatchObject({ exitCode: 5, stdout: 'ready\nbye\n', timedOut: true });
});

it('ends what the program left behind, and does not wait for it', async () => {
  const result = await systemProcesses.run(
    shell('sleep 1000 & (sleep 1001 </dev/null >/dev/null 2>&1 &) ; echo $$', marked('left')),
  );
  expect(result).toMatchObject({ exitCode: 0, signal: undefined, timedOut: false });
  expect(result.milliseconds).toBeLessThan(20_000);
  if (seesProcesses) expect(survivors('left')).toEqual([]);
  await vi.waitUntil(() => isCollected(Number(result.stdout)), { timeout: 30_000 });
});

it('is not held up by something that left the group with its pipes open', async () => {
  const script = `setsid sh -c 'echo $$ >pid; exec sleep 30' & until [ -s pid ]; do sleep 0.01; done; cat pid; exit 4`;
  const result = await systemProcesses.run(shell(script, { directory: directory() }));
  expect(process.kill(Number(result.stdout))).toBe(true);
  expect(result.exitCode).toBe(4);
  expect(result.milliseconds).toBeLessThan(20_000);
});

it('ends the group when it is told to', async () => {
  const stop = new AbortController();
  const running = systemProcesses.run(
    shell('sleep 1000 & echo ready; wait', { ...marked('abort') }),
    stop.signal,
  );
  setImmediate(() => stop.abort());
  expect(await running).toMatchObject({
    exitCode: undefined,
    signal: 'SIGTERM',
    aborted: true,
    timedOut: false,
  });
  if (seesProcesses) expect(survivors('abort')).toEqual([]);
  expect(await systemProcesses.run(shell('echo never'), stop.signal)).toMatchObject({
    stdout: '',
    aborted: true,
  });
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'takes its children along when %s ends it',
  async (name) => {
    const ready = path.join(directory(), 'ready');
    const child = spawn(
      process.execPath,
      [childProgram('processes/interrupted'), `trap '' TERM INT HUP; sleep 1000 & >${ready}; wait`],
      { env: { PATH, MARK: unique(name) }, stdio: 'inherit' },
    );
    const ended = once(child, 'exit');
    await vi.waitUntil(() => existsSync(ready), { timeout: 30_000 });
    child.kill(name);
    expect(await ended).toEqual([null, name]);
    if (seesProcesses) await vi.waitUntil(() => survivors(name).length === 0, { timeout: 30_000 });
  },
);

it('leaves no listener behind', async () => {
  const count = () => ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name));
  const before = count();
  const stop = new AbortController();
  await Promise.all([1, 2, 3].map(() => systemProcesses.run(request(['true']), stop.signal)));
  expect(count()).toEqual(before);
});

it('names the program it cannot start', async () => {
  const root = directory();
  const file = (name: string, content: string, mode: number) => {
    writeFileSync(path.join(root, name), content);
    chmodSync(path.join(root, name), mode);
    return path.join(root, name);
  };
  const plain = file('plain', 'x', 0o644);
  const script = file('script', '#!/no/such/interpreter\n', 0o755);
  const cases: [ProcessRequest, object][] = [
    [
      request(['no-such-program']),
      {
        code: 'process/not-found',
        message: 'Cannot run no-such-program: there is no such program.',
        hint: 'Install it, or check the PATH.',
      },
    ],
    [
      request([path.join(root, 'gone')]),
      { message: `Cannot run ${root}/gone: there is no such program.`, hint: 'Check its path.' },
    ],
    [
      request([script]),
      { message: `Cannot run ${script}: the interpreter in its first line does not exist.` },
    ],
    [request([plain]), { code: 'process/failed', message: `Cannot run ${plain}: permission denied.` }],
    [
      request(['true'], { directory: path.join(root, 'gone') }),
      {
        code: 'files/not-found',
        message: `Cannot run true in ${root}/gone: there is no such directory.`,
      },
    ],
    [
      request(['true', 'a\0b']),
      { code: 'process/failed', message: 'Cannot run true: an argument holds a NUL character.' },
    ],
    [
      request(['true', 'x'.repeat(3_000_000)]),
      {
        message: 'Cannot run true: its arguments and environment are too long.',
        hint: 'Pass long text on standard input.',
      },
    ],
  ];
  for (const [wanted, fault] of cases) await expect(systemProcesses.run(wanted)).rejects.toMatchObject(fault);
});
