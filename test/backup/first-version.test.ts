/** A workspace and a home of ken 0.1.0, as its own commands left them. */

import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { inspectionRecord } from '../../src/adapters/sqlite/seam/inspection-record.ts';
import { workspaceName } from '../../src/compose/part.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { runningHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';

const ARCHIVE = path.join(import.meta.dirname, 'ken-0.1.0.tar.gz');
const ENTRIES = ['hive-port', 'hive-restart', 'pot2', 'procedural/hive-port'];

/** `isKnown`: as on the machine where 0.1.0 ran; else as after moving it there. */
function unpacked({ isKnown }: { readonly isKnown: boolean }): Sandbox {
  const place = runningHere(sandbox());
  const base = path.dirname(place.root);
  execFileSync('tar', ['-xmzf', ARCHIVE, '-C', base]);
  const [old = ''] = readdirSync(path.join(place.home, 'data/workspaces'));
  const name = workspaceName({ root: place.root, home: path.join(place.root, '.ken') });
  renameSync(path.join(place.home, 'data/workspaces', old), path.join(place.home, 'data/workspaces', name));
  if (isKnown)
    inspectionRecord(path.join(place.home, 'state/inspected')).remember(
      path.join(place.root, '.ken/knowledge/knowledge.db'),
    );
  return place;
}

const idsIn = async (place: Sandbox, directory = place.root) => {
  const { stdout } = await place.ken(['k', 'list', '--json'], { directory });
  const { entries } = JSON.parse(stdout);
  return entries.map(({ id }: { id: string }) => id).sort();
};

it('is opened, migrated and copied before, and everything is there', async () => {
  const place = unpacked({ isKnown: true });
  expect(await idsIn(place)).toEqual(ENTRIES);
  expect((await place.ken(['backup', '--list'])).stdout).toMatch(/migration/);
  const rule = await place.ken(['kb', 'prompt']);
  expect(rule.stdout).toContain('The hive listens on port 7001.');
  expect((await place.ken(['k', 'history', 'hive-restart', '--json'])).stdout).toContain('deprecated');
  expect((await place.ken(['learn', 'garden', 'ports'])).stdout).toContain('port = 7001');
  const search = async (...words: string[]) => (await place.ken(['search', ...words])).stdout;
  expect(await search('kettle', 'whistles')).toContain('100 degrees');
  expect(await search('green', 'tea', 'steeped')).toContain('80 degrees');
  const conversations = JSON.parse((await place.ken(['c', 'ls', '--json'])).stdout).conversations;
  expect(conversations).toHaveLength(2);
  for (const { id } of conversations)
    expect(await place.ken(['q', '--id', id, 'How is green tea steeped?'])).toMatchObject({ code: 0 });
  const { stdout } = await place.ken(['doctor', '--json']);
  const problems = JSON.parse(stdout).checks.filter(({ status }: { status: string }) => status === 'problem');
  expect(problems).toEqual([]);
});

it('counts as claims where nothing knows it, until the operator confirms them', async () => {
  const place = unpacked({ isKnown: false });
  const { stderr } = await place.ken(['k', 'list']);
  expect(stderr).toContain('If they are yours, run "ken knowledge confirm --all".');
  expect(await idsIn(place)).toEqual(ENTRIES);
  expect((await place.ken(['kb', 'prompt'])).stdout).not.toContain('The hive listens');
});

it('can be backed up, and the restored copy is sound', async () => {
  const place = unpacked({ isKnown: true });
  const file = path.join(place.home, 'all.ken.tar.gz');
  expect(await place.ken(['backup', file])).toMatchObject({ code: 0 });
  const to = path.join(place.home, 'restored');
  expect(await place.ken(['restore', file, '--to', to])).toMatchObject({ code: 0 });
  expect(await idsIn(place, to)).toEqual(ENTRIES);
  expect((await place.ken(['doctor'], { directory: to })).stdout).toMatch(/^ok +Ledger: 4 active entries$/m);
  expect((await place.ken(['learn', 'garden', 'ports'], { directory: to })).stdout).toContain('port = 7001');
});

it('doctor --repair moves its approvals setting, and removes the index that nothing opens any more', async () => {
  const place = unpacked({ isKnown: true });
  const plan = await place.ken(['doctor', '--repair', '--dry-run']);
  expect(plan.stdout).toContain('config.toml');
  expect(plan.stdout).toContain('.ken/index.db');
  writeOwnConfig(place.home, 'approvals.noninteractive = "allow"\n');
  expect(await place.ken(['doctor', '--repair', '--yes'])).toMatchObject({ code: 0 });
  expect(readdirSync(path.join(place.root, '.ken'))).not.toContain('index.db');
});
