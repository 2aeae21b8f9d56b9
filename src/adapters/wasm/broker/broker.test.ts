import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { decode } from '../wire/codec.ts';
import {
  type Answered,
  type Asked,
  answerOf,
  type FileOperation,
  type OperationName,
} from '../wire/operations.ts';
import { Broker, BrokerViolation } from './broker.ts';

function granted(access: 'read' | 'write') {
  const hostPath = temporaryDirectory();
  mkdirSync(path.join(hostPath, 'sub'));
  writeFileSync(path.join(hostPath, 'file'), 'content');
  const broker = new Broker([{ guestPath: '/w', hostPath, access }]);
  onTestFinished(() => broker.close());
  const ask = <Name extends OperationName>(tag: Name, val: Asked<Name>) =>
    decode(answerOf(tag), broker.perform({ tag, val } as FileOperation));
  return { broker, ask, root: broker.granted[0]?.handle ?? 0, hostPath };
}

const HOW = { create: false, directory: false, exclusive: false, truncate: false };
const READ = { read: true, write: false, mutateDirectory: false };
const opening = (handle: number, name: string, wanted = READ) => ({
  handle,
  path: name,
  follow: false,
  how: HOW,
  wanted,
});

it('opens a directory to change it only where that is granted', () => {
  const wanted = { ...READ, mutateDirectory: true };
  const reading = granted('read');
  expect(reading.ask('open', opening(reading.root, 'sub', wanted))).toEqual({
    tag: 'error',
    val: 'read-only',
  });
  const writing = granted('write');
  expect(writing.ask('open', opening(writing.root, 'sub', wanted))).toMatchObject({
    val: { type: 'directory', flags: { mutateDirectory: true } },
  });
});

it('sends a small file with its size when it is opened to be read, and counts that as read', () => {
  const { broker, ask, root } = granted('read');
  const { val } = ask('open', opening(root, 'file'));
  const { ahead } = val as Answered<'open'>;
  expect([ahead?.stat.size, Buffer.from(ahead?.content ?? []).toString()]).toEqual([7n, 'content']);
  expect(broker.usage.files().filesRead).toEqual([{ path: '/w/file', bytes: 7 }]);
});

it('sends nothing ahead of a large file, or of one that is written', () => {
  const { ask, root, hostPath } = granted('write');
  writeFileSync(path.join(hostPath, 'large'), 'x'.repeat(70_000));
  for (const [name, wanted] of [
    ['large', READ],
    ['file', { ...READ, write: true }],
  ] as const) {
    expect(ask('open', opening(root, name, wanted))).toMatchObject({ tag: 'ok', val: { ahead: undefined } });
  }
});

it('lists a directory a thousand entries at a time', () => {
  const { broker, ask, root, hostPath } = granted('read');
  for (let at = 0; at < 1500; at++) writeFileSync(path.join(hostPath, 'sub', `${at}`), '');
  const { handle } = ask('open', opening(root, 'sub')).val as Answered<'open'>;
  const first = ask('readDirectory', { handle }).val as Answered<'readDirectory'>;
  const rest = ask('readMoreEntries', { handle: first.listing }).val as Answered<'readMoreEntries'>;
  expect([first.entries.length, first.isEnd, rest.entries.length, rest.isEnd]).toEqual([
    1000,
    false,
    500,
    true,
  ]);
  expect(new Set([...first.entries, ...rest.entries].map(({ name }) => name)).size).toBe(1500);
  // A listing is not a descriptor, nor the other way round.
  expect(() => ask('stat', { handle: first.listing })).toThrow(BrokerViolation);
  expect(() => ask('readMoreEntries', { handle })).toThrow(BrokerViolation);
  broker.drop(first.listing);
  expect(() => broker.drop(first.listing)).toThrow(BrokerViolation);
});

it('goes on while the disk takes what was written', async () => {
  const { broker, root, ask } = granted('write');
  const { handle } = ask('open', opening(root, 'file', { ...READ, write: true })).val as Answered<'open'>;
  for (const [asked, dataOnly] of [
    [handle, true],
    [handle, false],
    [root, false],
  ] as const) {
    const answer = broker.perform({ tag: 'sync', val: { handle: asked, dataOnly } });
    expect(answer).toBeInstanceOf(Promise);
    expect(decode(answerOf('sync'), await answer)).toEqual({ tag: 'ok', val: undefined });
  }
});

it('keeps little of the listings that a guest leaves open', () => {
  const { broker, ask, root, hostPath } = granted('read');
  for (let at = 0; at < 3000; at++) writeFileSync(path.join(hostPath, 'sub', `${at}-${'x'.repeat(200)}`), '');
  const { handle } = ask('open', opening(root, 'sub')).val as Answered<'open'>;
  setFlagsFromString('--expose-gc');
  const heap = () => {
    runInNewContext('gc')();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  for (let at = 0; at < 200; at++) broker.perform({ tag: 'readDirectory', val: { handle } });
  expect(heap() - before).toBeLessThan(50 * 1024 ** 2);
});

it('takes no handle of a listing for one of a file, nor the other way round', () => {
  const { ask, root } = granted('read');
  const { listing } = ask('readDirectory', { handle: root }).val as Answered<'readDirectory'>;
  expect(() => ask('stat', { handle: listing })).toThrow(BrokerViolation);
  expect(() => ask('readMoreEntries', { handle: root })).toThrow(BrokerViolation);
});

const WRITE = { read: true, write: true, mutateDirectory: false };
const QUOTA = { tag: 'error', val: 'quota' };
const creating = (handle: number, name: string) => ({
  ...opening(handle, name, WRITE),
  how: { ...HOW, create: true },
});

it.each(['open', 'createDirectoryAt'] as const)('creates ten thousand names by %s, and no more', (tag) => {
  const { broker, ask, root, hostPath } = granted('write');
  const create = (name: string) =>
    tag === 'open' ? ask(tag, creating(root, name)) : ask(tag, { handle: root, path: name });
  for (let at = 0; at < 9999; at++) broker.usage.create();
  expect(create('last')).toMatchObject({ tag: 'ok' });
  expect(create('more')).toEqual(QUOTA);
  expect([existsSync(path.join(hostPath, 'last')), existsSync(path.join(hostPath, 'more'))]).toEqual([
    true,
    false,
  ]);
});

it('lets all files together grow by a gibibyte, holes included', () => {
  const { ask, root } = granted('write');
  const open = (name: string) => (ask('open', creating(root, name)).val as Answered<'open'>).handle;
  const [one, other] = [open('one'), open('other')];
  expect(ask('setSize', { handle: one, size: 2n ** 30n })).toMatchObject({ tag: 'ok' });
  expect(ask('setSize', { handle: other, size: 1n })).toEqual(QUOTA);
  expect(ask('write', { handle: other, offset: 0n, bytes: Buffer.from('x') })).toEqual(QUOTA);
});

it.each([
  ['a relative link', 'sub/link'],
  ['a directory with a link that leads out of it', 'sub/deep'],
])('moves %s to no other directory', (_, name) => {
  const { ask, root, hostPath } = granted('write');
  mkdirSync(path.join(hostPath, 'sub/deep'));
  symlinkSync('../file', path.join(hostPath, 'sub/link'));
  symlinkSync('../../file', path.join(hostPath, 'sub/deep/link'));
  const move = (newPath: string) => ask('renameAt', { handle: root, path: name, newHandle: root, newPath });
  expect(move('elsewhere')).toEqual({ tag: 'error', val: 'not-permitted' });
  expect(move('sub/renamed')).toMatchObject({ tag: 'ok' });
});
