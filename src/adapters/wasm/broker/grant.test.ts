import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scaled } from '../../../../test/scale.ts';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { swapWithLink } from '../../../../test/wasm/swap-with-link.ts';
import type { Anchoring } from '../../paths/anchor.ts';
import { openGranted } from './grant.ts';
import { OpenHandles } from './guest-files.ts';
import { linkedPlacesBelow } from './linked-places.ts';

const linkedPlaces = linkedPlacesBelow;
const ANCHORINGS = ['descriptor', 'path'] as const;

function world() {
  const base = realpathSync(temporaryDirectory());
  const workspace = path.join(base, 'workspace');
  for (const name of ['workspace/place/sub', 'workspace/.git/hooks', 'outside/sub'])
    mkdirSync(path.join(base, name), { recursive: true });
  writeFileSync(path.join(workspace, 'place/sub/file.txt'), 'inside');
  writeFileSync(path.join(base, 'outside/sub/file.txt'), 'SECRET');
  symlinkSync('../outside', path.join(workspace, 'link'));
  symlinkSync('place', path.join(workspace, 'short'));
  return workspace;
}

function grant(workspace: string, inside: string, anchoring: Anchoring, access: 'read' | 'write' = 'write') {
  const handles = new OpenHandles();
  onTestFinished(() => handles.closeAll());
  const hostPath = path.join(workspace, inside);
  const guestPath = `/workspace/${inside}`;
  const directory = openGranted(
    handles,
    { guestPath, hostPath, access, within: workspace },
    { anchoring, linkedPlaces },
  );
  return directory && { ...directory, path: directory.anchor.path };
}

it.each(ANCHORINGS)('grants what lies inside, by its real path: %s', (anchoring) => {
  const workspace = world();
  expect(grant(workspace, '.', anchoring)?.path).toBe(workspace);
  for (const name of ['place/sub', 'short/sub', 'place/../short/sub']) {
    const found = grant(workspace, name, anchoring);
    expect(found).toMatchObject({
      path: path.join(workspace, 'place/sub'),
      guestPath: `/workspace/${name}`,
      writeRefusal: undefined,
    });
    expect(readFileSync(`/proc/self/fd/${found?.handle.fd}/file.txt`, 'utf8')).toBe('inside');
  }
});

it.each(ANCHORINGS)('grants nothing outside, and nothing that is missing: %s', (anchoring) => {
  const workspace = world();
  for (const name of ['link', 'link/sub', '../outside', 'missing', 'missing/sub'])
    expect(grant(workspace, name, anchoring)).toBeUndefined();
});

it.each(ANCHORINGS)('says so of what is no directory: %s', (anchoring) => {
  expect(() => grant(world(), 'place/sub/file.txt', anchoring)).toThrow(
    '/workspace/place/sub/file.txt is not a directory',
  );
});

it.each(ANCHORINGS)('lets nothing be changed that is only read or protected: %s', (anchoring) => {
  const workspace = world();
  expect(grant(workspace, 'place', anchoring, 'read')?.writeRefusal).toBe('read-only');
  expect(grant(workspace, '.', anchoring, 'read')?.writeRefusal).toBe('read-only');
  for (const name of ['.git', '.git/hooks'])
    expect(grant(workspace, name, anchoring)?.writeRefusal).toBe('not-permitted');
});

it.each(ANCHORINGS)('lets a protected directory be changed by its own name alone: %s', (anchoring) => {
  const workspace = world();
  mkdirSync(path.join(workspace, '.vscode'));
  symlinkSync('.vscode', path.join(workspace, 'other-name'));
  expect(grant(workspace, '.vscode', anchoring)?.writeRefusal).toBeUndefined();
  expect(grant(workspace, './.vscode/', anchoring)?.writeRefusal).toBeUndefined();
  expect(grant(workspace, 'other-name', anchoring)?.writeRefusal).toBe('not-permitted');
});

it.each(ANCHORINGS)(
  'lets what a protected link leads to be changed where the link is granted: %s',
  (anchoring) => {
    const workspace = world();
    symlinkSync('place/sub', path.join(workspace, '.vscode'));
    symlinkSync('place/sub', path.join(workspace, '.kenrc'));
    mkdirSync(path.join(workspace, 'place/other'));
    symlinkSync('place/other', path.join(workspace, '.idea'));
    const file = (name: string) => path.join(workspace, name, 'file.txt');
    const isLinked = (granted: string, name: string) =>
      grant(workspace, granted, anchoring)?.links.isLinked(file(name));
    expect(isLinked('.idea', 'place/other')).toBe(false);
    for (const granted of ['.', 'place', 'place/other', '.vscode'])
      expect(isLinked(granted, 'place/other')).toBe(true);
    // Another link to it can never be changed.
    expect(isLinked('.vscode', 'place/sub')).toBe(true);
  },
);

it('grants nothing outside while a directory on the way is swapped for a link', async () => {
  const workspace = world();
  swapWithLink(workspace);
  const hostPath = path.join(workspace, 'place/sub');
  const granted = { guestPath: '/w', hostPath, access: 'read', within: workspace } as const;
  const seen = new Set<string>();
  for (let at = 0; at < scaled(5000); at++) {
    const handles = new OpenHandles();
    const directory = openGranted(handles, granted, { anchoring: 'descriptor', linkedPlaces });
    if (directory) seen.add(readFileSync(`/proc/self/fd/${directory.handle.fd}/file.txt`, 'utf8'));
    handles.closeAll();
  }
  expect(seen).toEqual(new Set(['inside']));
});
