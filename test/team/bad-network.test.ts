/** Between ken and the database stands a network that delays, cuts and swallows. */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresApprovalStore } from '../../src/adapters/postgres/approvals/approval-store.ts';
import { postgresLedgerStore } from '../../src/adapters/postgres/ledger/ledger-store.ts';
import { openDatabase } from '../../src/adapters/postgres/seam/open-database.ts';
import { Fault } from '../../src/base/fault.ts';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import { scaled } from '../scale.ts';
import { seededRandom } from '../seeded-random.ts';
import { databaseUrl, newTenant, postgresProblem, socketDirectory } from './postgres.ts';

const WRITERS = 4;
const WRITES = scaled(12, 250);
const APPROVALS = scaled(8, 100);
/** The limit of a statement: one that was swallowed ends soon. */
const DEADLINE_MS = 1_500;

type Fate = 'passes' | 'delays' | 'cuts' | 'swallows';

/** The address of the database behind a network that treats each piece as `fateOf` says. */
async function network(fateOf: () => Fate): Promise<string> {
  const directory = mkdtempSync(path.join(tmpdir(), 'net-'));
  const real = path.join(await socketDirectory(), '.s.PGSQL.5432');
  const sockets = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const server = net.connect(real);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.on('data', (piece: Buffer) => {
        const fate = fateOf();
        if (fate === 'swallows') return;
        if (fate === 'cuts') {
          // Half of a message arrives.
          to.write(piece.subarray(0, piece.length >> 1), () => client.destroy());
          return;
        }
        from.pause();
        const deliver = () => {
          if (!to.destroyed) to.write(piece);
          from.resume();
        };
        if (fate === 'delays') setTimeout(deliver, 20);
        else deliver();
      });
    }
  });
  proxy.listen(path.join(directory, '.s.PGSQL.5432'));
  await once(proxy, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return `postgres:///postgres?host=${encodeURIComponent(directory)}&user=ken`;
}

function fates(share: number): () => Fate {
  const random = seededRandom('bad network');
  return () => {
    const drawn = random();
    if (drawn < share / 2) return 'cuts';
    if (drawn < share * 0.6) return 'swallows';
    return drawn < share * 3 ? 'delays' : 'passes';
  };
}

/** `done`, or the code of the fault; anything else that is thrown fails the test. */
async function ended(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

describe.skipIf(postgresProblem() !== undefined)('a failing network', () => {
  it('loses nothing that was acknowledged, doubles nothing, and every call ends', async () => {
    const tenant = newTenant();
    const sound = await openDatabase(await databaseUrl());
    onTestFinished(() => sound.close());
    const url = await network(fates(0.02));
    const acknowledged: string[] = [];
    const codes = new Set<string>();
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        let database = await openAgain(url);
        let done = 0;
        // A slow machine loses more to the same network: it tries more often, so that as much is acknowledged.
        for (let at = 0; at < WRITES || (done <= WRITES / 3 && at < WRITES * 4); at++) {
          const id = `w${writer}-${at}`;
          const ledger = postgresLedgerStore(database, tenant);
          const code = await ended(
            ledger.add({ ...adding(id, 10), mergeKey: `key-${at % 3}`, onConflict: 'supersede' }),
          );
          codes.add(code);
          if (code === 'done') {
            acknowledged.push(id);
            done += 1;
          } else if (at % 5 === 0) {
            await database.close();
            database = await openAgain(url);
          }
        }
        await database.close();
      }),
    );
    const ledger = postgresLedgerStore(sound, tenant);
    const kept = await ledger.list({ limit: -1 });
    const ids = kept.map(({ id }) => id);
    expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(acknowledged.length).toBeGreaterThan((WRITERS * WRITES) / 3);
    const active = kept.filter(({ status }) => status === 'active').map(({ mergeKey }) => mergeKey);
    expect(new Set(active).size).toBe(active.length);
    const known = ['done', 'team/unavailable', 'team/unknown-outcome'];
    // A network that never failed would show nothing.
    expect(codes.size).toBeGreaterThan(1);
    expect([...codes].filter((code) => !known.includes(code))).toEqual([]);
  });

  it('uses no approval twice', async () => {
    const { team } = newTenant();
    const sound = await openDatabase(await databaseUrl());
    onTestFinished(() => sound.close());
    const approvals = postgresApprovalStore(sound, team);
    const url = await network(fates(0.03));
    const open = { workspace: '/w', actor: 'a', summary: 's', created: 1, expires: 1e15, request: {} };
    for (let at = 0; at < APPROVALS; at++) {
      const id = `a${at}`;
      await approvals.request({ ...open, id, digest: id, reason: { type: 'workspace_escape', path: id } });
      const decision = { by: 'ada', at: 2, through: 'web' } as const;
      await approvals.decide({ id, verdict: 'approve', decision });
    }
    const used = new Map<string, number>();
    await Promise.all(
      [1, 2, 3].map(async () => {
        const database = await openAgain(url);
        for (let at = 0; at < APPROVALS; at++) {
          const digest = `a${at}`;
          const got = await postgresApprovalStore(database, team)
            .consume({ workspace: '/w', digest }, 5)
            .catch((error: unknown) => {
              if (!(error instanceof Fault)) throw error;
              return undefined;
            });
          if (got) used.set(digest, (used.get(digest) ?? 0) + 1);
        }
        await database.close();
      }),
    );
    expect([...used.values()].filter((times) => times > 1)).toEqual([]);
    expect(used.size).toBeGreaterThan(APPROVALS / 3);
  });
});

/** A connection that fails while it is opened is tried again, as a person would. */
async function openAgain(url: string) {
  for (let tries = 0; ; tries++) {
    try {
      return await openDatabase(url, { deadlineMs: DEADLINE_MS });
    } catch (error) {
      if (!(error instanceof Fault) || tries > 20) throw error;
    }
  }
}
