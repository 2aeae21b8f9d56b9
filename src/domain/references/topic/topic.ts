import type { Labels } from '../../labels/label.ts';
import type { TopicChange } from './topic-change.ts';

export interface ReferenceTopic {
  /** Directory name; the id is made from it. */
  readonly slug: string;
  readonly title: string;
  /** Description in Markdown, written by the creator. */
  readonly body: string;
  readonly tags: readonly string[];
  readonly labels: Labels;
  /** `stale` is never stored: it follows from the clock. */
  readonly status: KeptStatus;
  /** When it was marked obsolete; absent when unknown. */
  readonly obsoleteSince?: number;
  readonly createdAt: number;
  readonly createdBy: Creator;
  /** The approval of the fetch; absent for imported topics. */
  readonly approvedBy?: TopicApproval;
  /** When all files last matched their sources; undefined when unknown. */
  readonly fetchedAt: number | undefined;
  /** 0: never stale by age. */
  readonly maxAgeDays: number;
  /** From 0 to 10; orders near-ties. */
  readonly trustScore: number;
  readonly sources: readonly TopicSource[];
  readonly files: FileList;
  /** Recorded changes, oldest first; old ones are dropped. */
  readonly changes: readonly TopicChange[];
  /** Unknown keys of the front matter, kept unchanged. */
  readonly unknown: UnknownKeys;
}

export type KeptStatus = 'active' | 'obsolete';

export interface Creator {
  /** Name of the assistant; commands act under it too. */
  readonly ghost: string;
  /** Undefined when no model was involved. */
  readonly model: string | undefined;
  readonly unknown: UnknownKeys;
}

export interface TopicApproval {
  readonly operator: string;
  readonly id: string;
}

export type TopicSource = GitSource | WebSource | LocalSource;

interface AnySource {
  /** When it was last fetched or found unchanged; absent if never. */
  readonly fetchedAt?: number;
  /** As it was when the operator last had it fetched; absent for what an earlier ken fetched. */
  readonly approved?: ApprovedSource;
  readonly unknown: UnknownKeys;
}

/** A fetch that nobody asks about stays within this. */
export interface ApprovedSource {
  readonly files: number;
  readonly bytes: number;
  /** Names and object ids of the licences at the top of a repository; absent for other sources. */
  readonly licence?: string;
}

export interface GitSource extends AnySource {
  readonly type: 'git';
  readonly url: string;
  readonly ref?: string;
  /** Empty: everything. */
  readonly paths: readonly string[];
  readonly commit?: string;
  /** The operator typed the address, so it may be a local path. */
  readonly isTyped?: boolean;
}

export interface WebSource extends AnySource {
  readonly type: 'web';
  readonly url: string;
}

export interface LocalSource extends AnySource {
  readonly type: 'local';
  readonly path: string;
}

export interface FileList {
  /** The first files by path. */
  readonly first: readonly string[];
  readonly count: number;
}

export type UnknownKeys = Readonly<Record<string, unknown>>;

export const DEFAULT_MAX_AGE_DAYS = 30;
export const DEFAULT_TRUST_SCORE = 5;
/** Number of files listed in the front matter; the lock lists all. */
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

/** Undefined for text that cannot be a topic id. */
export function slugOfId(id: string): string | undefined {
  const slug = id.startsWith('topic-') ? id.slice('topic-'.length) : '';
  return isSlug(slug) ? slug : undefined;
}

export function addressOf(source: TopicSource): string {
  return source.type === 'local' ? source.path : source.url;
}

export type TopicStatus = 'active' | 'stale' | 'obsolete';

export interface Freshness {
  readonly status: TopicStatus;
  readonly isStale: boolean;
  readonly staleSince?: number;
}

export interface Aging {
  readonly status: KeptStatus;
  readonly obsoleteSince?: number;
  readonly fetchedAt: number | undefined;
  readonly maxAgeDays: number;
}

const DAY_MS = 86_400_000;

/** Obsolete is always stale; a maximum age of 0 never expires; otherwise whole days count. */
export function freshnessAt(aging: Aging, now: number): Freshness {
  const { fetchedAt, maxAgeDays } = aging;
  if (aging.status === 'obsolete') {
    const since = aging.obsoleteSince ?? fetchedAt;
    return { status: 'obsolete', isStale: true, ...(since !== undefined && { staleSince: since }) };
  }
  if (maxAgeDays === 0 || fetchedAt === undefined || ageInDays(fetchedAt, now) <= maxAgeDays)
    return { status: 'active', isStale: false };
  return { status: 'stale', isStale: true, staleSince: fetchedAt + (maxAgeDays + 1) * DAY_MS };
}

/** Whole days; never negative. */
export function ageInDays(then: number, now: number): number {
  return Math.max(0, Math.floor((now - then) / DAY_MS));
}
