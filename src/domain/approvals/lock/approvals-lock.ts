/**
 * The lock on approvals. While it is on, ken believes only decisions, trust, accepted tools and settings that the
 * operator's key has signed. The key is sealed by a passphrase and is open in the memory of one process at a time.
 */

import { Fault } from '../../../base/fault.ts';

export interface ApprovalsLock {
  state(): Promise<LockState>;
  /** Asks for the passphrase unless the key is open in this process; false: it was not given. */
  open(): Promise<boolean>;
  /** Undefined while the lock is off. A Fault while it is on and the key is not open in this process. */
  sign(statement: string): Promise<string | undefined>;
  /** Whether the statement is to be believed: true for every statement while the lock is off. */
  believes(statement: string, signature: string | undefined): Promise<boolean>;
  /**
   * Asks twice for a new passphrase, makes a key, seals it and opens it in this process; a reset replaces the key of a
   * lock that is on. Returns the public key; undefined: no passphrase was given.
   */
  lock(how: { readonly isReset: boolean }): Promise<string | undefined>;
  verifies(publicKey: string, statement: string, signature: string): Promise<boolean>;
  /** Puts the public key where only root can replace it. */
  lockSystem(): Promise<SystemLock>;
  /** Removes the lock; the key must be open. */
  remove(): Promise<void>;
  /** For one of several people or browsers that this process serves: each opens the lock for itself. */
  holder(): Promise<LockHolder>;
}

/** Holds a key of its own. What runs in it sees that key and no other, and never asks at the terminal. */
export interface LockHolder {
  /** False: that is not the passphrase. */
  unlock(passphrase: string): Promise<boolean>;
  /** Whether a decision could be signed: the lock is off, or open here. */
  isOpen(): Promise<boolean>;
  close(): void;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export type LockState =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'on';
      /** `system`: the public key is root's, below /etc. */
      readonly place: 'home' | 'system';
      readonly file: string;
      readonly publicKey: string;
      /** Milliseconds since the epoch. */
      readonly created: number;
      /** When the passphrase was replaced without the old one. */
      readonly reset: number | undefined;
    }
  /** There is a lock, but its file cannot be believed: nothing signed can be either. */
  | { readonly kind: 'broken'; readonly file: string; readonly why: string };

/** `needsRoot`: the command that root has to run. */
export type SystemLock =
  | { readonly isDone: true; readonly file: string }
  | { readonly isDone: false; readonly needsRoot: string };

export function isLocked(state: LockState): boolean {
  return state.kind !== 'off';
}

export function lockedFault(state: LockState): Fault {
  if (state.kind === 'broken')
    return new Fault('approvals/locked', `${state.file} ${state.why}, so nothing can be decided.`, {
      hint: 'Restore the file, or start anew with "ken approvals lock --reset".',
    });
  return new Fault('approvals/locked', 'Approvals are locked, and the passphrase was not given.', {
    hint: 'Run "ken approvals unlock" in a terminal of your own.',
  });
}
