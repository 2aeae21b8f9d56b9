/** A reference topic: what was fetched, from where, by whom, and how long it is good for. */

import type { Labels } from '../../labels/label.ts';
import type { TopicChange } from './topic-change.ts';

export interface ReferenceTopic {
  /** The name of its directory, and what its id is made of. */
  readonly slug: string;
  readonly title: string;
  /** What it is about, in Markdown, by whoever made it. */
  readonly body: string;
  readonly tags: readonly string[];
  readonly labels: Labels;
  /** `stale` is never kept: it follows from the clock. */
  readonly status: KeptStatus;
  /** When it was marked; absent where nobody wrote it down. */
  readonly obsoleteSince?: number;
  readonly createdAt: number;
  readonly createdBy: Creator;
  /** Who let it be fetched; absent for what was imported from this machine. */
  readonly approvedBy?: TopicApproval;
  /** When everything in it was last known to be what its sources have; nothing when nobody knows. */
  readonly fetchedAt: number | undefined;
  /** 0: never stale by age. */
  readonly maxAgeDays: number;
  /** From 0 to 10; orders near-ties. */
  readonly trustScore: number;
  readonly sources: readonly TopicSource[];
  readonly files: FileList;
  /** Made by updates, oldest first; only the newest of many. */
  readonly changes: readonly TopicChange[];
  /** What else stands in its front matter. It is kept as it is. */
  readonly unknown: UnknownKeys;
}

export type KeptStatus = 'active' | 'obsolete';

export interface Creator {
  /** The name of the assistant, which is also what acts on the command line. */
  readonly ghost: string;
  /** Nothing: no model had a part in it. */
  readonly model: string | undefined;
  readonly unknown: UnknownKeys;
}

export interface TopicApproval {
  readonly operator: string;
  readonly id: string;
}

export type TopicSource = GitSource | WebSource | LocalSource;

interface AnySource {
  /** When it was last fetched, or found to be unchanged; nothing when it never could be. */
  readonly fetchedAt?: number;
  readonly unknown: UnknownKeys;
}

export interface GitSource extends AnySource {
  readonly type: 'git';
  readonly url: string;
  /** A branch, a tag or a commit; absent: the default branch. */
  readonly ref?: string;
  /** Empty: everything. */
  readonly paths: readonly string[];
  /** What it pointed to when it was last fetched. */
  readonly commit?: string;
  /** A person wrote the address, so it may lead to files of this machine. */
  readonly isTyped?: boolean;
}

export interface WebSource extends AnySource {
  readonly type: 'web';
  readonly url: string;
}

/** A directory of this machine. */
export interface LocalSource extends AnySource {
  readonly type: 'local';
  readonly path: string;
}

export interface FileList {
  /** The first of them, by path. */
  readonly first: readonly string[];
  readonly count: number;
}

export type UnknownKeys = Readonly<Record<string, unknown>>;

export const DEFAULT_MAX_AGE_DAYS = 30;
export const DEFAULT_TRUST_SCORE = 5;
/** Of `files` in the front matter; the lock has all of them. */
export const LISTED_FILES = 200;

export function topicId({ slug }: Pick<ReferenceTopic, 'slug'>): string {
  return `topic-${slug}`;
}

export function isSlug(text: string): boolean {
  return text.length <= 100 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text);
}

export function fileListOf(paths: readonly string[]): FileList {
  return { first: paths.slice(0, LISTED_FILES), count: paths.length };
}

/** Undefined for what cannot be the id of a topic. */
export function slugOfId(id: string): string | undefined {
  const slug = id.startsWith('topic-') ? id.slice('topic-'.length) : '';
  return isSlug(slug) ? slug : undefined;
}

export function addressOf(source: TopicSource): string {
  return source.type === 'local' ? source.path : source.url;
}
