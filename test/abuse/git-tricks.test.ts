/** A repository, its server or whoever names it tries to make git do more than read. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { never, type RepositoryFixture } from '../../src/domain/references/sources/git-reader.contract.ts';
import type { GitReader, GitSource } from '../../src/domain/references/sources/git-reader.ts';
import { selectTree } from '../../src/domain/references/sources/select-files.ts';
import { serveGit } from '../git/git-server.ts';
import { realReader } from '../git/reader.ts';
import { buildRepository, git } from '../git/repositories.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { serve } from '../web/servers.ts';

const one = (files: RepositoryFixture['commits'][number]): RepositoryFixture => ({
  commits: [files],
  branches: { main: 0 },
  tags: {},
  defaultBranch: 'main',
});

/** A world with a program that leaves a mark, and a repository to point it at. */
function world(fixture = one({ 'README.md': 'tea' })) {
  const parent = temporaryDirectory();
  const mark = path.join(parent, 'mark');
  const program = path.join(parent, 'evil.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\nexit 1\n`);
  chmodSync(program, 0o755);
  const { directory } = buildRepository(parent, fixture);
  const wasMarked = () => existsSync(mark);
  return { parent, mark, program, directory, wasMarked };
}

/** A caller that takes no care. How it ends does not matter. */
async function openly(directory: string, words: readonly string[], environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, HOME: directory, ...environment };
  await once(spawn('git', words, { cwd: directory, env, stdio: 'ignore' }), 'exit');
}

async function readAll(reader: GitReader, source: GitSource): Promise<string[]> {
  const tree = await reader.open(source, {}, never);
  try {
    const { selected } = await selectTree(tree, source.paths);
    const read: string[] = [];
    for await (const { file } of tree.read(selected, { maxFileBytes: 1_000_000 })) read.push(file.path);
    return read;
  } finally {
    await tree.close();
  }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Fault) return error.code;
  throw error ?? new Error('It worked.');
}

/** All files below, but for where the reader may write. */
function filesBelow(parent: string): string[] {
  return readdirSync(parent, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('cache'))
    .sort();
}

it('an address that is an option runs nothing', async () => {
  const { parent, program, directory, wasMarked } = world();
  const url = `--upload-pack=${program}`;
  const { reader, started } = realReader(parent);
  for (const isTyped of [true, false]) {
    expect(await codeOf(reader.open({ url, isTyped, ref: directory, paths: [] }, {}, never))).toBe(
      'git/refused',
    );
  }
  expect([wasMarked(), started.length]).toEqual([false, 0]);
  await openly(parent, ['ls-remote', url, directory]);
  expect(wasMarked()).toBe(true);
});

it('a ref that is an option runs nothing', async () => {
  const { parent, program, directory, wasMarked } = world();
  const ref = `--upload-pack=${program}`;
  const { reader, started } = realReader(parent);
  expect(await codeOf(reader.open({ url: directory, isTyped: true, ref, paths: [] }, {}, never))).toBe(
    'git/refused',
  );
  expect([wasMarked(), started.length]).toEqual([false, 0]);
  await openly(parent, ['init', '-q', 'open']);
  await openly(path.join(parent, 'open'), ['fetch', directory, ref]);
  expect(wasMarked()).toBe(true);
});

it('a path that is an option writes nothing', async () => {
  const { parent, mark, directory, wasMarked } = world();
  const { reader, started } = realReader(parent);
  for (const option of [`--output=${mark}`, '-p', '--']) {
    const source = { url: directory, isTyped: true, paths: [option] };
    expect(await codeOf(reader.survey(source, never))).toBe('references/invalid-path');
    expect(await codeOf(reader.open(source, {}, never))).toBe('references/invalid-path');
  }
  expect([wasMarked(), started.length]).toEqual([false, 0]);
  await openly(directory, ['log', '-1', `--output=${mark}`]);
  expect(wasMarked()).toBe(true);
});

it.each(['ext::sh -c "touch mark"', 'EXT::sh -c "touch mark"', 'fd::0', 'foo::https://host.example/r'])(
  'the address %j starts no helper',
  async (url) => {
    const { parent, wasMarked } = world();
    const { reader, started } = realReader(parent);
    for (const isTyped of [true, false]) {
      expect(await codeOf(reader.survey({ url, isTyped, paths: [] }, never))).toBe('git/refused');
    }
    expect([wasMarked(), started.length]).toEqual([false, 0]);
    await openly(parent, ['ls-remote', 'ext::touch mark'], { GIT_ALLOW_PROTOCOL: 'ext' });
    expect(wasMarked()).toBe(true);
  },
);

it('files of this machine are nothing for an assistant to name', async () => {
  const { parent, directory } = world();
  const { reader, started } = realReader(parent);
  for (const url of [directory, `file://${directory}`, './tea.git', '~/tea.git']) {
    expect(await codeOf(reader.survey({ url, paths: [] }, never))).toBe('git/refused');
  }
  expect(started).toEqual([]);
});

it('a redirect leads nowhere', async () => {
  const { parent } = world();
  const inside = await serveGit(parent);
  const outside = await serve((request, response) =>
    response.writeHead(302, { location: `${inside.origin}${request.url}` }).end(),
  );
  const { reader } = realReader(parent, { allow: [`127.0.0.1:${outside.port}`] });
  const url = `http://127.0.0.1:${outside.port}/tea.git`;
  expect(await codeOf(reader.survey({ url, paths: [] }, never))).toBe('git/refused');
  expect(await codeOf(reader.head({ url, paths: [] }, never))).toBe('git/refused');
  expect(outside.requests.length).toBeGreaterThan(0);
  expect(inside.requests).toEqual([]);
  await openly(parent, ['ls-remote', url]);
  expect(inside.requests.length).toBeGreaterThan(0);
});

it('private hosts, and http to anybody, need the operator', async () => {
  const { parent } = world();
  const { origin, requests } = await serveGit(parent);
  const { reader } = realReader(parent);
  for (const url of [
    `${origin}/tea.git`,
    'https://127.0.0.1/r',
    'https://2130706433/r',
    'git://[::1]/r',
    'git@127.0.0.1:r',
    'ssh://git@inside.example/r',
  ]) {
    expect(await codeOf(reader.survey({ url, paths: [] }, never)), url).toBe('net/refused');
  }
  const open = realReader(parent, {
    hosts: { pin: async ({ host, port }) => ({ host, port, addresses: ['127.0.0.1'], listed: undefined }) },
  });
  expect(await codeOf(open.reader.survey({ url: `${origin}/tea.git`, paths: [] }, never))).toBe(
    'git/refused',
  );
  expect(requests).toEqual([]);
});

it('git connects where the guard has looked, whatever the name says to others', async () => {
  const { parent } = world();
  const { port, requests } = await serveGit(parent);
  const { reader } = realReader(parent, { allow: [`tea.example:${port}`] });
  const url = `http://tea.example:${port}/tea.git`;
  expect(await readAll(reader, { url, paths: [] })).toEqual(['README.md']);
  const before = requests.length;
  expect(before).toBeGreaterThan(0);
  await openly(parent, ['ls-remote', url]);
  expect(requests.length).toBe(before);
});

it('a server of plain files lends no objects of another host', async () => {
  const { parent, directory } = world();
  git(directory, ['update-server-info']);
  const inside = await serve((request, response) => answerFile(directory, request.url ?? '', response));
  const outside = await serve((request, response) => {
    if (request.url?.endsWith('/objects/info/http-alternates'))
      response.end(`http://127.0.0.1:${inside.port}/tea.git/objects\n`);
    else if (/\/(info\/refs|HEAD)/.test(request.url ?? ''))
      answerFile(directory, request.url ?? '', response);
    else response.writeHead(404).end();
  });
  const { reader } = realReader(parent, { allow: [`127.0.0.1:${outside.port}`] });
  const url = `http://127.0.0.1:${outside.port}/tea.git`;
  expect(await codeOf(reader.survey({ url, paths: [] }, never))).toBe('git/failed');
  expect(inside.requests).toEqual([]);
  await openly(parent, ['-c', 'http.followRedirects=true', 'clone', '-q', url, 'open']);
  expect(inside.requests.length).toBeGreaterThan(0);
});

function answerFile(directory: string, url: string, response: import('node:http').ServerResponse): void {
  const file = path.join(directory, url.replace(/^\/tea\.git/, '').replace(/\?.*/, ''));
  if (existsSync(file)) response.end(readFileSync(file));
  else response.writeHead(404).end();
}

const SETTINGS: Record<string, (program: string) => string> = {
  'core.fsmonitor': (program) => program,
  'core.sshCommand': (program) => program,
  'core.gitProxy': (program) => program,
  'core.pager': (program) => program,
  'diff.external': (program) => program,
  'filter.evil.smudge': (program) => program,
  'uploadpack.packObjectsHook': (program) => program,
  'credential.helper': (program) => `!${program}`,
  'alias.fetch': (program) => `!${program}`,
  'alias.ls-remote': (program) => `!${program}`,
};

it.each([
  ['bare', ''],
  ['with files', 'work'],
])('what a repository on this machine configures (%s) is not done', async (_, work) => {
  const { parent, program, directory, wasMarked } = world(
    one({ 'README.md': 'tea', '.gitattributes': '* filter=evil\n' }),
  );
  const target = work === '' ? directory : path.join(parent, work);
  if (work !== '') git(parent, ['clone', '-q', directory, target]);
  const home = work === '' ? target : path.join(target, '.git');
  for (const [key, value] of Object.entries(SETTINGS)) git(target, ['config', key, value(program)]);
  mkdirSync(path.join(home, 'hooks'), { recursive: true });
  for (const hook of [
    'post-checkout',
    'pre-auto-gc',
    'reference-transaction',
    'post-index-change',
    'pre-receive',
    'post-update',
  ]) {
    writeFileSync(path.join(home, 'hooks', hook), readFileSync(program), { mode: 0o755 });
  }
  const before = filesBelow(parent);
  const { reader } = realReader(parent);
  expect(await readAll(reader, { url: target, isTyped: true, paths: [] })).toEqual([
    '.gitattributes',
    'README.md',
  ]);
  expect([filesBelow(parent), wasMarked()]).toEqual([before, false]);
  await openly(target, work === '' ? ['fetch', '-q', '.', 'main:refs/heads/other'] : ['status']);
  expect(wasMarked()).toBe(true);
});

it('what the account and the machine configure is not done', async () => {
  const { parent, program, directory, wasMarked } = world(
    one({ 'README.md': 'tea', '.gitattributes': '* filter=evil\n' }),
  );
  const elsewhere = path.join(parent, 'elsewhere.git');
  const template = path.join(parent, 'template');
  mkdirSync(path.join(template, 'hooks'), { recursive: true });
  writeFileSync(path.join(template, 'hooks/post-checkout'), readFileSync(program), { mode: 0o755 });
  writeFileSync(path.join(template, 'hooks/reference-transaction'), readFileSync(program), { mode: 0o755 });
  const config = path.join(parent, '.gitconfig');
  const set = (key: string, value: string) => execFileSync('git', ['config', '--file', config, key, value]);
  for (const [key, value] of Object.entries(SETTINGS)) set(key, value(program));
  set('init.templateDir', template);
  set(`url.${elsewhere}.insteadOf`, 'file:///nowhere');
  const environment = {
    HOME: parent,
    GIT_CONFIG_GLOBAL: config,
    GIT_CONFIG_SYSTEM: config,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_VALUE_0: path.join(template, 'hooks'),
    GIT_TEMPLATE_DIR: template,
    GIT_SSH_COMMAND: program,
    GIT_EXEC_PATH: parent,
    GIT_ASKPASS: program,
    GIT_PROXY_COMMAND: program,
    GIT_TRACE: path.join(parent, 'trace'),
    GIT_DIR: directory,
    LD_PRELOAD: '/nowhere.so',
  };
  const before = filesBelow(parent);
  const { reader } = realReader(parent, { environment });
  const source = { url: directory, isTyped: true, paths: [] };
  expect(await readAll(reader, source)).toEqual(['.gitattributes', 'README.md']);
  expect(await codeOf(reader.survey({ ...source, url: '/nowhere' }, never))).toBe('git/not-found');
  expect([filesBelow(parent), wasMarked()]).toEqual([before, false]);
  await openly(parent, ['clone', '-q', directory, 'open']);
  expect(wasMarked()).toBe(true);
});

it('submodules are counted and never asked for', async () => {
  const inner = world(one({ 'inner.md': 'inner' }));
  const { origin, requests } = await serveGit(inner.parent);
  const commit = git(inner.directory, ['rev-parse', 'main']).trim();
  const { parent } = world(
    one({
      'README.md': 'tea',
      inner: { submodule: commit },
      '.gitmodules': `[submodule "inner"]\n\tpath = inner\n\turl = ${origin}/tea.git\n\tupdate = !touch mark\n`,
    }),
  );
  const outer = await serveGit(parent);
  const { reader } = realReader(parent, { allow: ['127.0.0.1'] });
  expect(await readAll(reader, { url: `${outer.origin}/tea.git`, paths: [] })).toEqual([
    '.gitmodules',
    'README.md',
  ]);
  expect(requests).toEqual([]);
});

it('names that lead out of a repository are not listed', async () => {
  const { parent, directory } = world();
  const blob = git(directory, ['hash-object', '-w', '--stdin'], 'x').trim();
  const raw = (name: string, mode = '100644') =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(blob, 'hex')]);
  const names = [
    '../evil',
    '..',
    '.',
    '.git',
    '.GIT',
    '.git\u200c',
    'a\\b',
    '/etc/passwd',
    'tab\there',
    '\u001b[31mred',
    'ok.md',
  ];
  const tree = git(
    directory,
    ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'],
    Buffer.concat(names.map((name) => raw(name))),
  ).trim();
  const commit = git(directory, ['commit-tree', '-m', 'x', tree]).trim();
  git(directory, ['update-ref', 'refs/heads/main', commit]);
  const { reader } = realReader(parent);
  const opened = await reader.open({ url: directory, isTyped: true, paths: [] }, {}, never);
  expect([opened.files.map((file) => file.path), opened.unusableNames]).toEqual([
    ['ok.md'],
    names.length - 1,
  ]);
  await opened.close();
});

it('nothing of the environment or the command line of git holds what a stranger wrote, but for the address', async () => {
  const { parent, directory } = world();
  const { reader, started } = realReader(parent);
  await readAll(reader, { url: directory, isTyped: true, ref: 'main', paths: ['README.md'] });
  for (const { command, environment } of started) {
    expect(command[0]).toBe('git');
    expect(environment).toMatchObject({
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: expect.stringMatching(/^(file|none)$/),
    });
    expect(command.join(' ')).not.toContain('README.md');
  }
});
