/** Repairs of what is the operator's own: decisions, settings in the wrong file, and the library of references. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { App } from '../app.ts';
import { formatKeyPath } from '../config/key-path.ts';
import type { Omission } from '../config/resolve.ts';
import type { Repair } from '../domain/backup/repair.ts';
import type { Surroundings } from './part.ts';

/** `time` names the directory of the copies that are kept. */
export async function ownRepairs({ directories }: Surroundings, app: App, time: string): Promise<Repair[]> {
  return [...(await approvalRepairs(directories.data, time)), ...authorityRepairs(app)];
}

async function approvalRepairs(data: string, time: string): Promise<Repair[]> {
  const file = path.join(data, 'approvals.db');
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return [];
  const { areApprovalsDamaged } = await import('../adapters/sqlite/approvals/salvage-approvals.ts');
  if (!(await areApprovalsDamaged(file))) return [];
  return [
    {
      path: file,
      problem: 'is damaged',
      action: 'build it from what can still be read; what is lost is asked again',
      isDamage: true,
      mend: () => mendApprovals(file, path.join(data, 'repair'), time),
    },
  ];
}

async function mendApprovals(file: string, repairs: string, time: string): Promise<string> {
  const { keepCopy } = await import('../adapters/files/repair-files.ts');
  const { openApprovalsDatabase } = await import('../adapters/sqlite/approvals/approvals-database.ts');
  const { salvageApprovals } = await import('../adapters/sqlite/approvals/salvage-approvals.ts');
  const { putInPlace } = await import('../adapters/sqlite/seam/damaged-database.ts');
  const kept = path.join(repairs, time, 'approvals');
  for (const ending of ['', '-wal', '-shm'])
    keepCopy(`${file}${ending}`, path.join(kept, `approvals.db${ending}`));
  // Those of a repair that was killed have what it had removed already.
  const copies = readdirSync(repairs)
    .sort()
    .reverse()
    .map((each) => path.join(repairs, each, 'approvals', 'approvals.db'))
    .filter((each) => existsSync(each));
  const scratch = path.join(repairs, time, 'new');
  const fresh = path.join(scratch, 'approvals.db');
  const database = await openApprovalsDatabase(fresh);
  const count = await salvageApprovals(database, copies);
  await database.close();
  putInPlace(fresh, file, scratch);
  return `${count} rows recovered; the damaged file is in ${kept}`;
}

/** Settings that count only in authority.toml and stand in another file of the operator's. */
function authorityRepairs(app: App): Repair[] {
  const misplaced = app.settings.omissions.filter(
    ({ need, origin }) =>
      need === 'authority' && origin.kind === 'file' && path.dirname(origin.name) === app.directories.config,
  );
  return misplaced.map((each) => ({
    path: each.origin.name,
    problem: `sets ${formatKeyPath(each.path)}, which counts only in authority.toml`,
    action: `move ${formatKeyPath(each.path)} = ${JSON.stringify(each.value)} there`,
    isDamage: false,
    mend: () => moveToAuthority(app, each),
  }));
}

/** First there, then away from here, so that a move that is killed can be repeated. */
async function moveToAuthority(app: App, { path: keyPath, value, origin }: Omission): Promise<string> {
  const { setKey, setsKey, unsetKey } = await import('../config/set-key.ts');
  const { recordSetting } = await import('../domain/approvals/lock/own-settings.ts');
  const file = path.join(app.directories.data, 'authority.toml');
  const target = { file, standing: 'authority' } as const;
  const isThere = await setsKey(app.configFiles, { ...target, path: keyPath });
  if (!isThere) {
    await setKey(app.configFiles, { ...target, change: { op: 'set', path: keyPath, value } });
    await recordSetting(app, file, formatKeyPath(keyPath));
  }
  await unsetKey(app.configFiles, { file: origin.name, standing: 'user', path: keyPath });
  return isThere ? `removed; ${file} has its own value` : `moved to ${file}`;
}

/** Topics with files that are missing or not what was fetched. Reads every file. */
export async function referenceRepairs(app: App, signal: AbortSignal): Promise<Repair[]> {
  const { checkLibrary } = await import('../domain/references/topic/check-library.ts');
  const { findings } = await checkLibrary(app, signal);
  const incomplete = findings.filter(({ isRefetched }) => isRefetched);
  return [...Map.groupBy(incomplete, ({ topic_id }) => topic_id ?? '')].map(([topic, found]) => ({
    path: topic,
    problem: `is incomplete: ${found.map(({ problem }) => problem).join('; ')}`,
    action: 'fetch it again from its sources',
    isDamage: true,
    async mend() {
      const { refreshTopic } = await import('../domain/references/lifecycle/refresh-topic.ts');
      const { fetchLimits } = await import('../domain/references/tools/reference-tools.ts');
      const limits = fetchLimits(app.config.references);
      const { file_count } = await refreshTopic(app, { topic, limits }, async () => {}, signal);
      return `fetched again; it has ${file_count} files`;
    },
  }));
}
