import { closeSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { completesRepository, protectedInside, protectionOf } from './protected-names.ts';

function anchorOf(...names: readonly string[]) {
  return anchorIn('w', ...names);
}

function anchorIn(own: string, ...names: readonly string[]) {
  const directory = path.join(temporaryDirectory(), own);
  mkdirSync(directory);
  for (const name of names) writeFileSync(path.join(directory, name), '');
  const fd = openSync(directory, 'r');
  onTestFinished(() => closeSync(fd));
  return { anchoring: 'path', fd, path: directory } as const;
}

it.each([
  ...['.git', '.ken', '.GIT', '.Ken', '.kenya', '.g\u200bit', '.\u200cgit', '.git\ufeff', '\uff0egit'],
  ...['.git ', '.git.', '.git. .', '.git::$INDEX_ALLOCATION', '.git:x', 'git~1', 'GIT~2', 'ken~1', 'kenya~1'],
])('protects %j for ever', (name) => {
  expect(protectionOf(anchorOf(), name)).toBe('never');
});

it.each([
  ['w', '.gitmodules'],
  ['w', '.gitconfig'],
  ['w', '.husky'],
  ['w', '.githooks'],
  ['w', '.envrc'],
  ['w', '.vscode'],
  ['w', '.Idea'],
  ['w', '.bashrc'],
  ['w', '.zshenv'],
  ['w', '.mcp.json'],
  ['w', '.claude'],
  ['w', '.npmrc'],
  ['w', '.hg'],
  ['w', '.cargo'],
  ['w', '.gitlab-ci.yml'],
  ['w', '.nvim.lua'],
  ['w', '.envrc.'],
  ['.github', 'workflows'],
  ['.GitHub', 'Workflows'],
  ['node_modules', '.bin'],
])('protects in %j the name %j unless it is named', (directoryName, name) => {
  expect(protectionOf(anchorIn(directoryName), name)).toBe('named');
});

it.each([
  'git',
  '.github',
  '.gitignore',
  '..git',
  'a.git',
  '.gi t',
  'workflows',
  'hooks',
  'config',
  '.bin',
  'constructor',
  'git~',
  'token~1',
  '.env',
  'a:b',
])('leaves %j alone', (name) => {
  expect(protectionOf(anchorOf(), name)).toBeUndefined();
});

it.each([
  ['hooks', ['HEAD']],
  ['hooks', ['objects']],
  ['config', ['HEAD', 'objects']],
  ['config', ['HEAD', 'commondir']],
  ['config.worktree', ['HEAD', 'commondir']],
  ['rebase-merge', ['HEAD', 'objects']],
  ['commondir', ['HEAD']],
])('protects %j beside %j', (name, beside) => {
  expect(protectionOf(anchorOf(...beside), name)).toBe('named');
});

it.each([
  ['HEAD', ['objects', 'refs'], true],
  ['head', ['objects', 'refs'], true],
  ['refs', ['HEAD', 'objects'], true],
  ['objects', ['HEAD', 'refs'], true],
  ['commondir', ['HEAD'], true],
  ['HEAD', ['commondir'], true],
  ['HEAD', ['objects'], false],
  ['objects', ['refs'], false],
  ['commondir', ['objects', 'refs'], false],
  ['other', ['HEAD', 'objects', 'refs'], false],
])('says whether %j beside %j makes a repository: %s', (name, beside, completes) => {
  expect(completesRepository(anchorOf(...beside), name)).toBe(completes);
});

it.runIf(process.platform === 'linux')('goes by the name that a directory has now', () => {
  const anchor = { ...anchorIn('w'), anchoring: 'descriptor' } as const;
  expect(protectionOf(anchor, 'workflows')).toBeUndefined();
  renameSync(anchor.path, path.join(path.dirname(anchor.path), '.github'));
  expect(protectionOf(anchor, 'workflows')).toBe('named');
});

it('names what a directory must not bring with it', () => {
  expect(['.GITHUB', 'node_modules', 'src'].map(protectedInside)).toEqual(['workflows', '.bin', undefined]);
});
