/**
 * The log of everything the operator decided or permitted. It is only ever appended to; each entry has the hash of the
 * one before it, and a signature when it was made with the key of the lock. It holds names and digests, no contents.
 */

import type { Hasher } from '../../../base/hasher.ts';
import { canonicalJson, type JsonObject } from '../../../base/json.ts';

/** `set`, `unset`: a setting that permits more. `lock`, `reset`, `off`: the lock itself. `sign`: what was decided before the lock. */
export type LoggedAct =
  | 'approve'
  | 'deny'
  | 'trust'
  | 'revoke'
  | 'pin'
  | 'unpin'
  | SettingAct
  | LockAct
  | 'sign'
  | 'erase';
type SettingAct = 'set' | 'unset';
type LockAct = 'lock' | 'reset' | 'off';

export interface NewLogEntry {
  readonly at: number;
  readonly act: LoggedAct;
  /** Id of the approval, path of the workspace, name of the tool, or key of the setting; for a lock its public key. */
  readonly subject: string;
  /** SHA-256 of what was decided; null where there is nothing more than the subject. */
  readonly digest: string | null;
  readonly by: string;
  readonly through: string;
}

export interface LogEntry extends NewLogEntry, LogOrigin {
  /** Counts from 1. */
  readonly number: number;
  readonly hash: string;
  readonly signature: string | undefined;
}

/** The process that decided. Command lines are not recorded: they can hold secrets. */
export interface LogOrigin {
  readonly pid: number;
  readonly program: string;
  /** Names of the programs that led to it, nearest first. */
  readonly parents: readonly string[];
  readonly terminal: string | null;
}

export interface DecisionLog {
  append(entry: NewLogEntry): Promise<void>;
  /** Newest first. */
  list(limit?: number): Promise<readonly LogEntry[]>;
  /** The number of the newest entry there ever was, also if it was removed since; 0 before the first. */
  lastNumber(): Promise<number>;
}

/** Hash of an entry, which covers the hash of the one before; empty before the first. */
export function entryHash(hasher: Hasher, before: string, content: JsonObject): string {
  return hasher.sha256(canonicalJson(['ken-decision-1', before, content]));
}

export function entryContent(entry: NewLogEntry & LogOrigin): JsonObject {
  const { at, act, subject, digest, by, through, pid, program, parents, terminal } = entry;
  return { at, act, subject, digest, by, through, pid, program, parents, terminal };
}

export interface LogBreak {
  /** Number of the first entry that is not as it was written. */
  readonly number: number;
  readonly why: string;
}

/** Acts that take rights away need no key, also while the lock is on. */
const NARROWING: readonly LoggedAct[] = ['deny', 'revoke', 'unpin'];

export interface WholeLog {
  readonly newestFirst: readonly LogEntry[];
  readonly lastNumber: number;
}

/** The first break in the log, oldest first; `verifies` checks the signature of a hash by a public key. */
export async function findLogBreak(
  hasher: Hasher,
  { newestFirst, lastNumber }: WholeLog,
  verifies: (publicKey: string, hash: string, signature: string) => Promise<boolean>,
): Promise<LogBreak | undefined> {
  let before = '';
  let expected = 1;
  let lockedBy: string | undefined;
  for (const entry of newestFirst.toReversed()) {
    const { number, hash, act, signature } = entry;
    if (number !== expected) return { number: expected, why: 'it is missing' };
    if (entryHash(hasher, before, entryContent(entry)) !== hash)
      return { number, why: 'it, or the one before it, was changed' };
    if (act === 'lock' || act === 'reset') lockedBy = entry.subject;
    const isSigned =
      lockedBy === undefined || (signature !== undefined && (await verifies(lockedBy, hash, signature)));
    if (!isSigned && !NARROWING.includes(act))
      return { number, why: 'it is not signed, though approvals were locked' };
    if (act === 'off') lockedBy = undefined;
    before = hash;
    expected += 1;
  }
  return expected <= lastNumber ? { number: expected, why: 'it is missing' } : undefined;
}

/** Public key of the lock that the log knows; undefined: it knows of none, or of its removal. */
export function loggedLock(newestFirst: readonly LogEntry[]): string | undefined {
  const last = newestFirst.find(({ act }) => act === 'lock' || act === 'reset' || act === 'off');
  return last && last.act !== 'off' ? last.subject : undefined;
}
