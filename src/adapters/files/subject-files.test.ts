import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import {
  type FileTree,
  itFollowsLinksInTopics,
  itReadsTopicFiles,
} from '../../domain/knowledge-base/subject-files.contract.ts';
import { topicFilesOnDisk } from './subject-files.ts';

const KB = { directory: 'kb', followSymlinks: false };

function workspace(tree: FileTree): string {
  const root = path.join(temporaryDirectory(), 'workspace');
  mkdirSync(root);
  for (const [name, entry] of Object.entries(tree)) {
    const place = path.join(root, name);
    mkdirSync(path.dirname(place), { recursive: true });
    if (typeof entry === 'string' || entry instanceof Uint8Array) writeFileSync(place, entry);
    else if ('link' in entry) symlinkSync(entry.link, place);
    else mkdirSync(place);
  }
  return root;
}

const onDisk = (tree: FileTree) => topicFilesOnDisk(workspace(tree), undefined, async () => ['/']);
itReadsTopicFiles('on disk', onDisk);
itFollowsLinksInTopics('on disk', onDisk);

it('passes over pipes and sockets without opening them', async () => {
  const root = workspace({ 'kb/a.md': 'a' });
  execFileSync('mkfifo', [path.join(root, 'kb/pipe.md')]);
  const files = await topicFilesOnDisk(root).open(KB);
  expect(files.list()).toEqual({ files: ['a.md'], skipped: [{ path: 'pipe.md', reason: 'not-a-file' }] });
  expect(files.read('pipe.md', 10)).toEqual({ ok: false });
});

it('passes over names that are not UTF-8, and keeps those that only look it', async () => {
  const root = workspace({ 'kb/a.md': 'a', 'kb/\ufffd.md': 'literal' });
  try {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/kb/`), Buffer.from([0xff, 0x2e, 0x6d, 0x64])]), 'x');
  } catch {
    return; // This file system takes UTF-8 names only.
  }
  const files = await topicFilesOnDisk(root).open(KB);
  expect(files.list()).toEqual({
    files: ['a.md', '\ufffd.md'],
    skipped: [{ path: '\ufffd.md', reason: 'name-not-utf8' }],
  });
});

it('reads the beginning of a file of any size', async () => {
  const root = workspace({ 'kb/huge.md': 'start' });
  truncateSync(path.join(root, 'kb/huge.md'), 50 * 1024 ** 3);
  const files = await topicFilesOnDisk(root).open(KB);
  expect(files.read('huge.md', 5)).toEqual({
    ok: true,
    bytes: new TextEncoder().encode('start'),
    size: 50 * 1024 ** 3,
  });
});

it.skipIf(process.getuid?.() === 0)(
  'names what may not be read, and goes on (root may read everything)',
  async () => {
    const root = workspace({ 'kb/closed/a.md': 'a', 'kb/b.md': 'b', 'kb/secret.md': 's' });
    chmodSync(path.join(root, 'kb/closed'), 0);
    chmodSync(path.join(root, 'kb/secret.md'), 0);
    onTestFinished(() => chmodSync(path.join(root, 'kb/closed'), 0o700));
    const files = await topicFilesOnDisk(root).open(KB);
    expect(files.list()).toEqual({
      files: ['b.md', 'secret.md'],
      skipped: [{ path: 'closed', reason: 'unreadable' }],
    });
    expect(files.read('secret.md', 10)).toEqual({ ok: false });
  },
);

it('does not follow a link that took the place of a listed file or directory', async () => {
  const root = workspace({ 'kb/a.md': 'a', 'kb/dir/b.md': 'b', 'out/b.md': 'secret', 'kb/pipe': 'x' });
  const files = await topicFilesOnDisk(root).open(KB);
  expect(files.list().files).toEqual(['a.md', 'dir/b.md', 'pipe']);
  rmSync(path.join(root, 'kb/a.md'));
  symlinkSync('../out/b.md', path.join(root, 'kb/a.md'));
  rmSync(path.join(root, 'kb/pipe'));
  execFileSync('mkfifo', [path.join(root, 'kb/pipe')]);
  expect(files.read('a.md', 10)).toEqual({ ok: false });
  expect(files.read('pipe', 10)).toEqual({ ok: false });
});

it('knows when a file changed, and of a link or another place nothing', async () => {
  const root = workspace({ 'kb/a.md': 'a', 'kb/b.md': { link: 'a.md' }, 'kb/dir/c.md': 'c' });
  utimesSync(path.join(root, 'kb/dir/c.md'), 1_700_000_000, 1_700_000_000);
  const files = await topicFilesOnDisk(root).open(KB);
  expect(files.changedAt?.('dir/c.md')).toBe(1_700_000_000_000);
  expect(['b.md', 'dir', 'none.md', '../kb/a.md'].map((file) => files.changedAt?.(file))).toEqual(
    new Array(4).fill(undefined),
  );
});

it('stamps a file by what no change leaves as it is, once it has settled', async () => {
  const root = workspace({ 'kb/a.md': 'a', 'kb/b.md': { link: 'a.md' }, 'kb/dir/c.md': 'c' });
  const later = () => Date.now() + 60_000;
  const files = await topicFilesOnDisk(root, later).open(KB);
  const stamp = files.stamp?.('a.md');
  expect(stamp).toMatch(/^\d+-\d+-1-\d+$/);
  expect(files.stamp?.('a.md')).toBe(stamp);
  expect(['b.md', 'dir', 'none.md', '../kb/a.md'].map((file) => files.stamp?.(file))).toEqual(
    new Array(4).fill(undefined),
  );
  const file = path.join(root, 'kb/a.md');
  const { atime, mtime, ctimeMs } = statSync(file);
  // Times go in steps of some milliseconds.
  do {
    writeFileSync(file, 'b');
    utimesSync(file, atime, mtime);
  } while (statSync(file).ctimeMs === ctimeMs);
  expect(files.stamp?.('a.md')).not.toBe(stamp);
  const now = await topicFilesOnDisk(root).open(KB);
  expect(now.stamp?.('a.md')).toBeUndefined();
});

it('enters no directory below a hundred others', async () => {
  const root = workspace({});
  const deep = (levels: number) => ['kb', ...Array.from({ length: levels }, () => 'd')].join('/');
  mkdirSync(path.join(root, deep(101)), { recursive: true });
  for (const levels of [100, 101]) writeFileSync(path.join(root, deep(levels), 'a.md'), 'x');
  const { files, skipped } = (await topicFilesOnDisk(root).open(KB)).list();
  expect(files).toEqual([`${'d/'.repeat(100)}a.md`]);
  expect(skipped).toEqual([{ path: deep(101).slice('kb/'.length), reason: 'too-deep' }]);
});

it('ends where links multiply without end', async () => {
  const levels = Array.from({ length: 30 }, (_, level): FileTree => {
    const next = { link: `../l${level + 1}` };
    return { [`kb/l${level}/x`]: next, [`kb/l${level}/y`]: next };
  });
  const root = workspace(Object.assign({ 'kb/l30/end.md': 'x' }, ...levels));
  const { files, skipped } = (await topicFilesOnDisk(root).open(KB)).list();
  expect(files.length).toBeLessThan(10_000);
  expect(skipped.some(({ reason }) => reason === 'too-many')).toBe(true);
});
