import { mkdirSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { directoriesOutside, environmentOutside, foreignPlaces, programPath } from './find-workspace.ts';

/** A clone with a workspace further below, an operator's home beside it, and a link into the clone. */
function scene() {
  const root = temporaryDirectory();
  const at = (relative: string) => path.join(root, relative);
  for (const each of ['clone/.git', 'clone/bin', 'clone/sub/.ken', 'clone/dotfiles/ken', 'home', 'bin'])
    mkdirSync(at(each), { recursive: true });
  symlinkSync(at('clone/dotfiles'), at('home/linked'));
  symlinkSync(at('clone'), at('again'));
  symlinkSync(at('bin'), at('clone/out'));
  const workspace = { root: at('clone/sub'), home: at('clone/sub/.ken') };
  return { at, workspace };
}

const named = (config: string, cache = '/nowhere/cache') => ({
  config,
  data: '/nowhere/data',
  state: '/nowhere/state',
  cache,
});

const never = (text: string) => {
  throw new Error(text);
};

it.each(['clone/kh', 'clone/sub/kh', 'again/kh', 'clone/.git/kh', 'clone/out/kh'])(
  'refuses the operator’s files in %s, from the workspace and from the clone alone',
  (relative) => {
    const { at, workspace } = scene();
    for (const places of [foreignPlaces(workspace, at('')), foreignPlaces(undefined, at('clone/sub'))])
      expect(() => directoriesOutside(places, named(at(relative)), never)).toThrow(
        /where your own files are kept, lies inside the (?:workspace|repository)/,
      );
  },
);

it('uses what lies elsewhere, also behind a link into one’s own dotfiles', () => {
  const { at, workspace } = scene();
  for (const relative of ['home/kh', 'home/linked/ken', 'bin'])
    for (const places of [foreignPlaces(workspace, at('')), foreignPlaces(undefined, at('clone'))])
      expect(directoriesOutside(places, named(at(relative)), never).state).toBe('/nowhere/state');
});

it('uses no cache in the clone, and says where the cache is instead', () => {
  const { at, workspace } = scene();
  const warnings: string[] = [];
  const { cache } = directoriesOutside(
    foreignPlaces(workspace, at('')),
    named('/nowhere/config', at('clone/.cache')),
    (text) => warnings.push(text),
  );
  expect({ cache, warnings }).toEqual({
    cache: '/nowhere/state/cache',
    warnings: [
      `the cache directory ${at('clone')}/.cache lies inside the repository ${at('clone')} and is not used; /nowhere/state/cache is.`,
    ],
  });
});

it('finds programs neither in the clone nor behind a link of it', () => {
  const { at, workspace } = scene();
  const searched = ['clone/bin', 'clone/sub', 'again/bin', 'clone/out', 'bin'].map(at).join(':');
  for (const places of [foreignPlaces(workspace, at('')), foreignPlaces(undefined, at('clone'))])
    expect(programPath(searched, places)).toBe(at('bin'));
});

it('a home that is a repository holds the operator’s files, outside of its .ken and .git', () => {
  const home = userInfo().homedir;
  const places = [{ root: home, kind: 'repository' }] as const;
  expect(directoriesOutside(places, named(`${home}/.config/ken`), never).data).toBe('/nowhere/data');
  for (const mark of ['.git', '.ken'])
    expect(() => directoriesOutside(places, named(`${home}/${mark}/x`), never)).toThrow('lies inside');
});

it('uses no program of the clone that a variable names, and no relative path', () => {
  const { at, workspace } = scene();
  const places = foreignPlaces(workspace, at(''));
  const outside = (name: string, value: string) => {
    const warnings: string[] = [];
    const environment = environmentOutside(places, { [name]: value, PATH: '/bin' }, (text) =>
      warnings.push(text),
    );
    return { value: environment[name], warned: warnings.length };
  };
  for (const name of ['VISUAL', 'EDITOR', 'PAGER', 'CLANG', 'RUSTC']) {
    for (const value of [
      at('clone/bin/vi'),
      `${at('clone/sub/vi')} -w`,
      './vi',
      'bin/vi',
      at('again/bin/vi'),
    ])
      expect({ name, given: value, ...outside(name, value) }).toEqual({
        ...{ name, given: value, value: undefined, warned: 1 },
      });
    for (const value of ['vi', 'code --wait', '/usr/bin/vi', at('bin/vi'), ''])
      expect(outside(name, value)).toEqual({ value, warned: 0 });
  }
});
