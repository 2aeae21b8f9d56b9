import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/adapters/postgres/seam/open-database.ts';
import { childProgram } from '../child-program.ts';
import { scaled } from '../scale.ts';
import { postgresProblem } from './postgres.ts';
import { clusterDirectory, serve, startServer, stopServer } from './start-postgres.ts';

const WRITERS = scaled(3, 16);
const WRITES = scaled(6, 250);

/** A server that can be stopped and started, gone after the test. */
async function ownServer() {
  const directory = clusterDirectory();
  let server = await startServer(directory);
  onTestFinished(async () => {
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    url: `postgres:///postgres?host=${encodeURIComponent(directory)}&user=ken`,
    async restart() {
      await stopServer(server);
      server = await serve(directory);
    },
  };
}

interface Writer {
  readonly process: ChildProcess;
  /** `added ID`, or `CODE ID`. */
  readonly lines: string[];
}

function startWriter(url: string, name: string, onLine: () => void): Writer {
  const child = spawn(process.execPath, [childProgram('team/writer'), url, name, String(WRITES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    onLine();
  });
  return { process: child, lines };
}

describe.skipIf(postgresProblem() !== undefined)('many writers', () => {
  it('lose nothing that was acknowledged when some are killed', async () => {
    const { url, restart } = await ownServer();
    const database = await openDatabase(url);
    let told = 0;
    const waiting: { readonly count: number; resolve(): void }[] = [];
    const onLine = () => {
      told++;
      for (const { count, resolve } of waiting) if (told >= count) resolve();
    };
    const after = (share: number) =>
      new Promise<void>((resolve) => waiting.push({ count: share * WRITERS * WRITES, resolve }));
    const writers = Array.from({ length: WRITERS }, (_, at) => startWriter(url, `w${at}`, onLine));
    const ends = writers.map(({ process: child }) => once(child, 'exit'));

    await after(1 / 6);
    writers[0]?.process.kill('SIGKILL');
    await after(2 / 6);
    await database.write(
      (sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
        and application_name = 'ken'`,
    );
    await after(3 / 6);
    await database.close();
    await restart();
    const restarted = performance.now();
    const codes = (await Promise.all(ends)).map(([code, signal]) => code ?? signal);
    expect(codes).toEqual(['SIGKILL', ...writers.slice(1).map(() => 0)]);

    // None waits for a server that has ended: the deadline for an answer is 90 s.
    expect(performance.now() - restarted).toBeLessThan(scaled(60_000));

    const lines = writers.flatMap((writer) => writer.lines.map((line) => line.split(' ')));
    const unlike = new Set(lines.map(([what]) => what).filter((what) => what !== 'added'));
    // A commit that was cut off may have arrived, and nothing else may go wrong.
    expect([...unlike].filter((what) => what !== 'team/unknown-outcome')).toEqual([]);
    const later = await openDatabase(url);
    onTestFinished(() => later.close());
    const state = await later.read(async (sql) => ({
      entries: (await sql`select id from ken.entry`).map(({ id }) => String(id)),
      active: await sql`
        select merge_key from ken.version where until is null and status = 'active' group by merge_key having count(*) > 1`,
      events: await sql`select count(*) as count, max(position) as last from ken.event`,
    }));
    const acknowledged = lines.flatMap(([what, id = '']) => (what === 'added' ? [id] : []));
    expect(acknowledged.filter((id) => !state.entries.includes(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan((WRITERS - 1) * (WRITES - 3));
    expect([...state.active]).toEqual([]);
    expect(state.events[0]?.count).toBe(state.events[0]?.last);
    expect(state.events[0]?.count).toBe(state.entries.length);
  });
});
