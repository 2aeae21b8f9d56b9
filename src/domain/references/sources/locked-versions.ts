/** The version of a package that a project uses, as its lock file says. Lock files come with a repository: only versions are believed. */

import { isJsonList, type Json, memberOf, parseJson } from '../../../base/json.ts';
import { isVersion } from './version-ref.ts';

type ReadLock = (text: string, name: string) => readonly unknown[];

/** Each distinct version; none when the file does not have the package. */
export function lockedVersions(file: string, text: string, name: string): readonly string[] {
  const found = LOCKS.get(file)?.(text, name) ?? [];
  return [...new Set(found.flatMap((each) => (typeof each === 'string' && isVersion(each) ? [each] : [])))];
}

const LOCKS: ReadonlyMap<string, ReadLock> = new Map<string, ReadLock>([
  ['package-lock.json', inPackageLock],
  ['npm-shrinkwrap.json', inPackageLock],
  ['pnpm-lock.yaml', inPnpmLock],
  ['yarn.lock', inYarnLock],
  ['bun.lock', inBunLock],
  ['Cargo.lock', inTomlPackages],
  ['uv.lock', inTomlPackages],
  ['poetry.lock', inTomlPackages],
  ['pdm.lock', inTomlPackages],
  ['Pipfile.lock', inPipfileLock],
  ['go.mod', inGoMod],
  ['go.sum', inGoSum],
  ['Gemfile.lock', inGemfileLock],
  ['composer.lock', inComposerLock],
]);

export const LOCK_FILES: readonly string[] = [...LOCKS.keys()];

/** The project's own dependency first: another one's may be older. */
function inPackageLock(text: string, name: string): readonly unknown[] {
  const lock = parseJson(text);
  const packages = memberOf(lock, 'packages');
  const top = memberOf(memberOf(packages, `node_modules/${name}`), 'version');
  if (top !== undefined) return [top];
  const nested = membersOf(packages).filter(([path]) => path.endsWith(`/node_modules/${name}`));
  if (nested.length > 0) return nested.map(([, entry]) => memberOf(entry, 'version'));
  return [memberOf(memberOf(memberOf(lock, 'dependencies'), name), 'version')];
}

function membersOf(value: Json | undefined): [string, Json][] {
  return typeof value === 'object' && value !== null && !isJsonList(value) ? Object.entries(value) : [];
}

/** A direct dependency has its version two lines below its name; others are keys of `packages`. */
function inPnpmLock(text: string, name: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  const direct = lines.flatMap((line, at) => {
    if (unquoted(line.trim().replace(/:$/, '')) !== name || !line.trimEnd().endsWith(':')) return [];
    const version = lines.slice(at + 1, at + 3).flatMap((next) => /^\s+version: (\S+)/.exec(next)?.[1] ?? []);
    return version.map((each) => unquoted(each).replace(/\(.*$/, ''));
  });
  if (direct.length > 0) return direct;
  return lines.flatMap((line) => {
    const key = /^ {2}(\S+):\s*$/.exec(line)?.[1];
    const spec = unquoted(key ?? '').replace(/^\//, '');
    const isOne = spec.startsWith(`${name}@`) || spec.startsWith(`${name}/`);
    return isOne ? [spec.slice(name.length + 1).replace(/[(_].*$/, '')] : [];
  });
}

/** A header line with what was asked for, and the version below it. */
function inYarnLock(text: string, name: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, at) => {
    if (!/^["\w@]/.test(line) || !line.endsWith(':')) return [];
    const asked = line
      .slice(0, -1)
      .split(',')
      .map((each) => unquoted(each.trim()).replace(/^"|"$/g, ''));
    if (!asked.some((each) => each.startsWith(`${name}@`))) return [];
    return lines
      .slice(at + 1, at + 3)
      .flatMap((next) => /^\s+version:? "?([^"\s]+)"?$/.exec(next)?.[1] ?? []);
  });
}

function inBunLock(text: string, name: string): readonly string[] {
  const start = `${JSON.stringify(name)}: ["${name}@`;
  return text.split('\n').flatMap((line) => {
    const at = line.indexOf(start);
    return at === -1 ? [] : [/^[^"]*/.exec(line.slice(at + start.length))?.[0] ?? ''];
  });
}

/** Names of Python packages are the same whatever stands between their words. */
function inTomlPackages(text: string, name: string): readonly string[] {
  const same = (each: string) => each.toLowerCase().replace(/[-_.]+/g, '-');
  return text.split(/^\[\[package\]\]\s*$/m).flatMap((block) => {
    const named = /^name = "([^"\n]+)"/m.exec(block)?.[1];
    const version = /^version = "([^"\n]+)"/m.exec(block)?.[1];
    return named !== undefined && version !== undefined && same(named) === same(name) ? [version] : [];
  });
}

function inPipfileLock(text: string, name: string): readonly unknown[] {
  const lock = parseJson(text);
  return ['default', 'develop'].map((part) => {
    const version = memberOf(memberOf(memberOf(lock, part), name), 'version');
    return typeof version === 'string' ? version.replace(/^==/, '') : undefined;
  });
}

function inGoMod(text: string, name: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [module, version] = line
      .trim()
      .replace(/^require\s+/, '')
      .split(/\s+/);
    return module === name && version !== undefined ? [version] : [];
  });
}

/** Only versions whose code was fetched: the others were compared for their requirements. */
function inGoSum(text: string, name: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [module, version = ''] = line.split(' ');
    return module === name && !version.endsWith('/go.mod') ? [version] : [];
  });
}

function inGemfileLock(text: string, name: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, gem, version] = /^ {4}(\S+) \(([^\s()]+)\)$/.exec(line) ?? [];
    return gem === name && version !== undefined ? [version] : [];
  });
}

function inComposerLock(text: string, name: string): readonly unknown[] {
  const lock = parseJson(text);
  return ['packages', 'packages-dev'].flatMap((part) => {
    const list = memberOf(lock, part);
    const entries = isJsonList(list) ? list : [];
    return entries.filter((each) => memberOf(each, 'name') === name).map((each) => memberOf(each, 'version'));
  });
}

function unquoted(text: string): string {
  return /^(['"]).*\1$/.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}
