/** The files of the workspace that a Wasm tool may use; none unless its entry declares some. */

import { Fault } from '../../../base/fault.ts';
import { asText, isJsonList, isJsonObject, type Json, memberOf } from '../../../base/json.ts';

export type FileAccess = 'none' | 'read' | 'write';

export interface FileAccessEntry {
  readonly access?: FileAccess | undefined;
  readonly paths?: readonly PathEntry[] | undefined;
}

/** A plain path takes the access of its tool. */
type PathEntry = string | { readonly path?: string | undefined; readonly access?: FileAccess | undefined };

export interface FileGrant {
  /** Relative to the workspace, normalised; empty for the workspace itself. */
  readonly path: string;
  readonly access: 'read' | 'write';
}

export interface FileGrants {
  readonly grants: readonly FileGrant[];
  /** The entry does not say what the tool may do with the workspace, or with one of its paths. */
  readonly isUndeclared: boolean;
}

/** `key` is the entry's key, for errors. */
export function fileGrants(key: string, { access, paths = [] }: FileAccessEntry): FileGrants {
  const entries = paths.length === 0 ? [''] : paths;
  const wanted = entries.map((entry) => ({
    path: insidePath(`${key}.paths`, pathOf(key, entry)),
    access: (typeof entry === 'string' ? undefined : entry.access) ?? access,
  }));
  return {
    grants: wanted.flatMap(({ path, access: each }) =>
      each === 'read' || each === 'write' ? [{ path, access: each }] : [],
    ),
    isUndeclared: wanted.some((each) => each.access === undefined),
  };
}

function pathOf(key: string, entry: PathEntry): string {
  const path = typeof entry === 'string' ? entry : entry.path;
  if (path !== undefined) return path;
  throw new Fault('config/invalid', `${key}.paths has an entry without "path".`, {
    hint: 'Write { path = "docs", access = "read" }, or only the path.',
  });
}

/** Normalised; empty for the workspace itself. */
export function insidePath(key: string, path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (path.startsWith('/') || path.includes('\0') || parts.includes('..')) {
    throw new Fault('config/invalid', `${key} leads out of the workspace: ${JSON.stringify(path)}.`, {
      hint: 'Paths of tools are relative to the workspace and stay inside it.',
    });
  }
  return parts.join('/');
}

/** `It may read docs and read and change notes.` */
export function grantsInWords(grants: readonly FileGrant[]): string {
  const named = (access: FileGrant['access']) =>
    grants.filter((grant) => grant.access === access).map(({ path }) => path || 'the whole workspace');
  const reads = named('read');
  const writes = named('write');
  if (grants.length === 0) return 'It sees no files.';
  return [
    ...(reads.length > 0 ? [`It may read ${reads.join(', ')}.`] : []),
    ...(writes.length > 0 ? [`It may read and change ${writes.join(', ')}.`] : []),
  ].join(' ');
}

/** An entry of the configuration in words, before anybody trusts it. */
export function entryInWords(entry: Json): string {
  try {
    const { grants, isUndeclared } = fileGrants('this tool', entryFrom(entry));
    return isUndeclared ? `${grantsInWords(grants)} (Unless '*' gives access.)` : grantsInWords(grants);
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

function entryFrom(entry: Json): FileAccessEntry {
  const paths = memberOf(entry, 'paths');
  return {
    access: accessFrom(entry),
    paths: (isJsonList(paths) ? paths : []).map((path) =>
      isJsonObject(path) ? { path: asText(memberOf(path, 'path')), access: accessFrom(path) } : String(path),
    ),
  };
}

function accessFrom(entry: Json): FileAccess | undefined {
  const access = memberOf(entry, 'access');
  return access === 'none' || access === 'read' || access === 'write' ? access : undefined;
}

/** Says which line of the configuration lets the tool use files. */
export function accessAdvice(tool: string): string {
  return (
    `The tool sees no files, as its configuration does not say which. Add access = "read" or access = "write" ` +
    `to [conversation.tools.${tool}], or access = "none" if it needs none.`
  );
}
