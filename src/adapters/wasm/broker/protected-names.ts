/** Names under which other programs find code to execute. A tool that may write cannot create or change them. */

import { lstatSync } from 'node:fs';
import { type Anchor, within } from '../../paths/anchor.ts';
import { attempt } from '../wire/error.ts';

/** `never`: cannot be changed. `named`: can be changed if the tool's `paths` names exactly that directory. */
export type Protection = 'never' | 'named';

/** Folded, as `fold` returns them. */
const NAMED = new Set([
  ...['.gitmodules', '.gitconfig', '.gitattributes', '.husky', '.githooks', '.envrc', '.vscode', '.idea'],
  ...['.profile', '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.inputrc'],
  ...[
    '.zshrc',
    '.zshenv',
    '.zprofile',
    '.zlogin',
    '.zlogout',
    '.kshrc',
    '.mkshrc',
    '.login',
    '.cshrc',
    '.tcshrc',
  ],
  ...['config.fish', 'fish_variables', '.xprofile', '.xinitrc', '.xsession'],
]);

/** Directories that are protected inside another one. */
const INSIDE: Readonly<Record<string, string>> = { '.github': 'workflows', node_modules: '.bin' };

export interface NamedPlace {
  readonly anchor: Anchor;
  /** The directory's own name on the host. */
  readonly directoryName: string;
  readonly name: string;
}

export function protectionOf({ anchor, directoryName, name }: NamedPlace): Protection | undefined {
  const folded = fold(name);
  if (folded === '.git' || folded.startsWith('.ken')) return 'never';
  if (NAMED.has(folded)) return 'named';
  const inside = fold(directoryName);
  if (Object.hasOwn(INSIDE, inside) && INSIDE[inside] === folded) return 'named';
  return isExecutedByGit(anchor, folded) ? 'named' : undefined;
}

/** Hooks and settings of a repository without a directory `.git`. */
function isExecutedByGit(anchor: Anchor, folded: string): boolean {
  if (folded === 'hooks') return exists(anchor, 'HEAD') || exists(anchor, 'objects');
  if (folded !== 'config' && folded !== 'config.worktree') return false;
  return exists(anchor, 'HEAD') && (exists(anchor, 'objects') || exists(anchor, 'commondir'));
}

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

/** The name in a moved directory that would become protected under the directory's new name. */
export function protectedInside(newName: string): string | undefined {
  const folded = fold(newName);
  return Object.hasOwn(INSIDE, folded) ? INSIDE[folded] : undefined;
}

/** Ignores case and invisible characters, as some file systems do. */
function fold(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
}

function exists(anchor: Anchor, name: string): boolean {
  return (
    attempt(() => within(anchor, name, (path) => lstatSync(path, { throwIfNoEntry: false }))) !== undefined
  );
}
