/** Three clones of a repository, each with a ledger of its own, and real git between them. */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ledgerFilesIn, sharedFilesIn } from '../../src/adapters/files/ledger-files.ts';
import { openLedgerDatabase } from '../../src/adapters/sqlite/ledger/ledger-database.ts';
import { eventFrom } from '../../src/adapters/sqlite/ledger/ledger-rows.ts';
import { openLedgerStore } from '../../src/adapters/sqlite/ledger/ledger-store.ts';
import { sharedLedgerStores } from '../../src/adapters/sqlite/ledger/shared/shared-store.ts';
import { systemHasher, systemIds } from '../../src/adapters/system/primitives.ts';
import { Fault } from '../../src/base/fault.ts';
import { versionFields } from '../../src/domain/ledger/entry/ledger-event.ts';
import type { OperatorKey } from '../../src/domain/ledger/entry/operator-key.ts';
import { type FoldedEvent, foldEvents } from '../../src/domain/ledger/shared/fold-events.ts';
import {
  digestOf,
  monthOf,
  parseSharedLine,
  sharedLine,
} from '../../src/domain/ledger/shared/shared-line.ts';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const isCitationUri = () => false;
const ports = { hasher: systemHasher, isCitationUri };
const NAMES = ['ada', 'bob', 'eve'] as const;
/** Seconds; each step of a test is one later. */
const START = 1_790_000_000;

function git(directory: string, ...words: string[]): string {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...words], {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function keyOf(name: string): OperatorKey {
  const sign = (statement: string) => systemHasher.sha256(`${name} ${statement}`);
  return { sign, verify: (statement, mac) => sign(statement) === mac };
}

type Clone = Awaited<ReturnType<typeof openClone>>;

async function openClone(
  directory: string,
  name: string,
  now: () => number,
  onStatement: (sql: string) => void = () => {},
) {
  const home = path.join(directory, '.ken/knowledge');
  const key = keyOf(name);
  execFileSync('mkdir', ['-p', home]);
  const opened = await openLedgerDatabase({
    file: path.join(home, 'knowledge.db'),
    records: `${directory}-records`,
    key,
  });
  const statement: typeof opened.statement = (sql) => {
    onStatement(sql);
    return opened.statement(sql);
  };
  const database = { ...opened, statement };
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const store = await openLedgerStore(database, { files: ledgerFilesIn(home), warn, key });
  const shared = sharedFilesIn(path.join(home, 'shared'));
  const stores = await sharedLedgerStores(database, store, {
    ...ports,
    shared,
    key,
    now: () => now() * 1000,
    warn,
  });
  const ids = systemIds({ now: () => now() * 1000 });
  const stamp = () => ({ eventId: ids.ulid(), at: now(), actor: name, run: 'r' });
  return { name, directory, database, warnings, stamp, ...stores };
}

async function threeClones() {
  const parent = temporaryDirectory();
  const origin = path.join(parent, 'origin.git');
  let second = START;
  const now = () => second;
  git(parent, 'init', '--quiet', '--bare', '--initial-branch=main', origin);
  const seed = path.join(parent, 'seed');
  git(parent, 'clone', '--quiet', origin, seed);
  execFileSync('sh', ['-c', 'mkdir .ken && echo "*.db*" > .ken/.gitignore'], { cwd: seed });
  git(seed, 'add', '.');
  git(seed, 'commit', '--quiet', '-m', 'begin');
  git(seed, 'push', '--quiet', 'origin', 'HEAD:main');
  const clones: Clone[] = [];
  for (const name of NAMES) {
    git(parent, 'clone', '--quiet', origin, name);
    clones.push(await openClone(path.join(parent, name), name, now));
  }
  const close = async () => {
    for (const { database } of clones) await database.close();
  };
  return { clones, close, tick: () => void second++ };
}

function commit({ directory }: Clone): void {
  git(directory, 'add', '--all');
  if (git(directory, 'status', '--porcelain') !== '') git(directory, 'commit', '--quiet', '-m', 'share');
}

/** Commits, merges what the others have pushed, and pushes. */
function exchange(clone: Clone): void {
  commit(clone);
  git(clone.directory, 'pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main');
  git(clone.directory, 'push', '--quiet', 'origin', 'HEAD:main');
}

const KEYS = [undefined, 'port', 'owner'];

const operation = fc.record({
  clone: fc.nat({ max: NAMES.length - 1 }),
  what: fc.constantFrom(
    'add',
    'add',
    'add',
    'edit',
    'deprecate',
    'restore',
    'promote',
    'exchange',
    'exchange',
    'branch',
    'accept',
  ),
  which: fc.nat({ max: 20 }),
  key: fc.constantFrom(...KEYS),
  onConflict: fc.constantFrom('merge' as const, 'supersede' as const),
});
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

async function carryOut(clone: Clone, given: Operation): Promise<void> {
  const { what, which, key, onConflict } = given;
  const { ledger, sharedLedger, stamp } = clone;
  const all = await ledger.list({ limit: -1 });
  const entry = all[which % Math.max(1, all.length)];
  const at = stamp();
  const text = `Said by ${clone.name} in ${at.eventId}.`;
  const request = {
    text,
    textSha256: systemHasher.sha256(text),
    stamp: at,
    mergeKey: key,
    onConflict,
  } as const;
  if (what === 'add') await ledger.add({ ...adding(`${clone.name}-${at.eventId}`, at.at), ...request });
  if (what === 'exchange') exchange(clone);
  if (what === 'branch') await throughABranch(clone);
  if (what === 'accept') {
    const [proposal] = await sharedLedger.proposals();
    if (proposal) await sharedLedger.accept({ eventId: proposal.event.eventId, stamp: at });
  }
  if (!entry || entry.id.startsWith('procedural/')) return;
  const { id, mergeKey } = entry;
  if (what === 'edit') await ledger.add({ ...adding(id, at.at), ...request, mergeKey, isRevision: true });
  if (what === 'deprecate' || what === 'restore')
    await ledger.changeStatus({ id, action: what, reason: undefined, lifetimes: LIFETIMES, stamp: at });
  if (what === 'promote') await ledger.promote(promoting(id, at));
}

const LIFETIMES = { ephemeral_days: 7, decay_days: 30 };

function promoting(id: string, stamp: ReturnType<Clone['stamp']>) {
  const text = `Rule from ${id}.`;
  return {
    ...{ sourceId: id, targetId: `procedural/${stamp.eventId.toLowerCase()}`, title: 'A rule', text },
    ...{ textSha256: systemHasher.sha256(text), evidence: ['cmd:x'], reason: 'agreed' },
    ...{ approvalId: stamp.eventId, approver: 'x', claimedApprover: undefined, citations: [], stamp },
  };
}

/** Away to where the lines are missing, and back again. */
async function throughABranch(clone: Clone): Promise<void> {
  commit(clone);
  git(clone.directory, 'checkout', '--quiet', '-B', 'aside', 'origin/main');
  const before = await clone.ledger.list({ limit: -1 });
  git(clone.directory, 'checkout', '--quiet', 'main');
  expect(before.length).toBe((await clone.ledger.list({ limit: -1 })).length);
}

/** All lines in the files of a clone, without those that are there twice. */
function linesOf({ directory }: Clone): Map<string, FoldedEvent> {
  const shared = path.join(directory, '.ken/knowledge/shared');
  const lines = readdirSync(shared)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(path.join(shared, name), 'utf8').split('\n'))
    .filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const parsed = parseSharedLine(line, ports);
      if ('problem' in parsed) throw new Error(`${parsed.problem}: ${line}`);
      return [parsed.digest, { event: parsed.event, digest: parsed.digest, isForeign: false }];
    }),
  );
}

/** The state that the events in a clone's database say. */
async function stateOf({ database }: Clone) {
  const rows = await database.read(() => ({
    own: database.statement('select * from event where id not in (select id from shared_event)').all(),
    foreign: database.statement('select line from shared_event').all(),
  }));
  const own = rows.own
    .map(eventFrom)
    .map((event) => ({ event, digest: digestOf(systemHasher, event), isForeign: false }));
  const foreign = rows.foreign.map(({ line }) => {
    const parsed = parseSharedLine(String(line), ports);
    if ('problem' in parsed) throw new Error(parsed.problem);
    return { ...parsed, isForeign: false };
  });
  const { entries, pairs } = foldEvents([...own, ...foreign]);
  const shown = [...entries].map(([id, { versions, citations }]) => [
    id,
    versions.map((each) => [each.version, each.updatedAt, versionFields(each)]),
    citations,
  ]);
  return {
    entries: shown.sort(),
    pairs,
    ids: new Set([...own, ...foreign].map(({ event }) => event.eventId)),
  };
}

it(
  'three clones agree, lose nothing, and leave to each operator what is theirs',
  async () => {
    const run = async (operations: readonly Operation[]) => {
      const { clones, close, tick } = await threeClones();
      try {
        const sent = new Set<string>();
        for (const each of operations) {
          const clone = clones[each.clone];
          if (!clone) continue;
          tick();
          await carryOut(clone, each).catch((error) => {
            // Two states that do not fit are refused, as they are without sharing.
            if (!(error instanceof Fault) || !error.code.startsWith('ledger/')) throw error;
          });
          for (const { event } of linesOrNone(clone)) if (event.actor === clone.name) sent.add(event.eventId);
        }
        for (const clone of [...clones, ...clones]) exchange(clone);
        const states = [];
        for (const clone of clones) {
          await clone.ledger.list({ limit: -1 });
          expect(clone.warnings).toEqual([]);
          const state = await stateOf(clone);
          expect([...sent].filter((id) => !state.ids.has(id))).toEqual([]);
          states.push({ entries: state.entries, pairs: state.pairs });
          await keepsWhatIsItsOwn(clone);
        }
        expect(states[1]).toEqual(states[0]);
        expect(states[2]).toEqual(states[0]);
      } finally {
        await close();
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 40 }), run), {
      numRuns: scaled(4, 100),
    });
  },
  scaled(120_000, 3_000_000),
);

function linesOrNone(clone: Clone): FoldedEvent[] {
  try {
    return [...linesOf(clone).values()];
  } catch {
    return [];
  }
}

/** No version of the operator was followed by one of somebody else, and no rule came from outside. */
async function keepsWhatIsItsOwn({ ledger, sharedLedger, name }: Clone): Promise<void> {
  const active = new Set<string>();
  for (const { id, mergeKey, status, isClaim } of await ledger.list({ limit: -1 })) {
    const versions = await ledger.versions(id);
    const firstOwn = versions.findIndex((version) => !version.isClaim);
    if (firstOwn !== -1) expect(versions.slice(firstOwn).filter((version) => version.isClaim)).toEqual([]);
    if (id.startsWith('procedural/')) expect(isClaim).toBeUndefined();
    if (status !== 'active' || mergeKey === undefined) continue;
    expect(active.has(mergeKey)).toBe(false);
    active.add(mergeKey);
  }
  const events = await ledger.events();
  const promotions = events.filter(({ type, actor }) => type === 'promotion' && actor !== name);
  expect(promotions).toEqual([]);
  for (const { event } of await sharedLedger.proposals()) expect(event.actor).not.toBe(name);
}

it('looks at the events of others when a file has changed or one is due, not at each use', async () => {
  let second = START;
  const directory = path.join(temporaryDirectory(), 'ada');
  let looked = 0;
  const ada = await openClone(
    directory,
    'ada',
    () => second,
    (sql) => {
      if (sql.includes('shared_event')) looked++;
    },
  );
  const [day, hour] = [86_400, 3_600];
  const at = START + day + hour;
  const change = { id: 'tea', version: 1, title: 'Tea', text: 'At four.', provenance: 'cmd:x' };
  const event = {
    ...({
      eventId: systemIds({ now: () => at * 1000 }).ulid(),
      at,
      type: 'add',
      actor: 'bob',
      run: 'r',
    } as const),
    data: {},
    changes: [{ ...change, status: 'active', ttl_policy: 'persistent', tags: [], labels: {} }],
  };
  const files = sharedFilesIn(path.join(directory, '.ken/knowledge/shared'));
  files.append(monthOf(event), [{ eventId: event.eventId, line: sharedLine(event, 'of-bob', undefined) }]);
  const ids = async () => (await ada.ledger.list({ limit: 9 })).map(({ id }) => id);
  expect(await ids()).toEqual([]);
  const before = looked;
  expect(before).toBeGreaterThan(0);
  for (const _ of [1, 2, 3]) expect(await ids()).toEqual([]);
  expect(looked).toBe(before);
  // The clock reaches what was set aside; no file has changed.
  second += hour;
  expect(await ids()).toEqual(['tea']);
  const after = looked;
  expect(after).toBeGreaterThan(before);
  expect(await ids()).toEqual(['tea']);
  expect(looked).toBe(after);
  await ada.database.close();
});
