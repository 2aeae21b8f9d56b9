/** Stores reference topics. A topic exists whole or not at all, after a crash and for other processes too. */

import type { ReadLock, TopicLock } from './lock.ts';
import type { ReferenceTopic } from './topic.ts';

export interface ReferenceLibrary {
  list(): Promise<readonly KeptTopic[]>;
  /** Undefined when missing, also for names that no topic can have. */
  get(slug: string): Promise<KeptTopic | undefined>;
  /** Empty for a missing topic. */
  lock(slug: string): Promise<ReadLock>;
  /** Undefined when missing, unreadable, or not a plain file inside the topic. */
  readFile(slug: string, path: string): Promise<Uint8Array | undefined>;
  filePaths(slug: string): Promise<readonly string[]>;
  /** Begins a new topic, or a new state of an existing one. Invisible until published. */
  stage(): Promise<StagedTopic>;
  /** Changes a topic's description; `change` receives the current state. False when the topic is missing. */
  change(slug: string, change: (topic: ReferenceTopic) => ReferenceTopic): Promise<boolean>;
  remove(slug: string): Promise<boolean>;
  /** Removes what killed processes left behind; returns the number of removed items. */
  tidy(): Promise<number>;
}

export type KeptTopic = GoodTopic | BrokenTopic;

export interface GoodTopic {
  readonly slug: string;
  readonly topic: ReferenceTopic;
  /** Equal stamps mean equal files; it changes with the lock. */
  readonly stamp: string;
}

export interface BrokenTopic {
  readonly slug: string;
  /** A clause such as `topic.md: title is missing`. */
  readonly problem: string;
}

export interface StagedTopic {
  /** `taken`: the name exists, or one that the file system treats as equal. */
  write(path: string, content: Uint8Array): Promise<'written' | 'taken'>;
  /** Reuses a file of an existing topic, under any name; false when it is missing. */
  carry(from: { readonly slug: string; readonly path: string }, path: string): Promise<boolean>;
  drop(path: string): Promise<void>;
  /** Makes the topic visible. False, without a change, when its slug is in use. */
  publish(topic: ReferenceTopic, lock: TopicLock): Promise<boolean>;
  /** Replaces the topic; `change` receives the current state. False when it is gone. */
  replace(slug: string, change: (topic: ReferenceTopic) => ReferenceTopic, lock: TopicLock): Promise<boolean>;
  /** Call it in every case; after publishing it does nothing. */
  discard(): Promise<void>;
}

export function isGood(kept: KeptTopic): kept is GoodTopic {
  return 'topic' in kept;
}

export interface TopicTransfer {
  /** Throws a Fault when `directory` exists. A failed export removes what it wrote. */
  exportTo(slug: string, directory: string): Promise<void>;
  /** Undefined for a directory without an exported topic; throws a Fault for a broken one. */
  readExported(directory: string): Promise<ExportedTopic | undefined>;
}

export interface ExportedTopic {
  /** Its slug is the directory's name and has no meaning here. */
  readonly topic: ReferenceTopic;
  readonly lock: TopicLock;
  /** Undefined when missing or not a plain file inside. */
  readFile(path: string): Promise<Uint8Array | undefined>;
}
