/** PostgreSQL 18 with pgvector and pg_textsearch, compiled to WebAssembly: for what Debian's own lacks. */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch';
import { vector } from '@electric-sql/pglite-pgvector';

export interface PgliteServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves one instance on a socket. It has one session: a connection holds it until its transaction ends. */
export async function startPglite(): Promise<PgliteServer> {
  const instance = await PGlite.create({ extensions: { vector, pg_textsearch } });
  await instance.exec('create extension vector; create extension pg_textsearch');
  const directory = mkdtempSync(path.join(tmpdir(), 'lite-'));
  const turns = inTurn();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, (message) => instance.execProtocolRaw(message), turns);
  });
  server.listen(path.join(directory, '.s.PGSQL.5432'));
  await once(server, 'listening');
  return {
    url: `postgres:///postgres?host=${encodeURIComponent(directory)}&user=postgres`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await instance.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

type Turn = () => void;

/** Resolves when everybody before has ended their turn. */
function inTurn(): () => Promise<Turn> {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const before = last;
    let end: Turn = () => {};
    last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  };
}

const TERMINATE = 0x58;
const READY = 0x5a;
const IDLE = 0x49;

function serve(
  socket: Socket,
  run: (message: Uint8Array) => Promise<Uint8Array>,
  turns: () => Promise<Turn>,
): void {
  let pending = Buffer.alloc(0);
  let isGreeted = false;
  let endTurn: Turn | undefined;
  let work: Promise<void> = Promise.resolve();
  const leave = async () => {
    if (endTurn) await run(simpleQuery('rollback'));
    endTurn?.();
    endTurn = undefined;
  };
  const answer = async (message: Buffer) => {
    endTurn ??= await turns();
    const reply = await run(message);
    if (reply.length > 0 && !socket.destroyed) socket.write(reply);
    if (reply.at(-6) !== READY || reply.at(-1) !== IDLE) return;
    endTurn();
    endTurn = undefined;
  };
  socket.on('data', (data: Buffer) => {
    pending = Buffer.concat([pending, data]);
    for (let message = nextMessage(pending, isGreeted); message; message = nextMessage(pending, isGreeted)) {
      const whole = message;
      pending = pending.subarray(whole.length);
      isGreeted = true;
      if (whole[0] === TERMINATE && whole.length === 5) socket.end();
      else work = work.then(() => answer(whole));
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    work = work.then(leave);
  });
}

/** The first message has no type; undefined while it is not all there. */
function nextMessage(bytes: Buffer, isGreeted: boolean): Buffer | undefined {
  const head = isGreeted ? 1 : 0;
  if (bytes.length < head + 4) return undefined;
  const length = head + bytes.readInt32BE(head);
  return bytes.length < length ? undefined : Buffer.from(bytes.subarray(0, length));
}

function simpleQuery(text: string): Uint8Array {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
