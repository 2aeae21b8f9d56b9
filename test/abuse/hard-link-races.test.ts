/** Another process links a file from outside into the workspace, and replaces it again, while the broker opens it. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { Broker } from '../../src/adapters/wasm/broker/broker.ts';
import { decode } from '../../src/adapters/wasm/wire/codec.ts';
import { type Answered, answerOf } from '../../src/adapters/wasm/wire/operations.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const COUNT = scaled(5000, 200_000);
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
])(`is never %s through ${COUNT} opens`, { timeout: 100_000 + COUNT * 10 }, (_, flags) => {
  const { broker, outside } = contested();
  const [{ handle } = { handle: 0 }] = broker.granted;
  const how = { directory: false, exclusive: false, ...flags };
  const wanted = { read: true, write: true, mutateDirectory: false };
  let opened = 0;
  for (let at = 0; at < COUNT; at++) {
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
