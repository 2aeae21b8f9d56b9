import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { foldedPath, linkedPlacesBelow } from './linked-places.ts';

function workspace(links: Readonly<Record<string, string>>): string {
  const base = path.join(realpathSync(temporaryDirectory()), 'workspace');
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(path.dirname(path.join(base, name)), { recursive: true });
    symlinkSync(target, path.join(base, name));
  }
  return base;
}

/** From where it comes and where it is, in the workspace. */
const found = (base: string) =>
  linkedPlacesBelow(base)
    .filter(({ from }) => from.startsWith(base))
    .map(({ from, place, protection }) => [
      path.relative(base, from),
      path.relative(foldedPath(base), place),
      protection,
    ]);

it('finds each link on the way, and the end', () => {
  expect(found(workspace({ '.vscode': 'a/b', a: 'real' }))).toEqual([
    ['.vscode', '.vscode', 'named'],
    ['.vscode', 'a', 'named'],
    ['.vscode', 'real/b', 'named'],
  ]);
});

it('finds links that lead elsewhere, nowhere or in a circle', () => {
  const base = workspace({
    '.husky': '/nowhere/hooks',
    '.idea': '.idea',
    '.git': '../../../../../../../../x',
  });
  expect(linkedPlacesBelow(base).map(({ place }) => place)).toEqual(
    expect.arrayContaining(['/nowhere/hooks', foldedPath(path.join(base, '.idea')), '/x']),
  );
});

it('follows links in a protected directory, but not those to programs of packages', () => {
  const base = workspace({
    '.git/hooks/pre-commit': '../../scripts/check',
    'node_modules/.bin/tool': '../../tool.js',
    'node_modules/one/.vscode': '../../shared',
  });
  expect(found(base).map(([, place]) => place)).toEqual(['.git/hooks/pre-commit', 'scripts/check']);
});

it('looks through a workspace as far as 20,000 names', () => {
  const base = workspace({ 'deep/.vscode': '../near', 'deep/er/.vscode': '../../far' });
  const places = () => found(base).map(([, place]) => place);
  expect(places()).toEqual(expect.arrayContaining(['near', 'far']));
  for (let at = 0; at < 20_000; at++) writeFileSync(path.join(base, 'deep', `${at}`), '');
  expect(places()).not.toContain('far');
});

it('finds nothing where there are no links', () => {
  const base = workspace({});
  expect(found(base)).toEqual([]);
});

it('finds what the settings of a repository name, each from where git looks for it', () => {
  const base = workspace({ '.git/x': 'y' });
  const config =
    '[core]\n\thooksPath = scripts # ours\n[include]\n\tpath = "../more"\n[user]\n\tname = path = x\n';
  writeFileSync(path.join(base, '.git/config'), config);
  expect(found(base).filter(([from]) => !from?.startsWith('.git'))).toEqual([
    ['scripts', 'scripts', 'named'],
    ['more', 'more', 'named'],
  ]);
});
