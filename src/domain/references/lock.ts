/** `lock.jsonl`: for every file of a topic, where its content came from and what it was. */

import { isJsonObject, type Json, memberOf, parseJson } from '../../base/json.ts';
import { compareCodePoints } from '../../base/text.ts';
import { isoTime, parseIsoTime } from '../../base/time.ts';
import { fileNameProblem } from './file-name.ts';

export interface LockedFile {
  /** Below the topic's files, with slashes. */
  readonly path: string;
  /** The address of its source. */
  readonly source: string;
  /** Of the source, when this content was first fetched. */
  readonly commit?: string;
  /** What git calls this content. */
  readonly oid?: string;
  /** Of a web page, after redirects; its validators are sent there and nowhere else. */
  readonly url?: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /** Of the content as it is kept. */
  readonly sha256: string;
  readonly bytes: number;
  readonly fetchedAt: number;
}

export interface ReadLock {
  /** By path. */
  readonly files: readonly LockedFile[];
  /** Lines that say nothing usable; what they were about counts as not fetched. */
  readonly broken: number;
}

/** One line a file, ordered by path, each ended. */
export function formatLock(files: readonly LockedFile[]): string {
  return byPath(files)
    .map((file) => `${JSON.stringify(lineOf(file))}\n`)
    .join('');
}

/** Any text can be read. Of two lines about one file the later counts. */
export function parseLock(text: string): ReadLock {
  const files = new Map<string, LockedFile>();
  let broken = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const file = fileIn(parseJson(line));
    if (file) files.set(file.path, file);
    else broken += 1;
  }
  return { files: byPath([...files.values()]), broken };
}

/** What stands in a citation: the commit, or the beginning of the digest where there is none. */
export function versionOf({ commit, sha256 }: Pick<LockedFile, 'commit' | 'sha256'>): string {
  return commit ?? sha256.slice(0, 12);
}

function byPath(files: readonly LockedFile[]): LockedFile[] {
  return [...files].sort((a, b) => compareCodePoints(a.path, b.path));
}

function lineOf({ lastModified, fetchedAt, ...file }: LockedFile) {
  return { ...file, ...(lastModified && { last_modified: lastModified }), fetched_at: isoTime(fetchedAt) };
}

function fileIn(line: Json | undefined): LockedFile | undefined {
  if (!isJsonObject(line)) return undefined;
  const { path, source, sha256, bytes, fetched_at: fetched } = line;
  if (typeof path !== 'string' || fileNameProblem(path) || typeof source !== 'string') return undefined;
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  const fetchedAt = typeof fetched === 'string' ? parseIsoTime(fetched) : undefined;
  if (!Number.isSafeInteger(bytes) || typeof bytes !== 'number' || bytes < 0 || fetchedAt === undefined)
    return undefined;
  const text = (name: string, key: string, shape: RegExp) => {
    const value = memberOf(line, key);
    return typeof value === 'string' && shape.test(value) ? { [name]: value } : {};
  };
  return {
    path,
    source,
    ...text('commit', 'commit', HASH),
    ...text('oid', 'oid', HASH),
    ...text('url', 'url', HEADER),
    ...text('etag', 'etag', HEADER),
    ...text('lastModified', 'last_modified', HEADER),
    sha256,
    bytes,
    fetchedAt,
  };
}

const HASH = /^[0-9a-f]{7,64}$/;
/** It will be sent to a server. */
const HEADER = /^[\u0020-\u007e]{1,2000}$/;
