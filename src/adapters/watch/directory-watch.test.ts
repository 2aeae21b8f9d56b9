import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { watchDirectories } from './directory-watch.ts';

function watching(most?: number) {
  const root = temporaryDirectory();
  let count = 0;
  const watched = watchDirectories(() => count++, most);
  onTestFinished(() => watched.close());
  return {
    watched,
    at: (...names: readonly string[]) => path.join(root, ...names),
    /** Whether `work` is noticed. */
    async notices(work: () => void): Promise<boolean> {
      // What was done before may still be on its way.
      await settled(() => count);
      const before = count;
      work();
      await settled(() => count);
      return count > before;
    },
  };
}

/** Until a file that is written for it has been noticed by a watcher of its own, and so has all before it. */
async function settled(count: () => number): Promise<void> {
  const marks = temporaryDirectory();
  let isSeen = false;
  const own = watchDirectories(() => {
    isSeen = true;
  });
  own.set([marks]);
  writeFileSync(path.join(marks, 'mark'), '');
  await expect.poll(() => isSeen).toBe(true);
  own.close();
  count();
}

it('notices files that are made, changed, renamed and deleted, but not what is below', async () => {
  const { watched, at, notices } = watching();
  mkdirSync(at('below'));
  expect(watched.set([at()])).toEqual({ added: 1, unwatched: 0 });
  expect(await notices(() => writeFileSync(at('a'), 'a'))).toBe(true);
  expect(await notices(() => writeFileSync(at('a'), 'b'))).toBe(true);
  expect(await notices(() => renameSync(at('a'), at('b')))).toBe(true);
  expect(await notices(() => rmSync(at('b')))).toBe(true);
  expect(await notices(() => writeFileSync(at('below/c'), 'c'))).toBe(false);
});

it('watches a directory that takes the place of another one', async () => {
  const { watched, at, notices } = watching();
  const wanted = [at(), at('d'), at('d/e')];
  mkdirSync(at('d/e'), { recursive: true });
  watched.set(wanted);
  expect(
    await notices(() => {
      rmSync(at('d'), { recursive: true });
      mkdirSync(at('d/e'), { recursive: true });
    }),
  ).toBe(true);
  expect(watched.set(wanted)).toEqual({ added: 2, unwatched: 0 });
  expect(await notices(() => writeFileSync(at('d/e/f'), ''))).toBe(true);
});

it('notices when a directory is made that was missing, and nothing else beside it', async () => {
  const { watched, at, notices } = watching();
  watched.set([at('a/b'), at('c')]);
  expect(await notices(() => writeFileSync(at('other'), ''))).toBe(false);
  expect(await notices(() => mkdirSync(at('a')))).toBe(true);
  watched.set([at('a/b'), at('c')]);
  expect(await notices(() => mkdirSync(at('a/b')))).toBe(true);
  expect(await notices(() => mkdirSync(at('c')))).toBe(true);
});

it('forgets what is no longer wanted, and says how many are too many', async () => {
  const { watched, at, notices } = watching(2);
  for (const name of ['a', 'b', 'c']) mkdirSync(at(name));
  expect(watched.set([at('a'), at('b'), at('c')])).toEqual({ added: 2, unwatched: 1 });
  expect(watched.set([at('c')])).toEqual({ added: 1, unwatched: 0 });
  expect(await notices(() => writeFileSync(at('a/x'), ''))).toBe(false);
  expect(await notices(() => writeFileSync(at('c/x'), ''))).toBe(true);
  watched.close();
  expect(await notices(() => writeFileSync(at('c/y'), ''))).toBe(false);
});

it('opens no pipe, and lives with links to nowhere and directories that vanish', async () => {
  const { watched, at, notices } = watching();
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('loop', at('loop'));
  mkdirSync(at('gone'));
  watched.set([at('pipe'), at('loop'), at('gone')]);
  expect(await notices(() => rmSync(at('gone'), { recursive: true }))).toBe(true);
  expect(watched.set([at('pipe'), at('loop'), at('gone')])).toMatchObject({ unwatched: 0 });
});
