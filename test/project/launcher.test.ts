import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/base/package-files.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const root = path.join(import.meta.dirname, '../..');
const launcher = path.join(root, 'bin/ken.cjs');

/** Makes the first process, and no process that it starts, believe this of itself. */
const pretend = (what: 'versions' | 'platform', value: unknown) =>
  `--import=data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, '${what}', { value: ${JSON.stringify(value)} })`,
  )}`;
const OLD_NODE = pretend('versions', { ...process.versions, node: '20.20.2' });

interface Run {
  readonly flags?: readonly string[];
  readonly file?: string;
  readonly words?: readonly string[];
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Sent to the whole process group, as a terminal does for Ctrl-C, when this has been printed. */
  readonly interruptAt?: string;
  /** The first process alone is killed when this has been printed. */
  readonly killAt?: string;
}

function run({ flags = [], file = launcher, words = [], input = '', environment, ...moments }: Run) {
  const { interruptAt, killAt } = moments;
  const child = spawn(process.execPath, [...flags, file, ...words], {
    env: { PATH: process.env.PATH ?? '', KEN_HOME: temporaryDirectory(), ...environment },
    detached: true,
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
    if (interruptAt && text.includes(interruptAt) && child.pid) process.kill(-child.pid, 'SIGINT');
    if (killAt && text.includes(killAt)) child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  // A program that ends without reading closes the pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise<object>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...said }));
  });
}

/** A launcher whose program is this text, and whose own Node is a shell script. */
function programOf(text: string, ownNode = `exec "${process.execPath}" "$@"`): string {
  const place = temporaryDirectory();
  const file = path.join(place, 'bin/ken.cjs');
  cpSync(path.dirname(launcher), path.dirname(file), { recursive: true });
  mkdirSync(path.join(place, 'dist'));
  writeFileSync(path.join(place, 'dist/main.cjs'), text);
  mkdirSync(path.join(place, 'node_modules/node/bin'), { recursive: true });
  const node = path.join(place, 'node_modules/node/bin/node');
  writeFileSync(node, `#!/bin/sh\n${ownNode}\n`, { mode: 0o755 });
  return file;
}

const ended = (code: number, stdout: string, stderr: string) => ({ code, signal: null, stdout, stderr });

it('hands over to the Node that came along, with output and exit code', async () => {
  expect(await run({ flags: [OLD_NODE], words: ['--version'] })).toEqual(ended(0, `${VERSION}\n`, ''));
  expect(await run({ flags: [OLD_NODE], words: ['inti'] })).toEqual(
    ended(2, '', 'ken: "inti" is not a ken command.\nhint: Did you mean init?\n'),
  );
});

it('hands over what comes in on standard input', async () => {
  const echo = programOf('process.stdin.pipe(process.stdout);');
  expect(await run({ flags: [OLD_NODE], file: echo, input: 'as it is\n' })).toEqual(
    ended(0, 'as it is\n', ''),
  );
});

it('takes one Ctrl-C for one, though both processes receive it', async () => {
  const programs = temporaryDirectory();
  writeFileSync(path.join(programs, 'gh'), '#!/bin/sh\nwhile :; do :; done\n', { mode: 0o755 });
  expect(
    await run({
      flags: [OLD_NODE],
      words: ['doctor'],
      environment: { PATH: `${programs}:/usr/bin:/bin` },
      interruptAt: 'Node:',
    }),
  ).toMatchObject({ code: 130, signal: null, stderr: '' });
});

it('ends by the signal that ended what it handed over to', async () => {
  const file = programOf('', 'kill -TERM $$');
  expect(await run({ flags: [OLD_NODE], file })).toEqual({
    code: null,
    signal: 'SIGTERM',
    stdout: '',
    stderr: '',
  });
});

it('leaves nothing running when it is killed: what it handed over to ends as at a closed terminal', async () => {
  const file = programOf(
    `process.on('SIGHUP', () => { process.stdout.write('closed, ' + process.env.KEN_STARTED_BY); process.exit(); });
    process.stdout.write('ready, ');
    setInterval(() => {}, 1000);`,
  );
  expect(await run({ flags: [OLD_NODE], file, killAt: 'ready' })).toEqual({
    code: null,
    signal: 'SIGKILL',
    stdout: 'ready, closed, undefined',
    stderr: '',
  });
});

it('says in one line that a clone is not set up, or that Node is too old', async () => {
  const place = temporaryDirectory();
  const file = path.join(place, 'bin/ken.cjs');
  cpSync(path.dirname(launcher), path.dirname(file), { recursive: true });
  expect(await run({ file })).toEqual(
    ended(1, '', `ken is not set up yet; run "npm start" in ${place}/ once.\n`),
  );
  mkdirSync(path.join(place, 'node_modules'));
  expect(await run({ flags: [OLD_NODE], file })).toEqual(
    ended(1, '', 'ken needs Node 24.16 or newer, but neither 25 nor 26.0; this is 20.20.2.\n'),
  );
});

it('says that Windows is not supported yet', async () => {
  expect(await run({ flags: [pretend('platform', 'win32')] })).toEqual(
    ended(1, '', 'ken does not support Windows yet; Linux and macOS work.\n'),
  );
});

it('works when its home cannot be written to', async () => {
  const environment = { KEN_HOME: '/dev/null/home' };
  expect(await run({ words: ['help', 'init'], environment })).toMatchObject({ code: 0, stderr: '' });
});

it('ignores a cache directory that is not absolute', async () => {
  const home = temporaryDirectory();
  await run({
    words: ['--help'],
    environment: { KEN_HOME: '', XDG_CACHE_HOME: 'relative-cache', HOME: home },
  });
  expect(existsSync('relative-cache')).toBe(false);
  expect(existsSync(path.join(home, '.cache/ken/compiled'))).toBe(true);
});
