/** Topics of the knowledge base that a team shares, whole. Each method is one transaction. */

import type { Hasher } from '../../../base/hasher.ts';
import { canonicalJson } from '../../../base/json.ts';
import { RESERVED_TOPIC, type Topic } from '../../knowledge-base/topic.ts';

export interface SharedTopics {
  /** Every topic with its digest, sorted by id. */
  digests(): Promise<ReadonlyMap<string, string>>;
  get(id: string): Promise<SharedTopic | undefined>;
  /** By path; empty for a missing topic. */
  contents(id: string): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Makes or replaces the topic. False, without a change, when the digest there is not `over`; undefined: none is there. */
  put(topic: NewSharedTopic, over: string | undefined): Promise<boolean>;
  remove(id: string): Promise<boolean>;
}

/** Words of its owners. Each reader chooses what is preloaded, so that is not shared. */
export type TopicAbout = Pick<Topic, 'title' | 'introduction' | 'description'>;

export interface SharedTopic {
  readonly id: string;
  readonly about: TopicAbout;
  /** Sorted by path. */
  readonly files: readonly SharedFile[];
  readonly digest: string;
}

export interface SharedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface NewSharedTopic {
  readonly id: string;
  readonly about: TopicAbout;
  readonly contents: ReadonlyMap<string, Uint8Array>;
  readonly digest: string;
}

/** Another id is as if the topic were not there. */
export function isSharedTopicId(id: string): boolean {
  return id !== RESERVED_TOPIC && /^[A-Za-z0-9_-]{1,200}$/.test(id);
}

/** Equal for topics that say the same and have the same files. */
export function sharedTopicDigest(
  hasher: Hasher,
  { title = '', introduction = '', description = '' }: TopicAbout,
  files: readonly Pick<SharedFile, 'path' | 'sha256'>[],
): string {
  const sorted = files
    .map(({ path, sha256 }) => [path, sha256])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return hasher.sha256(canonicalJson([title, introduction, description, sorted]));
}
