/**
 * Protected names that are links: `.vscode -> shared/vscode`, or a hook of git that leads to a script. A program that
 * executes something under the protected name executes the target, by whatever name that is changed.
 */

import {
  type Dirent,
  lstatSync,
  opendirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import {
  fold,
  PROTECTED_ANYWHERE,
  type Protection,
  protectedInside,
  protectionAmong,
} from './protected-names.ts';

/** A place that a link, or a link behind it, leads to; or that of a link on the way. */
export interface LinkedPlace {
  /** Real and folded. */
  readonly place: string;
  /** The host path of the protected name. */
  readonly from: string;
  readonly protection: Protection;
}

/** Knows what must not be changed below a granted directory because a protected name leads to it. */
export interface LinkGuard {
  /** Whether it lies at or below such a place. */
  isLinked(realPath: string): boolean;
  /** The same, or whether such a place lies below it, which moves along. */
  isOnTheWay(realPath: string): boolean;
}

export const NO_LINKS: LinkGuard = { isLinked: () => false, isOnTheWay: () => false };

/** `granted` is the directory as its entry names it: an entry may name a protected name, which is a link. */
export function linkGuard(granted: string, find: () => readonly LinkedPlace[]): LinkGuard {
  let found: readonly string[] | undefined;
  const places = () => {
    found ??= find()
      .filter(({ from, protection }) => protection === 'never' || from !== granted)
      .map(({ place }) => place);
    return found;
  };
  const isLinked = (folded: string) => places().some((place) => isAtOrBelow(folded, place));
  return {
    isLinked: (realPath) => isLinked(foldedPath(realPath)),
    isOnTheWay(realPath) {
      const folded = foldedPath(realPath);
      return isLinked(folded) || places().some((place) => isAtOrBelow(place, folded));
    },
  };
}

function isAtOrBelow(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** The names that are looked at in a workspace, the nearest first; a larger one may have links that are not found. */
const MOST_NAMES = 20_000;
/** In protected directories above it and in the home directory, whose own names are not read. */
const MOST_NAMES_AROUND = 2000;

/**
 * Looks through the directory and below, and at the usual names in the directories above and in the home directory:
 * `~/.bashrc` may be a link into a workspace. `base` is a real path.
 */
export function linkedPlacesBelow(base: string): readonly LinkedPlace[] {
  const [inside, around] = [new Search(MOST_NAMES), new Search(MOST_NAMES_AROUND)];
  inside.lookThrough(base);
  for (let at = path.dirname(base), last = base; at !== last; last = at, at = path.dirname(at))
    around.lookIn(at);
  around.lookIn(realDirectory(homedir()));
  return [...inside.places, ...around.places];
}

class Search {
  readonly places: LinkedPlace[] = [];
  /** How many more names are read. */
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Looks at the usual names alone: the directory may be large, and is not the guest's. */
  lookIn(directory: string): void {
    for (const name of PROTECTED_ANYWHERE) {
      const protection = protectionAmong({ directory: () => '', has: () => false }, name);
      if (protection) this.#lookAt(path.join(directory, name), protection);
    }
    for (const outer of ['.github', 'node_modules']) this.#lookAtInner(path.join(directory, outer));
  }

  lookThrough(base: string): void {
    const waiting = [base];
    for (let directory = waiting.shift(); directory !== undefined; directory = waiting.shift()) {
      const entries = this.#entries(directory);
      const names = new Set(entries.map(({ name }) => name));
      const around = { directory: () => path.basename(directory), has: (name: string) => names.has(name) };
      for (const entry of entries) {
        const at = path.join(directory, entry.name);
        const protection = protectionAmong(around, entry.name);
        if (protection) this.#lookAt(at, protection);
        else if (entry.isSymbolicLink()) this.#lookAtInner(at);
        else if (entry.isDirectory() && entry.name === PACKAGES) this.#lookAtInner(at);
        else if (entry.isDirectory()) waiting.push(at);
      }
    }
  }

  /** A protected name: a link itself, or a directory that holds links. */
  #lookAt(from: string, protection: Protection, { depth = 0, start = path.dirname(from) } = {}): void {
    const passed = linksTo(start, from);
    const end = passed.at(-1) ?? from;
    if (passed.length > 1) this.#add(passed, from, protection);
    if (depth === 0 && path.basename(from) === '.git') this.#lookAtNamed(path.join(from, 'config'));
    // The links in `.bin` lead to programs of the workspace, which nothing executes unasked.
    if (depth >= DEEPEST || path.basename(from) === '.bin' || !isDirectory(end)) return;
    for (const entry of this.#entries(end)) {
      const inside = path.join(end, entry.name);
      if (entry.isSymbolicLink() || entry.isDirectory())
        this.#lookAt(inside, protection, { depth: depth + 1 });
    }
  }

  /** Hooks and settings that the settings of a repository name are executed like those that lie in `.git`. */
  #lookAtNamed(config: string): void {
    for (const from of namedBy(config)) {
      this.#add(linksTo('/', from), from, 'named');
      this.#lookAt(from, 'named', { start: '/' });
    }
  }

  #add(places: readonly string[], from: string, protection: Protection): void {
    for (const place of places) this.places.push({ place: foldedPath(place), from, protection });
  }

  /** A directory, or a link to one, in which a name is protected. */
  #lookAtInner(at: string): void {
    const inner = protectedInside(path.basename(at));
    if (inner !== undefined) this.#lookAt(path.join(at, inner), 'named', { start: path.dirname(at) });
  }

  /** Nothing where the directory cannot be read, or enough was read. */
  #entries(directory: string): Dirent[] {
    const entries: Dirent[] = [];
    try {
      const open = opendirSync(directory, { bufferSize: ENTRIES_AT_ONCE });
      for (let entry = open.readSync(); entry && this.#left > 0; entry = open.readSync()) {
        this.#left -= 1;
        entries.push(entry);
      }
      open.closeSync();
    } catch {
      return entries;
    }
    return entries;
  }
}

const ENTRIES_AT_ONCE = 512;
const PACKAGES = 'node_modules';
/** Below a protected directory: `.git/hooks/pre-commit`. */
const DEEPEST = 2;
const MOST_LINKS = 40;

const LONGEST_CONFIG = 65_536;

/** The places that settings of git name: `core.hooksPath`, from the work tree, and `include.path`, from the file. */
function namedBy(config: string): string[] {
  const hooks = path.dirname(path.dirname(config));
  return configText(config)
    .split('\n')
    .flatMap((line) => {
      const [, key = '', value = ''] =
        /^\s*(?:\[[^\]]*\]\s*)?(hookspath|path)\s*=\s*"?([^"#;]+)/i.exec(line) ?? [];
      const named = value.trim().replace(/^~(?=\/)/, homedir());
      if (named === '') return [];
      return path.resolve(key.toLowerCase() === 'path' ? path.dirname(config) : hooks, named);
    });
}

/** Nothing where there is no such file, or it is larger than settings are. */
function configText(config: string): string {
  try {
    const found = statSync(config);
    return found.isFile() && found.size <= LONGEST_CONFIG ? readFileSync(config, 'utf8') : '';
  } catch {
    return '';
  }
}

/** The links on the way from a real directory, each by its real path, and the end; nothing need exist there. */
function linksTo(start: string, from: string): string[] {
  const passed: string[] = [];
  const remaining = path.relative(start, from).split('/').reverse();
  let at = start;
  for (let name = remaining.pop(); name !== undefined; name = remaining.pop()) {
    if (name === '' || name === '.') continue;
    const next = path.join(at, name);
    const target = name === '..' ? undefined : targetOf(next);
    if (target === undefined) at = next;
    else {
      passed.push(next);
      if (passed.length > MOST_LINKS) return passed;
      if (target.startsWith('/')) at = '/';
      remaining.push(...target.split('/').reverse());
    }
  }
  return [...passed, at];
}

/** Undefined for what is no link. */
function targetOf(file: string): string | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(file) : undefined;
  } catch {
    return undefined;
  }
}

function realDirectory(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}

function isDirectory(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/** Some file systems take two spellings for one name. */
export function foldedPath(place: string): string {
  return place.split('/').map(fold).join('/');
}
