/**
 * One of several processes on one approvals database, by what it does:
 *   request FILE NAME COUNT   records COUNT requests of its own
 *   race FILE NAME COUNT      tries to approve and to use each of the shared requests 0..COUNT-1; before every tenth it
 *                             tells `begin` and waits until it is told to go
 *   walk FILE NAME COUNT      takes COUNT requests of its own through request, approval, use and a finished job
 * Tells `begin`, a line for each step that was acknowledged, and `end`.
 */

import { writeSync } from 'node:fs';
import { sqliteApprovalStore } from '../../src/adapters/sqlite/approvals/approval-store.ts';
import { openApprovalsDatabase } from '../../src/adapters/sqlite/approvals/approvals-database.ts';
import { sqliteJobStore } from '../../src/adapters/sqlite/approvals/job-store.ts';
import type { NewApproval } from '../../src/domain/approvals/approval.ts';

const [mode = '', file = '', name = '', count = '0'] = process.argv.slice(2);
const database = await openApprovalsDatabase(file);
const approvals = sqliteApprovalStore(database);
const jobs = sqliteJobStore(database);
const say = (line: string) => writeSync(1, `${line}\n`);
const decision = { by: name, at: 2000, through: 'terminal' } as const;

function request(id: string): NewApproval {
  return {
    id,
    workspace: '/w',
    reason: { type: 'workspace_escape', path: id },
    request: { path: id },
    actor: name,
    summary: id,
    digest: id,
    created: 1000,
    expires: 1_000_000,
  };
}

async function race(id: string): Promise<void> {
  const ruling = await approvals.decide({ id, verdict: 'approve', decision });
  if (ruling?.decided) say(`decided ${id}`);
  const used = await approvals.consume({ workspace: '/w', digest: id }, 3000);
  if (used) say(`used ${id}`);
}

async function walk(id: string): Promise<void> {
  await approvals.request(request(id));
  say(`pending ${id}`);
  await approvals.decide({ id, verdict: 'approve', decision });
  say(`approved ${id}`);
  await approvals.consume({ workspace: '/w', digest: id }, 3000);
  say(`consumed ${id}`);
  await jobs.start({ id, workspace: '/w', title: id, owner: name, started: 3000 });
  await jobs.report(id, { phase: 'files', done: 1 }, 3500);
  await jobs.finish(id, { status: 'done', finished: 4000, result: { message: id, data: {} } });
  say(`done ${id}`);
}

async function untilToldToGo(): Promise<void> {
  say('begin');
  await new Promise((resolve) => process.stdin.once('data', resolve));
}

if (mode !== 'race') say('begin');
for (let number = 0; number < Number(count); number++) {
  if (mode === 'race') {
    if (number % 10 === 0) await untilToldToGo();
    await race(`shared-${number}`);
  } else if (mode === 'walk') await walk(`${name}-${number}`);
  else {
    await approvals.request(request(`${name}-${number}`));
    say(`${number}`);
  }
}
process.stdin.destroy();
say('end');
await database.close();
