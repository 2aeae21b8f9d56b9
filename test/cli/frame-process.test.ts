import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/base/package-files.ts';
import { childProgram } from '../child-program.ts';
import { sandbox } from './ken.ts';

const host = childProgram('cli/frame');

/** Runs a command of the test's own in the real frame; sends the signals as its output says it is time. */
function run(words: readonly string[], signals: Readonly<Record<string, NodeJS.Signals>> = {}) {
  const child = spawn(process.execPath, [host, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
    const signal = signals[text.trim()];
    // Later than one press could take to arrive twice.
    if (signal) setTimeout(() => child.kill(signal), 200);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  return new Promise<object>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...said }));
  });
}

it('asks a command to stop at the first Ctrl-C', async () => {
  expect(await run(['polite'], { ready: 'SIGINT' })).toEqual({
    code: 130,
    signal: null,
    stdout: 'ready\nstopping\n',
    stderr: '',
  });
});

it('leaves at the second Ctrl-C', async () => {
  expect(await run(['stubborn'], { ready: 'SIGINT', 'not yet': 'SIGINT' })).toEqual({
    code: 130,
    signal: null,
    stdout: 'ready\nnot yet\n',
    stderr: '',
  });
});

it('asks a command to stop when it is terminated', async () => {
  expect(await run(['polite'], { ready: 'SIGTERM' })).toEqual({
    code: 143,
    signal: null,
    stdout: 'ready\nstopping\n',
    stderr: '',
  });
});

it('lets Ctrl-C end a command that does not listen, as it ends any program', async () => {
  expect(await run(['plain'], { ready: 'SIGINT' })).toEqual({
    code: null,
    signal: 'SIGINT',
    stdout: 'ready\n',
    stderr: '',
  });
});

it.each([
  ['crash', 'TypeError: the wheel came off'],
  ['stray', 'TypeError: nobody awaited this'],
  ['lost', 'Error: The command waits for nothing.'],
])('shows a bug with its trace and how to report it: %s', async (command, message) => {
  const result = await run([command]);
  expect(result).toMatchObject({ code: 70, signal: null, stdout: '' });
  expect(result).toHaveProperty(
    'stderr',
    expect.stringMatching(
      new RegExp(`^${message}\n( {4}at .*\n)+This is a bug in ken\\. .*ken ${VERSION}, .*\n$`),
    ),
  );
});

it('shows a bug as one line of JSON when asked to', async () => {
  const result = await run(['crash', '--json']);
  expect(result).toMatchObject({ code: 70, stdout: '' });
  expect(result).toHaveProperty(
    'stderr',
    expect.stringMatching(
      /^\{"error":\{"code":"bug","message":"TypeError: the wheel came off.*","hint":".+"\}\}\n$/,
    ),
  );
});

it('stops writing, quietly, when the reader goes away in the middle', async () => {
  const { shell } = sandbox();
  expect(await shell(`"${process.execPath}" "${host}" flood | head -2`)).toEqual({
    code: 0,
    stdout: 'line 0\nline 1\n',
    stderr: '',
  });
});
