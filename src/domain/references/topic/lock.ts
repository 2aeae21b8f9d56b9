/** `lock.jsonl`: origin and digest of every file of a topic, and the skipped files. */

import { isJsonObject, type Json, memberOf, parseJson } from '../../../base/json.ts';
import { compareCodePoints } from '../../../base/text.ts';
import { isoTime, parseIsoTime } from '../../../base/time.ts';
import { fileNameProblem } from '../sources/file-name.ts';
import { SKIP_REASONS, type SkipReason } from '../sources/skip.ts';

export interface LockedFile {
  /** Path below the topic's files, with slashes. */
  readonly path: string;
  readonly source: string;
  /** Commit of the source when this content was first fetched. */
  readonly commit?: string;
  readonly oid?: string;
  /** Address of a web page after redirects; its validators are sent only there. */
  readonly url?: string;
  readonly etag?: string;
  readonly lastModified?: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly fetchedAt: number;
}

/** A file that was read and skipped. While its content is the same, it is not read again. */
export interface SkippedFile {
  readonly path: string;
  readonly source: string;
  readonly oid: string;
  readonly bytes: number;
  readonly reason: SkipReason;
}

export interface TopicLock {
  readonly files: readonly LockedFile[];
  readonly skipped: readonly SkippedFile[];
}

/** Both lists are sorted by path. */
export interface ReadLock extends TopicLock {
  /** Number of unusable lines; their files count as not fetched. */
  readonly broken: number;
}

/** One terminated line for each file, sorted by path. */
export function formatLock({ files, skipped }: TopicLock): string {
  const lines = [
    ...files.map(lineOf),
    ...skipped.map(({ reason, ...file }) => ({ ...file, skipped: reason })),
  ];
  return byPath(lines)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

/** Accepts any text. The later of two lines about one file wins. */
export function parseLock(text: string): ReadLock {
  const files = new Map<string, LockedFile>();
  const skipped = new Map<string, SkippedFile>();
  let broken = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const json = parseJson(line);
    const [file, skip] = [fileIn(json), skipIn(json)];
    if (skip) skipped.set(skip.path, skip);
    else if (file) files.set(file.path, file);
    else broken += 1;
  }
  return { files: byPath([...files.values()]), skipped: byPath([...skipped.values()]), broken };
}

/** Version for a citation: the commit, or the first digits of the digest. */
export function versionOf({ commit, sha256 }: Pick<LockedFile, 'commit' | 'sha256'>): string {
  return commit ?? sha256.slice(0, 12);
}

function byPath<File extends { readonly path: string }>(files: readonly File[]): File[] {
  return [...files].sort((a, b) => compareCodePoints(a.path, b.path));
}

function lineOf({ lastModified, fetchedAt, ...file }: LockedFile) {
  return { ...file, ...(lastModified && { last_modified: lastModified }), fetched_at: isoTime(fetchedAt) };
}

function skipIn(line: Json | undefined): SkippedFile | undefined {
  const named = nameIn(line);
  const [oid, reason] = [memberOf(line, 'oid'), memberOf(line, 'skipped')];
  if (!named || typeof oid !== 'string' || !HASH.test(oid)) return undefined;
  const known = SKIP_REASONS.find((each) => each === reason);
  return known && { ...named, oid, reason: known };
}

function nameIn(line: Json | undefined): Pick<LockedFile, 'path' | 'source' | 'bytes'> | undefined {
  const [path, source, bytes] = [memberOf(line, 'path'), memberOf(line, 'source'), memberOf(line, 'bytes')];
  if (typeof path !== 'string' || fileNameProblem(path) || typeof source !== 'string') return undefined;
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) return undefined;
  return { path, source, bytes };
}

function fileIn(line: Json | undefined): LockedFile | undefined {
  const named = nameIn(line);
  if (!named || !isJsonObject(line)) return undefined;
  const { sha256, fetched_at: fetched } = line;
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  const fetchedAt = typeof fetched === 'string' ? parseIsoTime(fetched) : undefined;
  if (fetchedAt === undefined) return undefined;
  const text = (name: string, key: string, shape: RegExp) => {
    const value = memberOf(line, key);
    return typeof value === 'string' && shape.test(value) ? { [name]: value } : {};
  };
  return {
    path: named.path,
    source: named.source,
    ...text('commit', 'commit', HASH),
    ...text('oid', 'oid', HASH),
    ...text('url', 'url', HEADER),
    ...text('etag', 'etag', HEADER),
    ...text('lastModified', 'last_modified', HEADER),
    sha256,
    bytes: named.bytes,
    fetchedAt,
  };
}

const HASH = /^[0-9a-f]{7,64}$/;
/** Validators are sent back to servers, so only plain characters are allowed. */
const HEADER = /^[\u0020-\u007e]{1,2000}$/;
