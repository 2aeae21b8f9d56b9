import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { topicFilesOnDisk } from './subject-files.ts';

const SETTLED_MS = 2_500;
const LATER_MS = 60_000;
const LONG_AGO = 1_000_000_000;

function topicOf(files: Readonly<Record<string, string>>) {
  const root = path.join(temporaryDirectory(), 'workspace');
  const place = (name: string) => path.join(root, 'kb', name);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(place(name)), { recursive: true });
    writeFileSync(place(name), text);
  }
  const listing = (now: () => number, followSymlinks = false) => {
    const topicFiles = topicFilesOnDisk(root, now);
    return async () => (await topicFiles.open({ directory: 'kb', followSymlinks })).list();
  };
  return { root, place, listing, longAfter: () => listing(() => Date.now() + LATER_MS) };
}

/** Until a change would leave another time behind than the last one did: file systems count in steps. */
function untilTheClockMoves(root: string): void {
  const probe = path.join(path.dirname(root), 'probe');
  const time = () => {
    writeFileSync(probe, '');
    return statSync(probe, { bigint: true }).ctimeNs;
  };
  const first = time();
  while (time() === first);
}

it('gives the same listing again while nothing has changed', async () => {
  const { longAfter } = topicOf({ 'a.md': 'a', 'deep/er/b.md': 'b' });
  const list = longAfter();
  await list();
  const kept = await list();
  expect(kept.files).toEqual(['a.md', 'deep/er/b.md']);
  expect(await list()).toBe(kept);
});

it('keeps nothing of a directory that has changed just now: the next change could leave the same time', async () => {
  const { place, listing } = topicOf({ 'a.md': 'a' });
  const changed = Number(lstatSync(place(''), { bigint: true }).ctimeMs);
  const soon = listing(() => changed + SETTLED_MS);
  await soon();
  expect(await soon()).not.toBe(await soon());
  const later = listing(() => changed + SETTLED_MS + 1);
  await later();
  expect(await later()).toBe(await later());
});

it('keeps nothing where links lead: what is behind them changes without a trace', async () => {
  const { root, place, listing } = topicOf({ 'a.md': 'a' });
  mkdirSync(path.join(root, 'other'));
  writeFileSync(path.join(root, 'other/b.md'), 'b');
  symlinkSync('../other/b.md', place('link.md'));
  const list = listing(() => Date.now() + LATER_MS, true);
  await list();
  expect((await list()).files).toEqual(['a.md', 'link.md']);
  rmSync(path.join(root, 'other/b.md'));
  expect(await list()).toEqual({
    files: ['a.md'],
    skipped: [{ path: 'link.md', reason: 'link-broken' }],
  });
});

it('tells a topic that is a link from the one that it led to before', async () => {
  const { root, place } = topicOf({ 'a.md': 'a' });
  mkdirSync(path.join(root, 'two'));
  writeFileSync(path.join(root, 'two/b.md'), 'b');
  symlinkSync('/', place('out'));
  const topicFiles = topicFilesOnDisk(root, () => Date.now() + LATER_MS);
  const list = async (directory: string, followSymlinks = false) =>
    (await topicFiles.open({ directory, followSymlinks })).list();
  symlinkSync('two', path.join(root, 'link'));
  await list('link');
  expect((await list('link')).files).toEqual(['b.md']);
  rmSync(path.join(root, 'link'));
  symlinkSync('kb', path.join(root, 'link'));
  expect((await list('link')).skipped).toEqual([{ path: 'out', reason: 'link-outside' }]);
});

describe('sees at once', () => {
  type Topic = ReturnType<typeof topicOf>;
  it.each<[string, (topic: Topic) => void, readonly string[]]>([
    ['a new subject', ({ place }) => writeFileSync(place('new.md'), ''), ['a.md', 'deep/b.md', 'new.md']],
    [
      'a new subject in a directory that was given back its old time',
      ({ place }) => {
        writeFileSync(place('new.md'), '');
        utimesSync(place(''), LONG_AGO, LONG_AGO);
      },
      ['a.md', 'deep/b.md', 'new.md'],
    ],
    ['a deleted one', ({ place }) => rmSync(place('a.md')), ['deep/b.md']],
    [
      'a renamed one',
      ({ place }) => renameSync(place('deep/b.md'), place('deep/c.md')),
      ['a.md', 'deep/c.md'],
    ],
    [
      'a directory that was moved away',
      ({ place, root }) => renameSync(place('deep'), `${root}/d`),
      ['a.md'],
    ],
    [
      'a directory that took the place of another',
      ({ place, root }) => {
        mkdirSync(`${root}/other`);
        writeFileSync(`${root}/other/x.md`, '');
        renameSync(place('deep'), `${root}/old`);
        renameSync(`${root}/other`, place('deep'));
      },
      ['a.md', 'deep/x.md'],
    ],
    [
      'a topic that took the place of another',
      ({ place, root }) => {
        renameSync(place(''), `${root}/old`);
        mkdirSync(place(''));
        writeFileSync(place('x.md'), '');
      },
      ['x.md'],
    ],
    [
      'a link that took the place of a directory, and does not follow it out',
      ({ place, root }) => {
        renameSync(place('deep'), `${root}/../deep`);
        symlinkSync('../../deep', place('deep'));
      },
      ['a.md'],
    ],
    [
      'a link that took the place of a subject, and does not follow it out',
      ({ place, root }) => {
        writeFileSync(`${root}/../secret`, '');
        rmSync(place('a.md'));
        symlinkSync('../../secret', place('a.md'));
      },
      ['deep/b.md'],
    ],
    [
      'a link that took the place of the topic, and does not follow it out',
      ({ place, root }) => {
        renameSync(place(''), `${root}/../kb`);
        symlinkSync('../kb', path.join(root, 'kb'));
      },
      [],
    ],
    [
      'a link above the topic that leads to where it was moved',
      ({ root }) => {
        renameSync(path.join(root, 'kb'), `${root}/../kb`);
        symlinkSync('..', path.join(root, 'inner'));
        symlinkSync('inner/kb', path.join(root, 'kb'));
      },
      [],
    ],
  ])('%s', async (_, change, files) => {
    const topic = topicOf({ 'a.md': 'a', 'deep/b.md': 'b' });
    utimesSync(topic.place(''), LONG_AGO, LONG_AGO);
    const list = topic.longAfter();
    await list();
    expect((await list()).files).toEqual(['a.md', 'deep/b.md']);
    untilTheClockMoves(topic.root);
    change(topic);
    expect((await list()).files).toEqual(files);
  });
});

it.skipIf(process.getuid?.() === 0)(
  'sees at once that a directory may no longer be read (root may read everything)',
  async () => {
    const { root, place, longAfter } = topicOf({ 'a.md': 'a', 'deep/b.md': 'b' });
    const list = longAfter();
    await list();
    await list();
    untilTheClockMoves(root);
    chmodSync(place('deep'), 0);
    expect(await list()).toEqual({ files: ['a.md'], skipped: [{ path: 'deep', reason: 'unreadable' }] });
    chmodSync(place('deep'), 0o700);
  },
);

const NAMES = ['a', 'b', 'c', 'd/a', 'd/b', 'd/e/a', 'f'];
const name = fc.constantFrom(...NAMES);
const step = fc.oneof(
  fc.record({ act: fc.constant('write' as const), name }),
  fc.record({ act: fc.constant('remove' as const), name }),
  fc.record({ act: fc.constant('directory' as const), name }),
  fc.record({ act: fc.constant('move' as const), name, to: name }),
  fc.record({ act: fc.constant('link' as const), name, to: name }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function take(place: (name: string) => string, change: Step): void {
  try {
    if (change.act === 'write') writeFileSync(place(change.name), change.name);
    else if (change.act === 'remove') rmSync(place(change.name), { recursive: true });
    else if (change.act === 'directory') mkdirSync(place(change.name), { recursive: true });
    else if (change.act === 'move') renameSync(place(change.name), place(change.to));
    else symlinkSync(place(change.to), place(change.name));
  } catch {
    // What cannot be done changes nothing.
  }
}

it('is what a fresh look would give, whatever happens between two looks', async () => {
  const changes = fc.array(step, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(changes, fc.boolean(), async (steps, followSymlinks) => {
      const { root, place, listing } = topicOf({ a: 'a', 'd/a': 'a', 'd/e/a': 'a' });
      const list = listing(() => Date.now() + LATER_MS, followSymlinks);
      await list();
      for (const change of steps) {
        await list();
        untilTheClockMoves(root);
        take(place, change);
        expect(await list()).toEqual(await listing(Date.now, followSymlinks)());
      }
    }),
    { numRuns: scaled(40) },
  );
});
