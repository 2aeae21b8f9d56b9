import { chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { findWorkspace, namedWorkspace } from './find-workspace.ts';

const isRoot = process.getuid?.() === 0;

function tree() {
  const root = temporaryDirectory();
  const deep = path.join(root, 'a', 'b');
  mkdirSync(deep, { recursive: true });
  const workspace = { root, home: path.join(root, '.ken') };
  return { root, deep, workspace, inner: path.join(root, 'a', '.ken') };
}

it('finds the nearest one above', () => {
  const { root, deep, workspace } = tree();
  mkdirSync(workspace.home);
  expect(findWorkspace(deep)).toEqual({ workspace, skipped: [] });
  mkdirSync(path.join(deep, '.ken'));
  expect(findWorkspace(deep).workspace?.root).toBe(deep);
  expect(findWorkspace(root).workspace?.root).toBe(root);
});

it('knows it by its real path', () => {
  const { root, workspace } = tree();
  mkdirSync(workspace.home);
  symlinkSync(path.join(root, 'a'), path.join(root, 'link'));
  expect(findWorkspace(path.join(root, 'link', 'b')).workspace).toEqual(workspace);
  symlinkSync(root, path.join(root, 'self'));
  expect(namedWorkspace(path.join(root, 'self'))).toEqual(workspace);
});

it('passes over a link and a file, and says so', () => {
  const { root, deep, workspace, inner } = tree();
  mkdirSync(workspace.home);
  mkdirSync(path.join(root, 'elsewhere'));
  symlinkSync(path.join(root, 'elsewhere'), inner);
  writeFileSync(path.join(deep, '.ken'), '');
  expect(findWorkspace(deep)).toEqual({
    workspace,
    skipped: [
      {
        path: path.join(deep, '.ken'),
        problem: 'is not a directory',
        hint: 'Rename it and run "ken init".',
      },
      {
        path: inner,
        problem: 'is a symbolic link, which ken does not follow',
        hint: 'Put a directory in its place, or use the workspace it leads to with --workspace.',
      },
    ],
  });
  expect(() => namedWorkspace(path.join(root, 'a'))).toThrow(
    `${inner} is a symbolic link, which ken does not follow.`,
  );
});

it.skipIf(!isRoot)("passes over somebody else's (needs root to make one)", () => {
  const { root, deep, inner } = tree();
  mkdirSync(inner);
  chownSync(inner, 1, 1);
  const { workspace, skipped } = findWorkspace(deep);
  expect(workspace?.root).not.toBe(path.join(root, 'a'));
  expect(skipped[0]).toEqual({
    path: inner,
    problem: 'belongs to another account',
    hint: 'Run ken as its owner, or take it over with chown if you trust what is in it.',
  });
});

it('says that there is no such directory to look from', () => {
  const { root } = tree();
  writeFileSync(path.join(root, 'file'), '');
  for (const none of [path.join(root, 'none/below'), path.join(root, 'file/below')])
    expect(() => findWorkspace(none)).toThrow(
      expect.objectContaining({ code: 'workspace/not-found', message: `There is no directory ${none}.` }),
    );
});

it('says that a name is not UTF-8, which no path of Node can hold', () => {
  const { root } = tree();
  const name = path.join(root, Buffer.from([0x61, 0xff]).toString());
  expect(() => findWorkspace(name)).toThrow(`The name of ${name} is not UTF-8.`);
});

it('says what is wrong with a directory that was named', () => {
  const { root } = tree();
  expect(() => namedWorkspace(path.join(root, 'none'))).toThrow(`There is no directory ${root}/none.`);
  expect(() => namedWorkspace(root)).toThrow(`${root} is not a workspace.`);
});
