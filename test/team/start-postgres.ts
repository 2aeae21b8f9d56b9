/** Starts one PostgreSQL for all tests of a run, when the first of them asks for it. Runs in Vitest's own process. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { BINARIES, postgresProblem, SOCKET_VARIABLE } from './postgres.ts';

/** Answers those who connect to the socket with `ready` once the server runs, or with the reason why it does not. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[SOCKET_VARIABLE] || postgresProblem() !== undefined) return undefined;
  // The path of a socket has at most about 100 bytes.
  const directory = mkdtempSync(path.join(tmpdir(), 'ken-pg-'));
  if (isRoot) chownSync(directory, idOf('-u'), idOf('-g'));
  const socket = path.join(directory, 'start');
  let server: Promise<ChildProcess> | undefined;
  const listener = createServer((client) => {
    server ??= startServer(directory);
    server.then(
      () => client.end('ready'),
      (error: unknown) => client.end(String(error)),
    );
  });
  listener.listen(socket);
  await once(listener, 'listening');
  listener.unref();
  process.env[SOCKET_VARIABLE] = socket;
  return async () => {
    listener.close();
    const started = await server?.catch(() => undefined);
    if (started?.exitCode === null) {
      started.stdin?.end();
      await once(started, 'exit');
    }
    rmSync(directory, { recursive: true, force: true });
  };
}

const isRoot = process.getuid?.() === 0;

function idOf(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
}

/** PostgreSQL refuses to run as root. */
function asPostgres(words: readonly string[]): [string, string[]] {
  const [program = '', ...rest] = words;
  return isRoot ? ['runuser', ['-u', 'postgres', '--', program, ...rest]] : [program, rest];
}

async function startServer(directory: string): Promise<ChildProcess> {
  const data = path.join(directory, 'data');
  const options = ['-D', data, '-A', 'trust', '-U', 'ken', '-E', 'UTF8', '--locale=C.UTF-8'];
  const [initdb, initWords] = asPostgres([path.join(BINARIES, 'initdb'), ...options, '--no-instructions']);
  execFileSync(initdb, initWords, { cwd: directory, stdio: 'pipe' });
  // The shell ends the server when its input ends, as it does when this process is killed.
  const [shell, shellWords] = asPostgres([
    'sh',
    '-c',
    SERVE,
    path.join(BINARIES, 'postgres'),
    data,
    directory,
  ]);
  const server = spawn(shell, shellWords, { cwd: directory, stdio: ['pipe', 'ignore', 'pipe'] });
  const log: string[] = [];
  for await (const line of createInterface({ input: server.stderr })) {
    log.push(line);
    if (line.includes('ready to accept connections')) {
      server.stderr.resume();
      return server;
    }
  }
  throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`);
}

const SERVE = `
  "$0" -D "$1" -k "$2" -c listen_addresses= -c max_connections=60 -c log_statement=none &
  cat >/dev/null
  kill -INT $!
  wait $!`;
