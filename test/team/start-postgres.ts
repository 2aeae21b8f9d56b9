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
  const directory = clusterDirectory();
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
    if (started) await stopServer(started);
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

/** Makes a cluster in a directory of its own, and runs a server on it. */
export async function startServer(directory: string): Promise<ChildProcess> {
  const options = [
    '-D',
    path.join(directory, 'data'),
    '-A',
    'trust',
    '-U',
    'ken',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ];
  const [initdb, words] = asPostgres([path.join(BINARIES, 'initdb'), ...options, '--no-instructions']);
  execFileSync(initdb, words, { cwd: directory, stdio: 'pipe' });
  return serve(directory);
}

/** Runs a server on the cluster of a directory. */
export async function serve(directory: string): Promise<ChildProcess> {
  const places = [path.join(BINARIES, 'postgres'), path.join(directory, 'data'), directory];
  // The shell ends the server when its input ends, as it does when this process is killed.
  const [shell, words] = asPostgres(['sh', '-c', SERVE, ...places]);
  const server = spawn(shell, words, { cwd: directory, stdio: ['pipe', 'ignore', 'pipe'] });
  const log: string[] = [];
  const lines = createInterface({ input: server.stderr });
  for await (const line of lines) {
    log.push(line);
    if (!line.includes('ready to accept connections')) continue;
    // What follows is read and dropped, so that the server never waits for it.
    server.stderr.resume();
    return server;
  }
  throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`);
}

/** Ends a server as `pg_ctl stop -m fast` does. */
export async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = once(server, 'exit');
  server.stdin?.end();
  await ended;
}

/** A directory for a cluster. The path of a socket has at most about 100 bytes. */
export function clusterDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'ken-pg-'));
  if (isRoot) chownSync(directory, idOf('-u'), idOf('-g'));
  return directory;
}

const SERVE = `
  "$0" -D "$1" -k "$2" -c listen_addresses= -c max_connections=60 -c log_statement=none &
  cat >/dev/null
  kill -INT $!
  wait $!`;
