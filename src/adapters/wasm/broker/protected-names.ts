/** Names under which other programs find code to execute. A tool that may write cannot create or change them. */

import { lstatSync } from 'node:fs';
import { type Anchor, nameOf, within } from '../../paths/anchor.ts';
import { attempt } from '../wire/error.ts';

/** `never`: cannot be changed. `named`: can be changed if the tool's `paths` names exactly that directory. */
export type Protection = 'never' | 'named';

/** Folded, as `fold` returns them. Programs execute what these say, or what lies in them, without being told to. */
const NAMED = new Set([
  // git and others like it, and programs that they or a build server start
  ...['.hg', '.jj', '.gitmodules', '.gitconfig', '.gitattributes', '.husky', '.githooks'],
  '.pre-commit-config.yaml',
  ...[
    'lefthook.yml',
    '.lefthook.yml',
    '.gitlab-ci.yml',
    '.circleci',
    '.buildkite',
    '.travis.yml',
    '.woodpecker',
  ],
  // editors, debuggers and containers
  ...['.vscode', '.idea', '.zed', '.exrc', '.vimrc', '.nvimrc', '.nvim.lua', '.dir-locals.el', '.gdbinit'],
  ...['.lldbinit', '.devcontainer', '.devcontainer.json'],
  // assistants
  ...['.mcp.json', '.claude', '.codex', '.cursor', '.gemini', '.windsurf', '.opencode'],
  // package managers
  ...['.cargo', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnp.cjs', '.pnp.loader.mjs'],
  // shells, and what they load in a directory
  ...['.envrc', '.mise.toml', 'mise.toml', '.profile', '.inputrc', '.login', 'config.fish', 'fish_variables'],
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.kshrc', '.mkshrc'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.cshrc', '.tcshrc'],
  ...['.xprofile', '.xinitrc', '.xsession'],
]);

/** Directories that are protected inside another one. */
const INSIDE = new Map([
  ['.github', 'workflows'],
  ['node_modules', '.bin'],
]);
const OUTER = new Map(Array.from(INSIDE, ([outer, inner]) => [inner, outer]));

/** The directory around a name. */
export interface Surroundings {
  /** The name of the directory. */
  directory(): string;
  has(name: string): boolean;
}

export function protectionOf(anchor: Anchor, name: string): Protection | undefined {
  return protectionAmong({ directory: () => nameOf(anchor), has: (other) => exists(anchor, other) }, name);
}

export function protectionAmong({ directory, has }: Surroundings, name: string): Protection | undefined {
  const folded = fold(name);
  if (folded === '.git' || folded.startsWith('.ken') || SHORT_NAME.test(folded)) return 'never';
  if (NAMED.has(folded)) return 'named';
  const outer = OUTER.get(folded);
  if (outer !== undefined && fold(directory()) === outer) return 'named';
  return isExecutedByGit(has, folded) ? 'named' : undefined;
}

/** Hooks and settings of a repository without a directory `.git`, and the file that says where else they are. */
function isExecutedByGit(has: Surroundings['has'], folded: string): boolean {
  if (folded === 'hooks') return has('HEAD') || has('objects');
  if (folded === 'commondir') return has('HEAD');
  if (!GIT_RUNS.has(folded)) return false;
  return has('HEAD') && (has('objects') || has('commondir'));
}

/** Settings that name programs, and the commands of a rebase that goes on. */
const GIT_RUNS = new Set(['config', 'config.worktree', 'rebase-merge']);

const REPOSITORY = ['HEAD', 'objects', 'refs', 'commondir'];

/**
 * Whether a new `name` makes the directory a git repository, whose settings git would then obey: one is recognised by
 * HEAD with `objects` and `refs`, or with `commondir`, which says where those are.
 */
export function completesRepository(anchor: Anchor, name: string): boolean {
  const folded = fold(name);
  const added = REPOSITORY.find((part) => part.toLowerCase() === folded);
  if (added === undefined) return false;
  const has = (part: string) => part === added || exists(anchor, part);
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')));
}

/** The names that are protected wherever they are, in their usual spelling. */
export const PROTECTED_ANYWHERE: readonly string[] = ['.git', '.ken', ...NAMED];

/** The name in a directory of this name that is protected, or in a moved directory that would become protected under the directory's new name. */
export function protectedInside(newName: string): string | undefined {
  return INSIDE.get(fold(newName));
}

/** The names of eight letters that Windows gives `.git` and `.ken`. */
const SHORT_NAME = /^(?:git|ken[a-z0-9]*)~\d+$/;

/** Ignores case and invisible characters, as some file systems do, and what Windows ignores at the end of a name. */
export function fold(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
}

function exists(anchor: Anchor, name: string): boolean {
  return (
    attempt(() => within(anchor, name, (path) => lstatSync(path, { throwIfNoEntry: false }))) !== undefined
  );
}
