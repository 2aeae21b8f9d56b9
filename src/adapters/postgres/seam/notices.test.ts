import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseUrl, postgresProblem, socketDirectory } from '../../../../test/team/postgres.ts';
import { listen, noticed } from './notices.ts';
import { openDatabase } from './open-database.ts';

const NOTICE = 'A'.charCodeAt(0);

/** The address of the database behind a pooler that passes on everything but notices. */
async function withoutNotices(): Promise<string> {
  const directory = mkdtempSync(path.join(tmpdir(), 'pool-'));
  const real = path.join(await socketDirectory(), '.s.PGSQL.5432');
  const sockets = new Set<Socket>();
  const pooler = createServer((client) => {
    const server = connect(real);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    client.on('data', (data) => server.write(data));
    let pending = Buffer.alloc(0);
    server.on('data', (data: Buffer) => {
      pending = Buffer.concat([pending, data]);
      while (pending.length >= 5 && pending.length > pending.readInt32BE(1)) {
        const end = pending.readInt32BE(1) + 1;
        if (pending[0] !== NOTICE) client.write(Buffer.from(pending.subarray(0, end)));
        pending = pending.subarray(end);
      }
    });
  });
  pooler.listen(path.join(directory, '.s.PGSQL.5432'));
  await once(pooler, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    pooler.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return `postgres:///postgres?host=${encodeURIComponent(directory)}&user=ken`;
}

async function listeningAt(url: string) {
  const database = await openDatabase(await databaseUrl());
  const heard: (string | undefined)[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const onNotice = (about: string | undefined) => {
    heard.push(about);
    if (about !== undefined) resolve();
  };
  const listening = await listen({ url, database, name: `test-${process.pid}`, onNotice });
  onTestFinished(async () => {
    await listening.close();
    await database.close();
  });
  return { database, listening, heard, arrived: promise };
}

describe.skipIf(postgresProblem() !== undefined)('notices of changes', () => {
  it('arrive where the connection passes them on', async () => {
    const { database, listening, heard, arrived } = await listeningAt(await databaseUrl());
    expect(listening.kind).toBe('notified');
    await noticed(database, 'a garden').write((sql) => sql`select 1`);
    await arrived;
    expect(heard).toContain('a garden');
  });

  it('are replaced by looking again where a pooler passes none on', async () => {
    const { listening, heard } = await listeningAt(await withoutNotices());
    expect(listening.kind).toBe('polling');
    expect(heard.filter((about) => about !== undefined)).toEqual([]);
  });
});
