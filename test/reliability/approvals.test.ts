import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { sqliteApprovalStore } from '../../src/adapters/sqlite/approvals/approval-store.ts';
import { openApprovalsDatabase } from '../../src/adapters/sqlite/approvals/approvals-database.ts';
import { systemProcessWatch } from '../../src/adapters/system/process-watch.ts';
import { newApproval } from '../../src/domain/approvals/approval-store.contract.ts';
import { leavePending, statusOf } from '../approvals/pending.ts';
import { childProgram } from '../child-program.ts';
import { sandbox } from '../cli/ken.ts';
import { LAUNCHER as launcher } from '../cli/launcher.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { scaled } from '../scale.ts';
import { seededRandom } from '../seeded-random.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { killWhileWriting } from './kill-while-writing.ts';

/** Lets all go at once when the last one has come, again and again. */
class Gate {
  #waiting: (() => void)[] = [];
  readonly #expected: number;

  constructor(expected: number) {
    this.#expected = expected;
  }

  arrive(go: () => void): void {
    this.#waiting.push(go);
    if (this.#waiting.length < this.#expected) return;
    const all = this.#waiting;
    this.#waiting = [];
    for (const each of all) each();
  }
}

const program = childProgram('reliability/approvals');

function run(mode: string, file: string, name: string, count: number, go?: Gate) {
  const child = spawn(process.execPath, [program, mode, file, name, String(count)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let errors = '';
  createInterface(child.stdout).on('line', (line) => {
    if (line === 'begin') go?.arrive(() => child.stdin.write('go\n'));
    else if (line !== 'end') lines.push(line);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise<{ code: number | null; errors: string; lines: string[] }>((resolve) => {
    child.on('close', (code) => resolve({ code, errors, lines }));
  });
}

function rowsOf(file: string, sql: string): Record<string, unknown>[] {
  const connection = new DatabaseSync(file);
  try {
    expect(connection.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    return connection
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    connection.close();
  }
}

const names = Array.from({ length: 8 }, (_, at) => `writer${at}`);

it('8 processes that ask at once all have their requests recorded', async () => {
  const file = path.join(temporaryDirectory(), 'data/approvals.db');
  const count = scaled(250);
  const ends = await Promise.all(names.map((name) => run('request', file, name, count)));
  expect(ends.map(({ code, errors, lines }) => [code, errors, lines.length])).toEqual(
    names.map(() => [0, '', count]),
  );
  expect(rowsOf(file, 'select actor, count(*) as requests from approval group by actor')).toEqual(
    names.map((actor) => ({ actor, requests: count })),
  );
});

it('8 processes that approve and use the same requests: each has exactly one winner', async (context) => {
  const file = path.join(temporaryDirectory(), 'approvals.db');
  const count = scaled(100);
  const ids = Array.from({ length: count }, (_, at) => `shared-${at}`);
  const database = await openApprovalsDatabase(file);
  const store = sqliteApprovalStore(database);
  for (const id of ids) {
    await store.request(newApproval({ id, workspace: '/w', digest: id, created: 1000, expires: 1_000_000 }));
  }
  await database.close();

  const gate = new Gate(names.length);
  const ends = await Promise.all(names.map((name) => run('race', file, name, count, gate)));

  expect(ends.map(({ code, errors }) => [code, errors])).toEqual(names.map(() => [0, '']));
  const told = ends.flatMap(({ lines }) => lines).sort();
  expect(told).toEqual(ids.flatMap((id) => [`decided ${id}`, `used ${id}`]).sort());
  const winners = ends.filter(({ lines }) => lines.length > 0).length;
  await context.annotate(`${winners} of ${names.length} processes won something`);
  expect(winners, 'nobody raced').toBeGreaterThan(1);
});

it.each(['deny', 'approve'])(
  '8 times "ken approvals %s" at once: one succeeds, the others say why',
  async (verb) => {
    for (let round = 0; round < scaled(2); round++) {
      const place = sandbox('');
      mkdirSync(path.join(place.home, 'config'));
      writeOwnConfig(place.home, 'approvals.noninteractive = "allow"\n');
      await leavePending(place, { type: 'workspace_escape', path: '/etc' });
      const results = await Promise.all(names.map(() => place.ken(['approvals', verb, '3f2a', '--json'])));
      expect(results.map(({ code }) => code).sort()).toEqual([0, 4, 4, 4, 4, 4, 4, 4]);
      const told = results
        .filter(({ code }) => code === 4)
        .map(({ stderr }) => JSON.parse(stderr).error.code);
      expect(new Set(told)).toEqual(new Set([verb === 'deny' ? 'approvals/denied' : 'approvals/decided']));
      expect(await statusOf(place)).toBe(verb === 'deny' ? 'denied' : 'approved');
    }
  },
);

it('a process that is killed leaves one consistent state, and all that it acknowledged', async (context) => {
  const file = path.join(temporaryDirectory(), 'approvals.db');
  const ORDER = ['pending', 'approved', 'consumed', 'done'];
  const phases = await killWhileWriting(
    (round) => ({ command: process.execPath, arguments: [program, 'walk', file, `round${round}`, '25'] }),
    scaled(5, 80),
    ({ acknowledged }, round) => {
      const told = new Map(acknowledged.map((line) => line.split(' ').toReversed() as [string, string]));
      const found = rowsOf(
        file,
        `select approval.id, approval.status, decided_by, consumed, job.status as job, job.outcome
         from approval left join job using (id) where actor = 'round${round}'`,
      );
      const reached = found.map((row) => {
        expect(row, 'a state that no step leads to').toSatisfy(isConsistent);
        return [String(row.id), row.job === 'done' ? 'done' : String(row.status)] as const;
      });
      for (const [id, step] of told) {
        const now = reached.find(([other]) => other === id)?.[1] ?? '';
        expect(ORDER.indexOf(now)).toBeGreaterThanOrEqual(ORDER.indexOf(step));
      }
      // At most one step had happened without having been told.
      const ahead = reached.filter(([id, step]) => told.get(id) !== step);
      expect(ahead.length).toBeLessThanOrEqual(1);
    },
  );
  await context.annotate(`killed: ${JSON.stringify(phases)}`);
  expect(phases.inside).toBeGreaterThan(0);
});

it('"ken approvals approve" that is killed has trusted the workspace whole, or not at all', async (context) => {
  const place = sandbox('[providers.mcp.git]\ncommand = "git-mcp"\n');
  const file = path.join(place.home, 'data/approvals.db');
  const leave = async () => {
    writeOwnConfig(place.home, '');
    await place.ken(['trust', '--revoke']);
    const { stderr } = await place.ken(['trust']);
    writeOwnConfig(place.home, 'approvals.noninteractive = "allow"\n');
    return /approval (\w+):/.exec(stderr)?.[1] ?? '';
  };
  const approve = async (id: string, killedAfterMs: number) => {
    const started = performance.now();
    const child = spawn(process.execPath, [launcher, 'approvals', 'approve', id], {
      cwd: place.root,
      env: { ...process.env, KEN_HOME: place.home },
      stdio: 'ignore',
      timeout: Math.round(killedAfterMs),
      killSignal: 'SIGKILL',
    });
    await new Promise((resolve) => child.on('close', resolve));
    return performance.now() - started;
  };
  const measured = [await approve(await leave(), 60_000), await approve(await leave(), 60_000)];
  const wholeMs = Math.min(...measured);
  const counts: Record<string, number> = {};
  const rounds = scaled(3, 60);
  const random = seededRandom('approvals');
  for (let round = 0; round < rounds; round++) {
    const id = await leave();
    await approve(id, wholeMs * (0.4 + (0.6 * (round + random())) / rounds));
    const [row = {}] = rowsOf(
      file,
      `select approval.status, job.status as job, (select count(*) from trust) as trusted
       from approval left join job using (id) where approval.id = '${id}'`,
    );
    const state = [row.status, row.job, row.trusted].join(' ');
    expect([
      'pending  0',
      'consumed  0',
      'consumed running 0',
      'consumed running 1',
      'consumed done 1',
    ]).toContain(state);
    counts[state] = (counts[state] ?? 0) + 1;
    const shown = await place.ken(['trust', '--show', '--json']);
    expect(JSON.parse(shown.stdout).state).toBe(row.trusted === 1 ? 'trusted' : 'untrusted');
    forgetPending(file);
  }
  await context.annotate(`status, job, trusted: ${JSON.stringify(counts)}`);
});

/** So that the next round can ask again. */
function forgetPending(file: string): void {
  const connection = new DatabaseSync(file);
  connection.exec("delete from approval where status = 'pending'");
  connection.close();
}

function isConsistent(row: Record<string, unknown>): boolean {
  const isDecided = row.decided_by !== null;
  switch (row.status) {
    case 'pending':
      return !isDecided && row.consumed === null && row.job === null;
    case 'approved':
      return isDecided && row.consumed === null && row.job === null;
    case 'consumed':
      return isDecided && row.consumed !== null && (row.job !== 'done' || row.outcome !== null);
    default:
      return false;
  }
}

it('tells a process that is gone from one that lives, even under the same number', async () => {
  const program = "import('node:fs').then(() => setInterval(() => {}, 1000)); process.stdout.write('up')";
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const [machine, , start] = JSON.parse(await systemProcessWatch.self());
  const identities = {
    self: await systemProcessWatch.self(),
    recycled: JSON.stringify([machine, child.pid, start]),
    elsewhere: JSON.stringify(['another machine', child.pid, start]),
    junk: 'no identity',
  };
  const answers = Object.entries(identities).map(async ([name, identity]) => [
    name,
    await systemProcessWatch.liveness(identity),
  ]);
  expect(Object.fromEntries(await Promise.all(answers))).toEqual({
    self: 'alive',
    recycled: 'gone',
    elsewhere: 'unknown',
    junk: 'unknown',
  });
});
