import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import type { GitFile, GitReader, GitSource, GitTree } from './git-reader.ts';

/** A small repository, for whoever can build it. */
export interface RepositoryFixture {
  /** Oldest first, each the parent of the next. */
  readonly commits: readonly Readonly<Record<string, FixtureFile>>[];
  /** By name, the position of a commit. */
  readonly branches: Readonly<Record<string, number>>;
  /** Annotated ones. */
  readonly tags: Readonly<Record<string, number>>;
  readonly defaultBranch: string;
}

export type FixtureFile =
  | string
  | Uint8Array
  | { readonly link: string }
  | { readonly submodule: string }
  | { readonly script: string };

export interface OpenedRepository {
  /** Allows 20 files of 100,000 bytes in all. */
  readonly reader: GitReader;
  readonly source: Pick<GitSource, 'url' | 'isTyped'>;
  /** In the order of the fixture. */
  readonly commits: readonly string[];
}

export const never = new AbortController().signal;
const OTHER = '8a5b3c1d2e4f5061728394a5b6c7d8e9f0a1b2c3';

const FIXTURE: RepositoryFixture = {
  commits: [
    { 'README.md': 'old\n', 'docs/a.md': 'a' },
    {
      'README.md': '# Tea\n',
      'docs/a.md': 'a',
      'docs/empty.md': '',
      'docs-old/a.md': 'older',
      'a b/ü".ts': 'export {}',
      'run.sh': { script: '#!/bin/sh\n' },
      link: { link: '/etc/passwd' },
      module: { submodule: OTHER },
      'large.txt': 'x'.repeat(100),
      'package-lock.json': '{}',
    },
    { 'README.md': '# Tea\n', 'src/lib.rs': 'fn a() {}', '.gitattributes': 'src/*.rs linguist-generated\n' },
  ],
  branches: { main: 1, next: 2, both: 2 },
  tags: { 'v1.0': 0, both: 0 },
  defaultBranch: 'main',
};

/** Git's name of a content. */
function oidOf(content: string): string {
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

export function itReadsRepositories(
  name: string,
  build: (fixture: RepositoryFixture) => Promise<OpenedRepository>,
): void {
  const withTree = async <Answer>(
    { reader, source }: OpenedRepository,
    request: { ref?: string; commit?: string },
    use: (tree: GitTree) => Promise<Answer>,
  ) => {
    const { ref, commit } = request;
    const wanted = { ...source, paths: [], ...(ref === undefined ? {} : { ref }) };
    const tree = await reader.open(wanted, commit === undefined ? {} : { commit }, never);
    try {
      return await use(tree);
    } finally {
      await tree.close();
    }
  };
  const textsOf = async (tree: GitTree, files: readonly GitFile[], maxFileBytes = 100_000) => {
    const read: [string, number, string | undefined][] = [];
    for await (const { file, sizeBytes, bytes } of tree.read(files, { maxFileBytes })) {
      read.push([file.path, sizeBytes, bytes && new TextDecoder().decode(bytes)]);
    }
    return read;
  };
  const codeOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof Fault ? error.code : error;
  };

  it(`${name}: a branch, a tag, a commit id and nothing each name a commit`, async () => {
    const { reader, source, commits } = await build(FIXTURE);
    const head = (ref?: string) =>
      reader.head({ ...source, paths: [], ...(ref === undefined ? {} : { ref }) }, never);
    expect(await head()).toBe(commits[1]);
    expect(await head('next')).toBe(commits[2]);
    expect(await head('refs/heads/next')).toBe(commits[2]);
    expect(await head('v1.0')).toBe(commits[0]);
    expect(await head('version:1.0')).toBe(commits[0]);
    expect(await head('version:pumps@1.0')).toBe(commits[0]);
    // A branch wins over a tag of the same name, as in git clone --branch.
    expect(await head('both')).toBe(commits[2]);
    expect(await head('refs/tags/both')).toBe(commits[0]);
    expect(await head(commits[0])).toBe(commits[0]);
  });

  it(`${name}: what is not there is not found`, async () => {
    const { reader, source } = await build(FIXTURE);
    const wanted = { ...source, paths: [] };
    for (const ref of ['missing', 'MAIN', 'mai', 'v1', 'v1.0^{}', 'version:1.1', 'version:next']) {
      expect(await codeOf(reader.head({ ...wanted, ref }, never)), ref).toMatch(/^git\/(not-found|refused)$/);
      expect(await codeOf(reader.open({ ...wanted, ref }, {}, never)), ref).toMatch(
        /^git\/(not-found|refused)$/,
      );
    }
    expect(await codeOf(reader.open(wanted, { commit: OTHER }, never))).toBe('git/not-found');
    expect(await codeOf(reader.head({ ...wanted, url: `${source.url}-missing` }, never))).toBe(
      'git/not-found',
    );
  });

  it(`${name}: a tree lists everything in it, in git's order`, async () => {
    const opened = await build(FIXTURE);
    await withTree(opened, {}, async (tree) => {
      expect(tree.commit).toBe(opened.commits[1]);
      expect(tree.unusableNames).toBe(0);
      expect(tree.files.map(({ path, mode }) => [path, mode])).toEqual([
        ['README.md', '100644'],
        ['a b/ü".ts', '100644'],
        ['docs-old/a.md', '100644'],
        ['docs/a.md', '100644'],
        ['docs/empty.md', '100644'],
        ['large.txt', '100644'],
        ['link', '120000'],
        ['module', '160000'],
        ['package-lock.json', '100644'],
        ['run.sh', '100755'],
      ]);
      expect(tree.files[0]?.oid).toBe(oidOf('# Tea\n'));
      expect(tree.files[7]?.oid).toBe(OTHER);
    });
  });

  it(`${name}: contents come in the order asked for, above the limit without bytes`, async () => {
    const opened = await build(FIXTURE);
    await withTree(opened, {}, async (tree) => {
      const wanted = ['large.txt', 'docs/empty.md', 'a b/ü".ts', 'docs/a.md'];
      const files = wanted.flatMap((path) => tree.files.filter((file) => file.path === path));
      expect(await textsOf(tree, files, 99)).toEqual([
        ['large.txt', 100, undefined],
        ['docs/empty.md', 0, ''],
        ['a b/ü".ts', 9, 'export {}'],
        ['docs/a.md', 1, 'a'],
      ]);
      expect(await textsOf(tree, files.slice(0, 1), 100)).toEqual([['large.txt', 100, 'x'.repeat(100)]]);
      expect(await textsOf(tree, [])).toEqual([]);
    });
  });

  it(`${name}: a commit of the past can be opened, and the same content has the same oid`, async () => {
    const opened = await build(FIXTURE);
    const read = (commit?: string) =>
      withTree(opened, { ref: 'main', ...(commit === undefined ? {} : { commit }) }, async (tree) => {
        const file = tree.files.find(({ path }) => path === 'docs/a.md');
        return {
          commit: tree.commit,
          oid: file?.oid,
          readme: (await textsOf(tree, tree.files.slice(0, 1)))[0],
        };
      });
    const now = await read();
    const past = await read(opened.commits[0]);
    expect(past).toEqual({ commit: opened.commits[0], oid: now.oid, readme: ['README.md', 4, 'old\n'] });
    expect(now.readme).toEqual(['README.md', 6, '# Tea\n']);
  });

  it(`${name}: a survey counts what would be fetched`, async () => {
    const { reader, source, commits } = await build(FIXTURE);
    expect(await reader.survey({ ...source, paths: [] }, never)).toEqual({
      commit: commits[1],
      files: 7,
      languages: [
        { name: 'Markdown', files: 4 },
        { name: 'Bash', files: 1 },
        { name: 'Text', files: 1 },
        { name: 'TypeScript', files: 1 },
      ],
      unmatchedPaths: [],
    });
    expect(await reader.survey({ ...source, paths: ['docs/', 'nowhere/', '*.sh'] }, never)).toEqual({
      commit: commits[1],
      files: 3,
      languages: [
        { name: 'Markdown', files: 2 },
        { name: 'Bash', files: 1 },
      ],
      unmatchedPaths: ['nowhere/'],
    });
    expect(await reader.survey({ ...source, ref: 'next', paths: [] }, never)).toMatchObject({ files: 2 });
  });

  it(`${name}: limits are Faults that name them`, async () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}.md`, `${at}`]));
    const heavy = { 'a.md': 'a'.repeat(90_000), 'b.md': 'b'.repeat(90_000) };
    const { reader, source } = await build({
      commits: [many, heavy],
      branches: { many: 0, heavy: 1 },
      tags: {},
      defaultBranch: 'many',
    });
    const wanted = { ...source, paths: [] };
    expect(await codeOf(reader.survey(wanted, never))).toBe('git/too-many-files');
    expect(await reader.survey({ ...wanted, paths: ['f1*'] }, never)).toMatchObject({ files: 11 });
    const readAll = (ref: string) =>
      withTree({ reader, source, commits: [] }, { ref }, (tree) => textsOf(tree, tree.files));
    expect(await codeOf(readAll('many'))).toBe('git/too-many-files');
    expect(await codeOf(readAll('heavy'))).toBe('git/too-large');
  });

  it(`${name}: an aborted signal throws its reason`, async () => {
    const { reader, source } = await build(FIXTURE);
    const reason = new Fault('process/interrupted', 'Stopped.');
    const wanted = { ...source, paths: [] };
    await expect(reader.head(wanted, AbortSignal.abort(reason))).rejects.toBe(reason);
    await expect(reader.survey(wanted, AbortSignal.abort(reason))).rejects.toBe(reason);
    await expect(reader.open(wanted, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    const stop = new AbortController();
    const tree = await reader.open(wanted, {}, stop.signal);
    stop.abort(reason);
    await expect(textsOf(tree, tree.files.slice(0, 1))).rejects.toBe(reason);
    await tree.close();
    await tree.close();
  });
}
