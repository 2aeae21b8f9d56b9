/**
 * Where reference topics are kept. A topic is there whole or not at all, also after a crash and for other processes:
 * what is half written, replaced or removed is never seen.
 */

import type { ReadLock, TopicLock } from './lock.ts';
import type { ReferenceTopic } from './topic.ts';

export interface ReferenceLibrary {
  /** By slug; those that cannot be read with what is wrong with them. */
  list(): Promise<readonly KeptTopic[]>;
  /** Undefined for names that no topic can have, too. */
  get(slug: string): Promise<KeptTopic | undefined>;
  /** Empty when there is no such topic. */
  lock(slug: string): Promise<ReadLock>;
  /** Undefined when it is not there, cannot be read, or is not a plain file inside the topic. */
  readFile(slug: string, path: string): Promise<Uint8Array | undefined>;
  /** Every file that is there, whether or not the lock knows it, by path. */
  filePaths(slug: string): Promise<readonly string[]>;
  /** Begins a topic, or a new state of one that is there. Nobody sees it until it is published. */
  stage(): Promise<StagedTopic>;
  /** Changes what is said about a topic; its files stay. `change` sees it as it is now. False: it is not there. */
  change(slug: string, change: (topic: ReferenceTopic) => ReferenceTopic): Promise<boolean>;
  /** Also takes away what cannot be read. False: it is not there. */
  remove(slug: string): Promise<boolean>;
  /** What killed processes left behind is taken away; answers how much that was. */
  tidy(): Promise<number>;
}

export type KeptTopic = GoodTopic | BrokenTopic;

export interface GoodTopic {
  readonly slug: string;
  readonly topic: ReferenceTopic;
  /** Changes with the lock: the same stamp means the same files. */
  readonly stamp: string;
}

export interface BrokenTopic {
  readonly slug: string;
  /** Part of a sentence: `topic.md: title is missing`. */
  readonly problem: string;
}

export interface StagedTopic {
  /** `taken`: there is a file of this name already, or one that the file system cannot tell from it. */
  write(path: string, content: Uint8Array): Promise<'written' | 'taken'>;
  /** Takes a file over from a topic that is there, under the same name or another; false when it is not there. */
  carry(from: { readonly slug: string; readonly path: string }, path: string): Promise<boolean>;
  /** Takes a file out again; one that is not there is no matter. */
  drop(path: string): Promise<void>;
  /** The topic appears. False, and nothing is changed, when something of its slug is there. */
  publish(topic: ReferenceTopic, lock: TopicLock): Promise<boolean>;
  /** Takes the place of the topic, which `change` sees as it is now. False: it is not there any more. */
  replace(slug: string, change: (topic: ReferenceTopic) => ReferenceTopic, lock: TopicLock): Promise<boolean>;
  /** To be called however it ends; after publishing it does nothing. */
  discard(): Promise<void>;
}

export function isGood(kept: KeptTopic): kept is GoodTopic {
  return 'topic' in kept;
}

export interface TopicTransfer {
  /** A Fault when there is something at `directory`. What fails half way is taken away again. */
  exportTo(slug: string, directory: string): Promise<void>;
  /** Undefined for a directory that is no exported topic; a Fault for one that is broken. */
  readExported(directory: string): Promise<ExportedTopic | undefined>;
}

export interface ExportedTopic {
  /** Its slug is the name of the directory and means nothing here. */
  readonly topic: ReferenceTopic;
  readonly lock: TopicLock;
  /** Undefined when it is not there, or not a plain file inside. */
  readFile(path: string): Promise<Uint8Array | undefined>;
}
