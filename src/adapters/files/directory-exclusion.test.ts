import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Exclusion } from '../../base/concurrency.ts';
import { sqliteWriterLocks } from '../sqlite/seam/writer-locks.ts';
import { systemClock } from '../system/primitives.ts';
import { directoryExclusion } from './directory-exclusion.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'ken-exclusion-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
});

const among = (maxWaitMs: number): Exclusion =>
  directoryExclusion({
    directory: path.join(base, 'made/here'),
    locks: sqliteWriterLocks(systemClock),
    maxWaitMs,
    busy: 'Another one is at it.',
  });

it('lets one at a time do its work', async () => {
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise(setImmediate);
    seen.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all(['a', 'b', 'c'].map((name) => among(60_000).exclusively(work(name))));
  expect(results).toEqual(['a', 'b', 'c']);
  for (const [at, line] of seen.entries())
    if (at % 2 === 0) expect(seen[at + 1]).toBe(line.replace('begins', 'ends'));
});

it('is free again after work that failed', async () => {
  const failure = new Error('broken');
  await expect(among(0).exclusively(() => Promise.reject(failure))).rejects.toBe(failure);
  expect(await among(0).exclusively(async () => 'done')).toBe('done');
});

it('says who is busy when patience is over, and does nothing', async () => {
  let ran = false;
  await among(0).exclusively(async () => {
    const second = among(0).exclusively(async () => {
      ran = true;
    });
    await expect(second).rejects.toMatchObject({
      code: 'store/busy',
      message: 'Another one is at it.',
      hint: 'Try again when it is done.',
    });
  });
  expect(ran).toBe(false);
});

it.each([
  ['a file where its directory should be', () => writeFileSync(path.join(base, 'made'), '')],
  ['a directory that leads nowhere', () => symlinkSync('nowhere', path.join(base, 'made'))],
])('is a Fault with %s', async (_, prepare) => {
  prepare();
  await expect(among(0).exclusively(async () => 'done')).rejects.toMatchObject({ name: 'KenError' });
  expect(existsSync(path.join(base, 'made/here'))).toBe(false);
});
