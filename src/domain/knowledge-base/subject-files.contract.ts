import { describe, expect, it } from 'vitest';
import type { Listing, TopicFiles, TopicPlace } from './subject-files.ts';

/** Paths relative to the workspace. */
export type FileTree = Readonly<Record<string, FileEntry>>;
export type FileEntry = string | Uint8Array | { readonly link: string } | { readonly directory: true };

const TOPIC: TopicPlace = { directory: 'kb', followSymlinks: false };
const FOLLOWING: TopicPlace = { directory: 'kb', followSymlinks: true };

/** The promises of every adapter of `TopicFiles`. `build` makes a workspace of these files. */
export function itReadsTopicFiles(name: string, build: (tree: FileTree) => TopicFiles): void {
  const open = (tree: FileTree, place = TOPIC) => build(tree).open(place);
  const list = async (tree: FileTree, place = TOPIC) => sorted((await open(tree, place)).list());

  describe(`topic files: ${name}`, () => {
    it('lists files at every level, hidden ones too, and no directories', async () => {
      expect(
        await list({
          'kb/b.md': 'b',
          'kb/a/.c.md': 'c',
          'kb/.d/e/f.md': 'f',
          'kb/empty': { directory: true },
        }),
      ).toEqual({
        files: ['.d/e/f.md', 'a/.c.md', 'b.md'],
        skipped: [],
      });
    });

    it('passes over what version control and file managers leave', async () => {
      expect(
        await list({ 'kb/.git/config': 'x', 'kb/a/.DS_Store': 'x', 'kb/.gitkeep': '', 'kb/a/b.md': 'b' }),
      ).toEqual({
        files: ['a/b.md'],
        skipped: [],
      });
    });

    it('takes names as they are', async () => {
      const names = [
        '#1.md',
        '..two.md',
        'a..b',
        'line\nend.md',
        'ünï 🚀.md',
        'quo"te.md',
        '-flag.md',
        '%2e%2e.md',
      ];
      expect(await list(Object.fromEntries(names.map((each) => [`kb/${each}`, 'x'])))).toEqual({
        files: names.toSorted(),
        skipped: [],
      });
    });

    it('goes forty levels deep', async () => {
      const deep = `${'d/'.repeat(40)}deep.md`;
      const files = await open({ [`kb/${deep}`]: 'deep' });
      expect(files.list()).toEqual({ files: [deep], skipped: [] });
      expect(textOf(files.read(deep, 100))).toBe('deep');
    });

    it('says that there is no such topic', async () => {
      const files = await open({ 'other.md': 'x' });
      expect(files.list()).toEqual({ problem: 'missing', files: [], skipped: [] });
      expect(files.read('a.md', 10)).toEqual({ ok: false });
    });

    it('reads no more than asked for, and says how much there is', async () => {
      const files = await open({ 'kb/a.md': '0123456789', 'kb/empty': '' });
      const beginning = (path: string, maxBytes: number) => {
        const read = files.read(path, maxBytes);
        return read.ok ? { text: textOf(read), size: read.size } : read;
      };
      expect(beginning('a.md', 4)).toEqual({ text: '0123', size: 10 });
      expect(beginning('a.md', 10)).toEqual({ text: '0123456789', size: 10 });
      expect(beginning('a.md', 99)).toEqual({ text: '0123456789', size: 10 });
      expect(beginning('a.md', 0)).toEqual({ text: '', size: 10 });
      expect(beginning('empty', 9)).toEqual({ text: '', size: 0 });
    });

    it.each([
      'none.md',
      'dir',
      'dir/',
      '',
      '.',
      '..',
      '../secret.md',
      'dir/../a.md',
      './a.md',
      '/etc/passwd',
      'a.md/b',
      'a\0.md',
    ])('does not read %j', async (path) => {
      const files = await open({ 'kb/a.md': 'a', 'kb/dir/b.md': 'b', 'secret.md': 's' });
      expect(files.read(path, 10)).toEqual({ ok: false });
    });
  });
}

/** The promises of adapters whose topics are directories, where a file may be a link. */
export function itFollowsLinksInTopics(name: string, build: (tree: FileTree) => TopicFiles): void {
  const open = (tree: FileTree, place = TOPIC) => build(tree).open(place);
  const list = async (tree: FileTree, place = TOPIC) => sorted((await open(tree, place)).list());

  describe(`links in topics: ${name}`, () => {
    it.each([
      ['not-a-directory', { kb: 'a file' }],
      ['outside', { kb: { link: '../beyond' }, '../beyond/a.md': 'x' }],
      ['missing', { kb: { link: 'nowhere' } }],
    ] as const)('says what is wrong with the directory: %s', async (problem, tree: FileTree) => {
      const files = await open(tree);
      expect(files.list()).toEqual({ problem, files: [], skipped: [] });
      expect(files.read('a.md', 10)).toEqual({ ok: false });
    });

    it('follows a link of the directory itself inside the workspace, and anywhere when asked to', async () => {
      expect(await list({ kb: { link: 'docs' }, 'docs/a.md': 'x' })).toEqual({
        files: ['a.md'],
        skipped: [],
      });
      const beyond: FileTree = { kb: { link: '../beyond' }, '../beyond/a.md': 'x' };
      expect(await list(beyond, FOLLOWING)).toEqual({ files: ['a.md'], skipped: [] });
    });

    it('follows links that stay inside the topic', async () => {
      const files = await open({
        'kb/real/a.md': 'content',
        'kb/file.md': { link: 'real/a.md' },
        'kb/dir': { link: 'real' },
        'kb/real/up.md': { link: '../real/./a.md' },
      });
      expect(sorted(files.list())).toEqual({
        files: ['dir/a.md', 'dir/up.md', 'file.md', 'real/a.md', 'real/up.md'],
        skipped: [],
      });
      for (const path of ['file.md', 'dir/a.md', 'dir/up.md']) {
        expect(textOf(files.read(path, 100))).toBe('content');
      }
    });

    it('does not follow links out of the topic, not even to a sibling with the same beginning', async () => {
      const tree: FileTree = {
        'kb/a.md': 'a',
        'kb/dir': { link: '../kb-secret' },
        'kb/file.md': { link: '../kb-secret/s.md' },
        'kb/root': { link: '/' },
        'kb/hop.md': { link: 'file.md' },
        'kb-secret/s.md': 'secret',
      };
      const files = await open(tree);
      expect(sorted(files.list())).toEqual({
        files: ['a.md'],
        skipped: [
          { path: 'dir', reason: 'link-outside' },
          { path: 'file.md', reason: 'link-outside' },
          { path: 'hop.md', reason: 'link-outside' },
          { path: 'root', reason: 'link-outside' },
        ],
      });
      for (const path of ['file.md', 'hop.md', 'dir/s.md'])
        expect(files.read(path, 100)).toEqual({ ok: false });
    });

    it('follows links out of a topic that is set to', async () => {
      const tree: FileTree = {
        'kb/dir': { link: '../far' },
        'kb/f.md': { link: '../far/s.md' },
        'far/s.md': 'far',
      };
      const files = await open(tree, FOLLOWING);
      expect(sorted(files.list())).toEqual({ files: ['dir/s.md', 'f.md'], skipped: [] });
      expect(textOf(files.read('dir/s.md', 100))).toBe('far');
      expect(textOf(files.read('f.md', 100))).toBe('far');
    });

    it('ends on links that lead nowhere or back', async () => {
      const tree: FileTree = {
        'kb/a/x.md': 'x',
        'kb/a/again': { link: '../a' },
        'kb/a/top': { link: '..' },
        'kb/self': { link: 'self' },
        'kb/gone.md': { link: 'nothing.md' },
      };
      for (const place of [TOPIC, FOLLOWING]) {
        expect(await list(tree, place)).toEqual({
          files: ['a/x.md'],
          skipped: [
            { path: 'a/again', reason: 'link-loop' },
            { path: 'a/top', reason: 'link-loop' },
            { path: 'gone.md', reason: 'link-broken' },
            { path: 'self', reason: 'link-broken' },
          ],
        });
      }
    });
  });
}

function sorted({ files, skipped, ...rest }: Listing): Listing {
  return {
    ...rest,
    files: files.toSorted(),
    skipped: skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

function textOf(read: { ok: boolean; bytes?: Uint8Array }): string | undefined {
  return read.bytes && new TextDecoder().decode(read.bytes);
}
