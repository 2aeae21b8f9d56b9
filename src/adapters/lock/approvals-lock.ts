/**
 * The lock as two files: in the home directory that the system lists for the account, the public key and the sealed
 * private key; below /etc, where root wants it, the public key alone. No variable or setting names another place.
 */

import type { AsyncLocalStorage } from 'node:async_hooks';
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { isJsonObject, type Json, parseJson } from '../../base/json.ts';
import type { Clock } from '../../base/time.ts';
import { isoTime } from '../../base/time.ts';
import {
  type ApprovalsLock,
  isLocked,
  type LockHolder,
  type LockState,
  lockedFault,
  type SystemLock,
} from '../../domain/approvals/lock/approvals-lock.ts';
import { isAbsence, openFile } from '../paths/open-path.ts';
import type { OpenKey, SealedKey } from './sealed-key.ts';

export interface LockPorts {
  /** The account as the system lists it, whatever the environment says; undefined: it has no entry. */
  readonly account: () => LockAccount | undefined;
  readonly systemDirectory: string;
  readonly clock: Clock;
  /** Undefined: the person ended the input. */
  askPassphrase(prompt: string): Promise<string | undefined>;
  writeFile(file: string, content: string, mode: number): Promise<void>;
  /** Cost of scrypt for a new key; the usual one when absent. */
  readonly cost?: Pick<SealedKey, 'n' | 'r' | 'p'>;
}

export interface LockAccount {
  readonly home: string;
  readonly uid: number;
}

/** The lock as one process has it; `seal` signs at once, for what is written within a transaction. */
export interface ProcessLock extends ApprovalsLock {
  seal(statement: string): string | undefined;
}

/** Loads crypto only where there is a lock. */
const keys = () => import('./sealed-key.ts');

const TRIES = 3;

export function approvalsLock(ports: LockPorts): ProcessLock {
  let key: OpenKey | undefined;
  let opening: Promise<boolean> | undefined;
  let holders: AsyncLocalStorage<HeldKey> | undefined;
  const state = () => readState(ports);
  const openKey = (current: LockState) => {
    const holder = holders?.getStore();
    return fitting(holder ? holder.key : key, current);
  };

  async function ask(): Promise<boolean> {
    const current = state();
    if (current.kind !== 'on') return current.kind === 'off';
    key = await askedKey(ports, current);
    return key !== undefined;
  }

  return {
    state: async () => state(),
    async open() {
      const current = state();
      if (!isLocked(current) || openKey(current)) return true;
      if (holders?.getStore()) return false;
      // A passphrase that was refused once is not asked for again by this process.
      opening ??= ask();
      return opening;
    },
    async sign(statement) {
      const current = state();
      if (!isLocked(current)) return undefined;
      const opened = openKey(current);
      if (!opened) throw lockedFault(current);
      return opened.sign(statement);
    },
    seal(statement) {
      return openKey(state())?.sign(statement);
    },
    async believes(statement, signature) {
      const current = state();
      if (current.kind !== 'on') return current.kind === 'off';
      if (signature === undefined) return false;
      return (await keys()).verifies(current.publicKey, statement, signature);
    },
    verifies: async (publicKey, statement, signature) =>
      (await keys()).verifies(publicKey, statement, signature),
    async lock({ isReset }) {
      const current = state();
      if (current.kind === 'on' && current.place === 'system') throw rootOwned(current.file);
      const made = await makeLock(ports, isReset);
      if (!made) return undefined;
      key = made;
      return made.publicKey;
    },
    lockSystem: async () => lockSystem(ports, state()),
    async remove() {
      const current = state();
      if (!openKey(current)) throw lockedFault(current);
      if (current.kind === 'on' && current.place === 'system') throw rootOwned(current.file);
      rmSync(homeFile(ports), { force: true });
    },
    async holder() {
      const { AsyncLocalStorage: Storage } = await import('node:async_hooks');
      holders ??= new Storage();
      return lockHolder(ports, holders);
    },
  };
}

function lockHolder(ports: LockPorts, holders: AsyncLocalStorage<HeldKey>): LockHolder {
  const held: HeldKey = { key: undefined };
  return {
    async unlock(passphrase) {
      const current = readState(ports);
      if (current.kind !== 'on') throw lockedFault(current);
      held.key = await (await keys()).openSealedKey(await sealedKey(ports, current), passphrase);
      return held.key !== undefined;
    },
    async isOpen() {
      const current = readState(ports);
      return !isLocked(current) || fitting(held.key, current) !== undefined;
    },
    close() {
      held.key = undefined;
    },
    run: (work) => holders.run(held, work),
  };
}

/** The key, if it is the one that the lock names now. */
function fitting(key: OpenKey | undefined, current: LockState): OpenKey | undefined {
  return current.kind === 'on' && key?.publicKey === current.publicKey ? key : undefined;
}

interface HeldKey {
  key: OpenKey | undefined;
}

/** Undefined: the passphrase was not given. */
async function askedKey(
  ports: LockPorts,
  current: Extract<LockState, { kind: 'on' }>,
): Promise<OpenKey | undefined> {
  const sealed = await sealedKey(ports, current);
  for (let tries = 0; tries < TRIES; tries++) {
    const passphrase = await ports.askPassphrase(
      tries === 0 ? 'Approvals are locked. Passphrase: ' : 'That is not the passphrase. Passphrase: ',
    );
    if (!passphrase) return undefined;
    const key = await (await keys()).openSealedKey(sealed, passphrase);
    if (key) return key;
  }
  return undefined;
}

/** Undefined: no passphrase was given. */
async function makeLock(ports: LockPorts, isReset: boolean): Promise<OpenKey | undefined> {
  const passphrase = await newPassphrase(ports);
  if (passphrase === undefined) return undefined;
  const { key, sealed } = await (await keys()).makeKey(passphrase, ports.cost);
  const now = isoTime(ports.clock.now());
  const reset = isReset && { reset: now };
  const content = { format: FORMAT, public: key.publicKey, created: now, ...reset, sealed };
  const file = homeFile(ports);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  await ports.writeFile(file, `${JSON.stringify(content, null, 2)}\n`, 0o600);
  return key;
}

const SHORTEST = 8;

/** Undefined: the person ended the input. */
async function newPassphrase({ askPassphrase }: LockPorts): Promise<string | undefined> {
  let prompt = `New passphrase, at least ${SHORTEST} characters: `;
  for (;;) {
    const first = await askPassphrase(prompt);
    if (!first) return undefined;
    if (first.length < SHORTEST) {
      prompt = `That is too short. New passphrase, at least ${SHORTEST} characters: `;
      continue;
    }
    const second = await askPassphrase('Once more: ');
    if (second === undefined) return undefined;
    if (first === second) return first;
    prompt = 'They differ. New passphrase: ';
  }
}

function rootOwned(file: string): Fault {
  return new Fault('approvals/locked', `${file} belongs to root.`, {
    hint: `Let root remove it first: "sudo rm ${file}".`,
  });
}

const FORMAT = 1;
const MAX_BYTES = 65_536;

function homeFile({ account }: LockPorts): string {
  const found = account();
  if (found) return path.join(found.home, '.config/ken/approvals-lock.json');
  throw new Fault('approvals/locked', 'The system lists no home directory for this account.', {
    hint: 'Approvals can be locked only for an account that has one.',
  });
}

function systemFile({ account, systemDirectory }: LockPorts): string {
  return path.join(systemDirectory, `approvals-lock-${account()?.uid ?? process.getuid?.() ?? 0}.json`);
}

function readState(ports: LockPorts): LockState {
  const home = ports.account() ? readLock(homeFile(ports), 'home') : undefined;
  const system = readLock(systemFile(ports), 'system');
  const found = system ?? home;
  if (!found) return { kind: 'off' };
  if (found.kind === 'broken') return found;
  const reset = home?.kind === 'lock' && home.publicKey === found.publicKey ? home.reset : undefined;
  const { file, publicKey, created } = found;
  return { kind: 'on', place: system ? 'system' : 'home', file, publicKey, created, reset };
}

type ReadLock =
  | {
      readonly kind: 'lock';
      readonly file: string;
      readonly publicKey: string;
      readonly created: number;
      readonly reset: number | undefined;
      readonly sealed: Json | undefined;
    }
  | { readonly kind: 'broken'; readonly file: string; readonly why: string };

function readLock(file: string, place: 'home' | 'system'): ReadLock | undefined {
  const broken = (why: string): ReadLock => ({ kind: 'broken', file, why });
  let text: string;
  try {
    const descriptor = openFile(file);
    try {
      const stats = fstatSync(descriptor);
      const doubt = doubtAbout(file, stats, place);
      if (doubt !== undefined) return broken(doubt);
      text = readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isAbsence(error)) return undefined;
    return broken('cannot be read');
  }
  const json = parseJson(text);
  if (!isJsonObject(json) || json.format !== FORMAT || typeof json.public !== 'string')
    return broken('is not a lock of this version of ken');
  return {
    kind: 'lock',
    file,
    publicKey: json.public,
    created: Date.parse(String(json.created)) || 0,
    reset: json.reset === undefined ? undefined : Date.parse(String(json.reset)) || 0,
    sealed: json.sealed,
  };
}

const FOR_OTHERS_TO_WRITE = 0o022;

/** Why the file may hold the key of somebody else. */
function doubtAbout(file: string, stats: Stats, place: 'home' | 'system'): string | undefined {
  if (lstatSync(file).isSymbolicLink()) return 'is a link';
  if (stats.size > MAX_BYTES) return 'is not a lock of this version of ken';
  const owners = place === 'system' ? [0] : [0, process.getuid?.()];
  for (const { uid, mode } of [stats, statSync(path.dirname(file))]) {
    if (!owners.includes(uid))
      return place === 'system' ? 'does not belong to root' : 'belongs to another account';
    if (place === 'system' && (mode & FOR_OTHERS_TO_WRITE) !== 0) return 'can be written by other accounts';
  }
  return (stats.mode & FOR_OTHERS_TO_WRITE) === 0 ? undefined : 'can be written by other accounts';
}

async function sealedKey(
  ports: LockPorts,
  { publicKey, file }: Extract<LockState, { kind: 'on' }>,
): Promise<SealedKey> {
  const { isSealedKey } = await keys();
  const home = ports.account() && readLock(homeFile(ports), 'home');
  if (home?.kind === 'lock' && home.publicKey === publicKey && isSealedKey(home.sealed)) return home.sealed;
  throw new Fault('approvals/locked', `The key that ${file} names is not in your home directory.`, {
    hint: `Restore ${homeFile(ports)}, or remove the lock as root and run "ken approvals lock --reset".`,
  });
}

async function lockSystem(ports: LockPorts, state: LockState): Promise<SystemLock> {
  if (state.kind !== 'on') throw lockedFault(state);
  const file = systemFile(ports);
  const content = `${JSON.stringify({ format: FORMAT, public: state.publicKey, created: isoTime(state.created) })}\n`;
  if (process.getuid?.() === 0) {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 });
    await ports.writeFile(file, content, 0o644);
    return { isDone: true, file };
  }
  const prepared = path.join(path.dirname(homeFile(ports)), 'approvals-lock.public.json');
  await ports.writeFile(prepared, content, 0o644);
  return { isDone: false, needsRoot: `sudo install -D -o root -g root -m 644 ${prepared} ${file}` };
}
