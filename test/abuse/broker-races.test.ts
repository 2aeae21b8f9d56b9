/**
 * Somebody changes the workspace while the broker opens files in it: a hundred thousand opens, while a file from outside
 * is linked in and replaced again, and while a directory is swapped for a link that leads out.
 */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import type { Anchoring } from '../../src/adapters/paths/anchor.ts';
import { Broker } from '../../src/adapters/wasm/broker/broker.ts';
import { decode } from '../../src/adapters/wasm/wire/codec.ts';
import { type Answered, answerOf } from '../../src/adapters/wasm/wire/operations.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { swapWithLink } from '../wasm/swap-with-link.ts';

const LINKED = scaled(17_000, 200_000);
const SWAPPED = scaled(25_000, 200_000);
const HOW = { create: false, directory: false, exclusive: false, truncate: false };
const SWAP = `
const { linkSync, renameSync, writeFileSync } = require('node:fs');
const { workerData: base } = require('node:worker_threads');
for (;;) {
  linkSync(base + '/outside', base + '/workspace/linked');
  renameSync(base + '/workspace/linked', base + '/workspace/file');
  writeFileSync(base + '/workspace/fresh', 'inside');
  renameSync(base + '/workspace/fresh', base + '/workspace/file');
}`;

function contested() {
  const base = temporaryDirectory();
  mkdirSync(path.join(base, 'workspace'));
  writeFileSync(path.join(base, 'outside'), 'SECRET');
  writeFileSync(path.join(base, 'workspace/file'), 'inside');
  const swapping = new Worker(SWAP, { eval: true, workerData: base });
  onTestFinished(async () => void (await swapping.terminate()));
  const hostPath = path.join(base, 'workspace');
  const broker = new Broker([{ guestPath: '/w', hostPath, access: 'write' }]);
  onTestFinished(() => broker.close());
  return { broker, outside: () => readFileSync(path.join(base, 'outside'), 'utf8') };
}

it.each([
  ['written', { truncate: false, create: false }],
  ['truncated', { truncate: true, create: false }],
  ['created', { truncate: true, create: true }],
])(`is never %s through ${LINKED} opens`, { timeout: 100_000 + LINKED * 10 }, (_, flags) => {
  const { broker, outside } = contested();
  const [{ handle } = { handle: 0 }] = broker.granted;
  const how = { ...HOW, ...flags };
  const wanted = { read: true, write: true, mutateDirectory: false };
  let opened = 0;
  for (let at = 0; at < LINKED; at++) {
    const asked = { handle, path: 'file', follow: true, how, wanted };
    const answer = decode(answerOf('open'), broker.perform({ tag: 'open', val: asked }));
    if (answer.tag === 'error') continue;
    opened += 1;
    const { handle: file } = answer.val as Answered<'open'>;
    broker.perform({ tag: 'write', val: { handle: file, offset: 0n, bytes: Buffer.from('CHANGED') } });
    broker.drop(file);
  }
  expect(opened).toBeGreaterThan(0);
  expect(outside()).toBe('SECRET');
});

it.each<Anchoring>(['descriptor', 'path'])(
  `never reads through a link by %s in ${SWAPPED} opens`,
  { timeout: 100_000 + SWAPPED * 10 },
  (anchoring) => {
    const base = temporaryDirectory();
    const workspace = path.join(base, 'workspace');
    for (const directory of ['workspace/place', 'outside'])
      mkdirSync(path.join(base, directory), { recursive: true });
    writeFileSync(path.join(workspace, 'place/file'), 'inside');
    writeFileSync(path.join(base, 'outside/file'), 'SECRET');
    symlinkSync('../outside', path.join(workspace, 'link'));
    swapWithLink(workspace);
    const broker = new Broker([{ guestPath: '/w', hostPath: workspace, access: 'read' }], { anchoring });
    onTestFinished(() => broker.close());
    const [{ handle } = { handle: 0 }] = broker.granted;
    const wanted = { read: true, write: false, mutateDirectory: false };
    const read = new Set<string>();
    for (let at = 0; at < SWAPPED; at++) {
      const asked = { handle, path: 'place/file', follow: true, how: HOW, wanted };
      const answer = decode(answerOf('open'), broker.perform({ tag: 'open', val: asked }));
      if (answer.tag === 'error') continue;
      const { handle: file, ahead } = answer.val as Answered<'open'>;
      read.add(Buffer.from(ahead?.content ?? []).toString());
      broker.drop(file);
    }
    expect([...read]).toEqual(['inside']);
  },
);
