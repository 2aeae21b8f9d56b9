import { expect, it } from 'vitest';
import { openApprovalsDatabase } from '../../../adapters/sqlite/approvals/approvals-database.ts';
import { sqliteDecisionLog, sqliteJournal } from '../../../adapters/sqlite/approvals/decision-log.ts';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import { findLogBreak, type LogEntry, type LoggedAct, loggedLock } from './decision-log.ts';

const origin = { pid: 7, program: 'ken', parents: ['bash'], terminal: '/dev/pts/1' };
/** A signature is the key and the hash. */
const verifies = async (key: string, hash: string, signature: string) => signature === `${key} ${hash}`;

/** Each act with the key that is open then; the subject of a lock is its key. */
async function logOf(...acts: readonly (readonly [LoggedAct, string?])[]): Promise<LogEntry[]> {
  const database = await openApprovalsDatabase(':memory:');
  let key: string | undefined;
  const seal = (hash: string) => key && `${key} ${hash}`;
  const log = sqliteDecisionLog(
    database,
    sqliteJournal(database, { hasher: systemHasher, origin: () => origin, seal }),
  );
  for (const [at, [act, open]] of acts.entries()) {
    key = open;
    await log.append({ at, act, subject: open ?? 'x', digest: null, by: 'ada', through: 'terminal' });
  }
  return [...(await log.list())];
}

const breakIn = (newestFirst: readonly LogEntry[], lastNumber = newestFirst.length) =>
  findLogBreak(systemHasher, { newestFirst, lastNumber }, verifies);

it('holds who, when and through which process, newest first', async () => {
  const [newest, first] = await logOf(['approve'], ['deny']);
  expect(first).toMatchObject({ number: 1, act: 'approve', by: 'ada', through: 'terminal', ...origin });
  expect(newest).toMatchObject({ number: 2, act: 'deny', signature: undefined });
});

it('is whole with and without a lock, across a reset and after its removal', async () => {
  expect(await breakIn([])).toBeUndefined();
  const log = await logOf(
    ['approve'],
    ['lock', 'a'],
    ['approve', 'a'],
    ['deny'],
    ['reset', 'b'],
    ['set', 'b'],
    ['off', 'b'],
    ['approve'],
  );
  expect(await breakIn(log)).toBeUndefined();
  expect(loggedLock(log)).toBeUndefined();
  expect(loggedLock(log.slice(1))).toBeUndefined();
  expect(loggedLock(log.slice(2))).toBe('b');
});

it('names the newest entries when they are gone', async () => {
  const log = await logOf(['approve'], ['set'], ['trust']);
  expect(await breakIn(log.slice(1), 3)).toEqual({ number: 3, why: 'it is missing' });
  expect(await breakIn([], 3)).toEqual({ number: 1, why: 'it is missing' });
});

it('names an entry that was changed, left out, or put in without the key', async () => {
  const log = await logOf(['lock', 'a'], ['approve', 'a'], ['set', 'a'], ['trust', 'a']);
  expect(await breakIn(log.map((each) => (each.number === 3 ? { ...each, by: 'eve' } : each)))).toEqual({
    number: 3,
    why: 'it, or the one before it, was changed',
  });
  expect(await breakIn(log.filter(({ number }) => number !== 2))).toEqual({
    number: 2,
    why: 'it is missing',
  });
  expect(await breakIn(await logOf(['lock', 'a'], ['approve']))).toEqual({
    number: 2,
    why: 'it is not signed, though approvals were locked',
  });
  expect(await breakIn(await logOf(['lock', 'a'], ['trust', 'b']))).toMatchObject({ number: 2 });
  expect(await breakIn(await logOf(['lock', 'a'], ['off']))).toMatchObject({ number: 2 });
});
