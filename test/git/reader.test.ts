import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { never, type RepositoryFixture } from '../../src/domain/references/sources/git-reader.contract.ts';
import type { GitReader, GitSource } from '../../src/domain/references/sources/git-reader.ts';
import { selectTree } from '../../src/domain/references/sources/select-files.ts';
import {
  addSkips,
  countSkips,
  judgeContent,
  type SkipReason,
} from '../../src/domain/references/sources/skip.ts';
import { childProgram } from '../child-program.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { serveGit } from './git-server.ts';
import { realReader } from './reader.ts';
import { buildRepository, git } from './repositories.ts';

const one = (files: RepositoryFixture['commits'][number]): RepositoryFixture => ({
  commits: [files],
  branches: { main: 0 },
  tags: {},
  defaultBranch: 'main',
});
const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';

/** Everything a topic would keep, and what it would leave out. */
async function gather(reader: GitReader, source: GitSource, maxFileBytes = 1024 * 1024) {
  const tree = await reader.open(source, {}, never);
  try {
    const { selected, skipped, unmatchedPaths } = await selectTree(tree, source.paths);
    const kept: Record<string, string> = {};
    const reasons: SkipReason[] = [];
    for await (const { file, bytes } of tree.read(selected, { maxFileBytes })) {
      const reason = bytes ? judgeContent(file.path, bytes) : 'too_large';
      if (reason) reasons.push(reason);
      else kept[file.path] = new TextDecoder().decode(bytes);
    }
    return { commit: tree.commit, kept, skipped: addSkips(skipped, countSkips(reasons)), unmatchedPaths };
  } finally {
    await tree.close();
  }
}

async function faultOf(work: Promise<unknown>): Promise<Pick<Fault, 'code' | 'message' | 'hint'>> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Fault)) throw error ?? new Error('It worked.');
  const { code, message, hint } = error;
  return { code, message, hint };
}

const MIXED = one({
  'README.md': '# Read me\n',
  'docs/guide.md': 'guide',
  'docs-old/guide.md': 'old guide',
  'src/lib.rs': 'fn main() {}\n',
  'src/gen/api.rs': '// generated',
  'src/gen/.gitattributes': '*.rs linguist-generated\n',
  '.gitattributes': 'lib/** linguist-vendored\n*.bin filter=lfs diff=lfs merge=lfs -text\n',
  'lib/jquery.js': 'x',
  'vendor/a.go': 'package a',
  'Cargo.lock': '[[package]]',
  'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]),
  'data.txt': new Uint8Array([1, 0, 2]),
  'latin1.txt': new Uint8Array([0x67, 0x72, 0xfc]),
  'weights.bin.txt': POINTER,
  'bundle.js': 'var a=1;'.repeat(1000),
  'huge.txt': 'long line\n'.repeat(200_000),
  'b\\xffd/name.md': 'not UTF-8',
  'gr\u00fc\u00dfe \ud83e\uded6.md': 'UTF-8',
  link: { link: '../../etc/passwd' },
  sub: { submodule: '8a5b3c1d2e4f5061728394a5b6c7d8e9f0a1b2c3' },
  '.gitmodules': '[submodule "sub"]\n\tpath = sub\n\turl = https://github.com/example/sub\n',
  'run.sh': { script: '#!/bin/sh\n' },
});

it.each(['http', 'file'])('over %s: the right files, the right counts, the right commit', async (scheme) => {
  const parent = temporaryDirectory();
  const { commits, directory } = buildRepository(parent, MIXED);
  const { origin, requests } = await serveGit(parent);
  const { reader, place } = realReader(parent, { allow: ['127.0.0.1'] });
  const source =
    scheme === 'http'
      ? { url: `${origin}/tea.git`, paths: [] }
      : { url: directory, isTyped: true, paths: [] };
  const gathered = await gather(reader, source);
  expect({ ...gathered, kept: Object.keys(gathered.kept) }).toEqual({
    commit: commits[0],
    kept: [
      '.gitattributes',
      '.gitmodules',
      'README.md',
      'docs-old/guide.md',
      'docs/guide.md',
      'grüße 🫖.md',
      'run.sh',
      'src/gen/.gitattributes',
      'src/lib.rs',
    ],
    skipped: {
      binary: 3,
      generated: 1,
      lfs_pointer: 1,
      lock_file: 1,
      minified: 1,
      submodule: 1,
      symlink: 1,
      too_large: 1,
      unusable_name: 1,
      vendored: 2,
    },
    unmatchedPaths: [],
  });
  expect(gathered.kept['README.md']).toBe('# Read me\n');
  const narrow = await gather(reader, { ...source, paths: ['docs/', 'README.md', 'guides/'] });
  expect({ kept: Object.keys(narrow.kept), unmatched: narrow.unmatchedPaths }).toEqual({
    kept: ['README.md', 'docs/guide.md'],
    unmatched: ['guides/'],
  });
  expect(await reader.survey(source, never)).toMatchObject({ commit: commits[0], files: 14 });
  expect(readdirSync(place)).toEqual([]);
  // Nothing was asked for but this repository.
  for (const request of requests)
    expect(request).toMatch(/^(GET|POST) \/tea\.git\/(info\/refs|git-upload-pack)/);
});

it('reads a repository of 3,000 files in a handful of exchanges', async () => {
  const parent = temporaryDirectory();
  const count = scaled(3000);
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`d${at % 40}/f${at}.ts`, `export const a${at} = ${at};\n`]),
  );
  const { commits } = buildRepository(parent, one(files));
  const { origin, requests } = await serveGit(parent);
  const { reader, started } = realReader(parent, { allow: ['127.0.0.1'], limits: { maxFiles: count } });
  const { commit, kept } = await gather(reader, { url: `${origin}/tea.git`, paths: [] });
  expect(commit).toBe(commits[0]);
  expect(kept).toEqual(files);
  // Where the ref is, the trees, the contents; each is one or two requests.
  expect(requests.length).toBeLessThanOrEqual(8);
  expect(started.length).toBeLessThanOrEqual(8 + Math.ceil(count / 2000));
});

it('fetches no content that nobody wants', async () => {
  const parent = temporaryDirectory();
  const large = randomBytes(3_000_000).toString('base64');
  buildRepository(parent, one({ 'docs/a.md': 'a', 'large.txt': large, 'logo.png': large }));
  const { origin } = await serveGit(parent);
  const { reader } = realReader(parent, { allow: ['127.0.0.1'], limits: { maxBytes: 100_000 } });
  const source = { url: `${origin}/tea.git`, paths: ['docs/', 'logo.png'] };
  expect(await reader.survey(source, never)).toMatchObject({ files: 1 });
  expect((await gather(reader, source)).kept).toEqual({ 'docs/a.md': 'a' });
});

it('stops receiving past the limit on bytes, and says how to narrow', async () => {
  const parent = temporaryDirectory();
  const { directory } = buildRepository(parent, one({ 'a.txt': randomBytes(10_000_000).toString('base64') }));
  const { reader, place } = realReader(parent, { limits: { maxBytes: 1_000_000 } });
  const source = { url: directory, isTyped: true, paths: [] };
  expect(await faultOf(gather(reader, source, 100_000_000))).toEqual({
    code: 'git/too-large',
    message: `file://${directory}: more than 1000000 bytes, which is the limit.`,
    hint: 'Give paths, such as "docs/" or "README.md", to take less of the repository, or raise references.max_bytes.',
  });
  expect(readdirSync(place)).toEqual([]);
});

it('notices at once that ten small trees name billions of files', async () => {
  const parent = temporaryDirectory();
  const { directory } = buildRepository(parent, one({ 'a.md': 'a' }));
  let [type, mode] = ['blob', '100644'];
  let object = git(directory, ['hash-object', '-w', '--stdin'], 'x').trim();
  for (let level = 0; level < 10; level++) {
    const lines = Array.from({ length: 10 }, (_, at) => `${mode} ${type} ${object}\tn${at}\n`);
    object = git(directory, ['mktree'], lines.join('')).trim();
    [type, mode] = ['tree', '040000'];
  }
  git(directory, [
    'update-ref',
    'refs/heads/main',
    git(directory, ['commit-tree', '-m', 'x', object]).trim(),
  ]);
  const { origin } = await serveGit(parent);
  const { reader } = realReader(parent, { allow: ['127.0.0.1'], limits: { timeoutMs: 30_000 } });
  const fault = await faultOf(reader.open({ url: `${origin}/tea.git`, paths: [] }, {}, never));
  expect(fault.code).toBe('git/too-many-files');
});

it('gives up on a server that does not answer', async () => {
  const parent = temporaryDirectory();
  const { origin } = await serveGit(parent, { before: () => true });
  const { reader, place } = realReader(parent, { allow: ['127.0.0.1'], limits: { timeoutMs: 1000 } });
  const source = { url: `${origin}/tea.git`, paths: [] };
  expect(await faultOf(reader.survey(source, never))).toMatchObject({ code: 'git/timeout' });
  expect(readdirSync(place)).toEqual([]);
});

it('reads from a server that gives away no content by its id', async () => {
  const parent = temporaryDirectory();
  buildRepository(parent, MIXED);
  const { origin } = await serveGit(parent, { isOld: true });
  const { reader } = realReader(parent, { allow: ['127.0.0.1'] });
  const { kept } = await gather(reader, { url: `${origin}/tea.git`, paths: ['docs/', 'README.md'] });
  expect(kept).toEqual({ 'README.md': '# Read me\n', 'docs/guide.md': 'guide' });
});

it('reads from a server that cannot leave contents out', async () => {
  const parent = temporaryDirectory();
  const { directory } = buildRepository(parent, MIXED);
  git(directory, ['config', 'uploadpack.allowFilter', 'false']);
  const { origin } = await serveGit(parent);
  const { reader } = realReader(parent, { allow: ['127.0.0.1'] });
  const { kept } = await gather(reader, { url: `${origin}/tea.git`, paths: ['docs/'] });
  expect(kept).toEqual({ 'docs/guide.md': 'guide' });
});

it('reads a repository whose ids are SHA-256', async () => {
  const parent = temporaryDirectory();
  const directory = path.join(parent, 'tea.git');
  git(parent, ['init', '-q', '--bare', '--object-format=sha256', '--initial-branch=main', directory]);
  git(
    directory,
    ['fast-import', '--quiet'],
    'commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nx\nM 644 inline a.md\ndata 2\nhi\n',
  );
  const { reader } = realReader(parent);
  const gathered = await gather(reader, { url: directory, isTyped: true, paths: [] });
  expect(gathered).toMatchObject({ kept: { 'a.md': 'hi' }, commit: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

it('reports what it has received', async () => {
  const parent = temporaryDirectory();
  const { directory } = buildRepository(parent, one({ 'a.txt': randomBytes(2_000_000).toString('base64') }));
  const { reader } = realReader(parent);
  const seen: number[] = [];
  const progress = ({ receivedBytes }: { receivedBytes: number }) => void seen.push(receivedBytes);
  const tree = await reader.open({ url: directory, isTyped: true, paths: [] }, { progress }, never);
  for await (const _ of tree.read(tree.files, { maxFileBytes: 10_000_000 }));
  await tree.close();
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBeGreaterThan(2_000_000);
});

it('what a killed process left behind goes at the next reading, what another still uses stays', async () => {
  const parent = temporaryDirectory();
  const { directory } = buildRepository(parent, one({ 'a.md': 'a' }));
  const { reader, place } = realReader(parent);
  const source = { url: directory, isTyped: true, paths: [] };
  const child = spawn(process.execPath, [childProgram('git/hold-tree'), parent, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const [held = ''] = readdirSync(place);
  mkdirSync(path.join(place, 'young'));
  mkdirSync(path.join(place, 'old'));
  utimesSync(path.join(place, 'old'), 0, 0);
  await reader.survey(source, never);
  expect(readdirSync(place).sort()).toEqual([held, 'young'].sort());
  child.kill('SIGKILL');
  await once(child, 'exit');
  await reader.survey(source, never);
  expect(readdirSync(place)).toEqual(['young']);
});

it('asks gh for sizes and for a key, where there is one', async () => {
  const parent = temporaryDirectory();
  const bin = path.join(parent, 'bin');
  mkdirSync(bin);
  writeFileSync(
    path.join(bin, 'gh'),
    `#!/bin/sh\nif [ "$1" = auth ]; then echo token-1; else echo "$2" > ${parent}/asked; echo "${'a'.repeat(40)} 12"; fi\n`,
  );
  chmodSync(path.join(bin, 'gh'), 0o755);
  const { githubCli } = await import('../../src/adapters/git/github.ts');
  const { systemProcesses } = await import('../../src/adapters/system/run-process.ts');
  const there = githubCli(systemProcesses, { PATH: `${bin}:${process.env.PATH}` });
  expect(await there.sizes('o/r', 'b'.repeat(40), never)).toEqual(new Map([['a'.repeat(40), 12]]));
  expect(existsSync(path.join(parent, 'asked'))).toBe(true);
  expect(await there.settings(never)).toEqual({
    'http.https://github.com/.extraHeader': `Authorization: Basic ${btoa('x-access-token:token-1')}`,
  });
  const absent = githubCli(systemProcesses, { PATH: path.join(parent, 'nowhere') });
  expect(await absent.sizes('o/r', 'b'.repeat(40), never)).toBe(undefined);
  expect(await absent.settings(never)).toEqual({});
});
