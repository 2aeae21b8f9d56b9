/** The rules of `.gitignore` files, as git applies them to a walk from the root down. */

import { type Glob, parseGlob } from '../../base/glob.ts';

interface IgnoreRule {
  readonly isNegated: boolean;
  readonly isForDirectories: boolean;
  /** Matches paths relative to the directory of the file. */
  readonly glob: Glob;
}

export interface IgnoreRules {
  /** Adds the rules of a `.gitignore` in a directory; rules of deeper directories must come later. */
  add(directory: string, text: string): void;
  /** A directory that is ignored is never entered, so nothing below it is asked about. */
  ignores(directory: string, name: string, isDirectory: boolean): boolean;
}

/** A hostile file cannot make a walk slow. */
const MAX_RULES = 2_000;

export function ignoreRules(): IgnoreRules {
  const byDirectory = new Map<string, readonly IgnoreRule[]>();
  return {
    add(directory, text) {
      byDirectory.set(directory, text.split(/\r?\n/).slice(0, MAX_RULES).flatMap(ruleFrom));
    },
    ignores(directory, name, isDirectory) {
      const path = directory === '' ? name : `${directory}/${name}`;
      let isIgnored = false;
      for (const above of directoriesAbove(directory)) {
        const relative = above === '' ? path : path.slice(above.length + 1);
        for (const rule of byDirectory.get(above) ?? [])
          if ((isDirectory || !rule.isForDirectories) && rule.glob.matches(relative))
            isIgnored = !rule.isNegated;
      }
      return isIgnored;
    },
  };
}

/** `a/b` gives the root, `a` and `a/b`. */
function directoriesAbove(directory: string): string[] {
  const parts = directory === '' ? [] : directory.split('/');
  return ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))];
}

/** Without the spaces at the end; a backslash keeps one. */
function withoutBareSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
}

function ruleFrom(line: string): IgnoreRule[] {
  const written = withoutBareSpaces(line);
  if (written === '' || written.startsWith('#')) return [];
  const isNegated = written.startsWith('!');
  const pattern = written.slice(isNegated ? 1 : 0).replace(/^\\(?=[#!])/, '');
  const name = pattern.replace(/\/$/, '');
  const isAnchored = name.includes('/');
  const glob = parseGlob(isAnchored ? name.replace(/^\//, '') : `**/${name}`);
  return name !== '' && glob.ok
    ? [{ isNegated, isForDirectories: pattern.endsWith('/'), glob: glob.glob }]
    : [];
}
