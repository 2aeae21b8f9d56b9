import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { approvalsLock } from './approvals-lock.ts';
import { isSealedKey, makeKey, openSealedKey, verifies } from './sealed-key.ts';

const CHEAP = { n: 16, r: 1, p: 1 };
const FILE = '.config/ken/approvals-lock.json';

/** A lock in a home of its own; `typed` are the passphrases that the person will type. */
function lockIn(home: string, typed: (string | undefined)[] = []) {
  const prompts: string[] = [];
  const lock = approvalsLock({
    account: () => ({ home, uid: process.getuid?.() ?? 0 }),
    systemDirectory: path.join(home, 'etc'),
    clock: { now: () => Date.UTC(2030, 0, 1) },
    cost: CHEAP,
    async askPassphrase(prompt) {
      prompts.push(prompt);
      return typed.shift();
    },
    async writeFile(file, content, mode) {
      writeFileSync(file, content, { mode });
    },
  });
  return { lock, prompts };
}

describe('a sealed key', () => {
  it('opens with its passphrase alone', async () => {
    const { key, sealed } = await makeKey('open sesame', CHEAP);
    expect(isSealedKey(sealed)).toBe(true);
    expect(JSON.stringify(sealed)).not.toContain('sesame');
    const opened = await openSealedKey(sealed, 'open sesame');
    expect(opened?.publicKey).toBe(key.publicKey);
    expect(await openSealedKey(sealed, 'open sesamE')).toBeUndefined();
    expect(await openSealedKey({ ...sealed, public: 'other' }, 'open sesame')).toBeUndefined();
    const signature = opened?.sign('yes') ?? '';
    expect(verifies(key.publicKey, 'yes', signature)).toBe(true);
    expect(verifies(key.publicKey, 'no', signature)).toBe(false);
    expect(verifies('AAAA', 'yes', signature)).toBe(false);
  });

  it('of another cost than scrypt may take here is none', async () => {
    const { sealed } = await makeKey('open sesame', CHEAP);
    for (const changed of [{ n: 2 ** 21 }, { r: 0 }, { p: 1.5 }, { n: '16' }])
      expect(isSealedKey({ ...sealed, ...changed })).toBe(false);
  });
});

it('believes everything while it is off, and makes no file', async () => {
  const home = temporaryDirectory();
  const { lock, prompts } = lockIn(home);
  expect(await lock.state()).toEqual({ kind: 'off' });
  expect(await lock.open()).toBe(true);
  expect(await lock.sign('x')).toBeUndefined();
  expect(lock.seal('x')).toBeUndefined();
  expect(await lock.believes('x', undefined)).toBe(true);
  expect(prompts).toEqual([]);
});

it('asks twice for a long passphrase, and writes a file for the owner alone', async () => {
  const home = temporaryDirectory();
  const { lock, prompts } = lockIn(home, [
    'short',
    'open sesame',
    'open sesam',
    'open sesame',
    'open sesame',
  ]);
  const publicKey = await lock.lock({ isReset: false });
  expect(prompts).toEqual([
    'New passphrase, at least 8 characters: ',
    'That is too short. New passphrase, at least 8 characters: ',
    'Once more: ',
    'They differ. New passphrase: ',
    'Once more: ',
  ]);
  const file = path.join(home, FILE);
  expect(await lock.state()).toEqual({
    ...{ kind: 'on', place: 'home', file, publicKey, created: Date.UTC(2030, 0, 1), reset: undefined },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain('sesame');
  const signature = await lock.sign('yes');
  expect(await lock.believes('yes', signature)).toBe(true);
  expect(await lock.believes('no', signature)).toBe(false);
  expect(await lock.believes('yes', undefined)).toBe(false);
});

it('opens once for a process, and asks no more after it was refused', async () => {
  const home = temporaryDirectory();
  await lockIn(home, ['open sesame', 'open sesame']).lock.lock({ isReset: false });
  const other = lockIn(home, ['wrong one', 'open sesame']);
  await expect(other.lock.sign('x')).rejects.toMatchObject({ code: 'approvals/locked' });
  expect(await Promise.all([other.lock.open(), other.lock.open()])).toEqual([true, true]);
  expect(await other.lock.open()).toBe(true);
  expect(other.prompts).toEqual([
    'Approvals are locked. Passphrase: ',
    'That is not the passphrase. Passphrase: ',
  ]);
  expect(await other.lock.sign('x')).toEqual(other.lock.seal('x'));

  const refused = lockIn(home, ['wrong 1', 'wrong 2', 'wrong 3', 'open sesame']);
  expect([await refused.lock.open(), await refused.lock.open()]).toEqual([false, false]);
  expect(refused.prompts).toHaveLength(3);
  expect(refused.lock.seal('x')).toBeUndefined();
  expect(await lockIn(home, [undefined]).lock.open()).toBe(false);
});

it('after a reset believes nothing that the old key signed', async () => {
  const home = temporaryDirectory();
  const { lock } = lockIn(home, ['open sesame', 'open sesame', 'new sesame', 'new sesame']);
  await lock.lock({ isReset: false });
  const old = await lock.sign('yes');
  await lock.lock({ isReset: true });
  expect(await lock.believes('yes', old)).toBe(false);
  expect(await lock.state()).toMatchObject({ kind: 'on', reset: Date.UTC(2030, 0, 1) });
  expect(await lock.believes('yes', await lock.sign('yes'))).toBe(true);
});

it('is removed only with the key', async () => {
  const home = temporaryDirectory();
  await lockIn(home, ['open sesame', 'open sesame']).lock.lock({ isReset: false });
  const { lock } = lockIn(home, ['open sesame']);
  await expect(lock.remove()).rejects.toMatchObject({ code: 'approvals/locked' });
  await lock.open();
  await lock.remove();
  expect(await lock.state()).toEqual({ kind: 'off' });
});

it.each([
  ['no JSON', (file: string) => writeFileSync(file, '{'), 'is not a lock of this version of ken'],
  [
    'a later format',
    (file: string) => writeFileSync(file, '{"format":2,"public":"x"}'),
    'is not a lock of this version of ken',
  ],
  [
    'a file that others may write',
    (file: string) => chmodSync(file, 0o622),
    'can be written by other accounts',
  ],
])('believes nothing with %s in its place', async (_, damage, why) => {
  const home = temporaryDirectory();
  const { lock } = lockIn(home, ['open sesame', 'open sesame']);
  await lock.lock({ isReset: false });
  const signature = await lock.sign('yes');
  const file = path.join(home, FILE);
  damage(file);
  expect(await lock.state()).toEqual({ kind: 'broken', file, why });
  expect(await lock.believes('yes', signature)).toBe(false);
  expect(await lock.open()).toBe(false);
  await expect(lock.sign('yes')).rejects.toMatchObject({ code: 'approvals/locked' });
});

describe.skipIf(process.getuid?.() !== 0)('a key of root', () => {
  it('counts in place of the one in the home directory', async () => {
    const home = temporaryDirectory();
    const { lock } = lockIn(home, ['open sesame', 'open sesame', 'other sesame', 'other sesame']);
    await lock.lock({ isReset: false });
    const file = path.join(home, 'etc/approvals-lock-0.json');
    expect(await lock.lockSystem()).toEqual({ isDone: true, file });
    expect(await lock.state()).toMatchObject({ kind: 'on', place: 'system', file });
    const signature = await lock.sign('yes');
    expect(await lock.believes('yes', signature)).toBe(true);
    // Neither a reset nor another file in the home directory changes whom ken believes.
    await expect(lock.lock({ isReset: true })).rejects.toMatchObject({ message: `${file} belongs to root.` });
    rmSync(path.join(home, FILE));
    expect(await lock.state()).toMatchObject({ kind: 'on', place: 'system' });
    const fresh = lockIn(home, ['open sesame']);
    await expect(fresh.lock.open()).rejects.toMatchObject({ code: 'approvals/locked' });
    chmodSync(file, 0o666);
    expect(await lock.state()).toMatchObject({ kind: 'broken', why: 'can be written by other accounts' });
  });
});

it('has no place for an account without a home directory', async () => {
  const lock = approvalsLock({
    account: () => undefined,
    systemDirectory: path.join(temporaryDirectory(), 'etc'),
    clock: { now: () => 0 },
    askPassphrase: async () => 'open sesame',
    writeFile: async () => {},
  });
  expect(await lock.state()).toEqual({ kind: 'off' });
  await expect(lock.lock({ isReset: false })).rejects.toMatchObject({ code: 'approvals/locked' });
});

it('is opened by each holder for itself, which never asks at the terminal', async () => {
  const home = temporaryDirectory();
  const { lock, prompts } = lockIn(home, ['open sesame', 'open sesame']);
  await lock.lock({ isReset: false });
  const asked = prompts.length;
  const [mine, other] = [await lock.holder(), await lock.holder()];
  expect(await mine.unlock('open sesamE')).toBe(false);
  expect(await mine.unlock('open sesame')).toBe(true);
  expect([await mine.isOpen(), await other.isOpen()]).toEqual([true, false]);
  expect(await mine.run(() => lock.sign('yes'))).toBeTypeOf('string');
  // The key that the process itself has open is not theirs.
  await expect(other.run(() => lock.sign('yes'))).rejects.toThrow('Approvals are locked');
  expect(await other.run(() => lock.open())).toBe(false);
  expect(await lock.sign('yes')).toBeTypeOf('string');
  mine.close();
  await expect(mine.run(() => lock.sign('yes'))).rejects.toThrow('Approvals are locked');
  expect(prompts).toHaveLength(asked);
});
