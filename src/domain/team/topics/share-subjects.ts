/** Copies topics of the knowledge base between a workspace and a team. */

import type { Hasher } from '../../../base/hasher.ts';
import { compareCodePoints } from '../../../base/text.ts';
import { readCatalog } from '../../knowledge-base/catalog.ts';
import type { NewFiles } from '../../knowledge-base/export-skills.ts';
import type { TopicFiles } from '../../knowledge-base/subject-files.ts';
import { checkTopicId, type Topic } from '../../knowledge-base/topic.ts';
import { secretIn } from '../../ledger/entry/checked-input.ts';
import type { TopicState } from './plan-topic.ts';
import { directoryProblem, sharedNameProblem } from './shared-name.ts';
import {
  type NewSharedTopic,
  type SharedTopic,
  type SharedTopics,
  sharedTopicDigest,
  type TopicAbout,
} from './shared-topics.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 10_000;
const TOO_LARGE = `it has more than ${MOST_FILES} files or ${MOST_BYTES / 1024 ** 2} MiB`;

export interface SubjectState extends TopicState {
  readonly title: string;
  readonly files: number;
  readonly bytes: number;
  /** Why the topic can neither be pushed nor pulled. */
  readonly problem?: string;
}

export interface LocalPorts {
  /** Reads files as they are: a document is not its text. */
  readonly plainTopicFiles: TopicFiles;
  readonly newFiles: NewFiles;
  readonly hasher: Hasher;
  readonly workspace: { readonly root: string };
  /** Makes the topic known to the workspace; its directory is there. */
  configure(id: string, directory: string, about: TopicAbout): Promise<void>;
}

export interface LocalTopic extends NewSharedTopic {
  /** Undefined while its directory is missing. */
  readonly state: SubjectState | undefined;
}

/** As it can be shared: without what is switched off, and without files that others must not bring. */
export async function localTopic(
  { plainTopicFiles, hasher }: Pick<LocalPorts, 'plainTopicFiles' | 'hasher'>,
  topic: Topic,
): Promise<LocalTopic> {
  const { id, title = '', introduction = '', description = '' } = topic;
  const about = { title, introduction, description };
  // Links are followed inside the workspace alone, whatever the topic says.
  const files = await plainTopicFiles.open({ ...topic, followSymlinks: false });
  const { listing, reachable } = readCatalog(files, { ...topic, learned: [] });
  const contents = new Map<string, Uint8Array>();
  let problem =
    topic.directory === '.' || topic.respectsGitignore === true
      ? 'it is the repository itself, which git shares'
      : listing.problem && listing.problem !== 'missing'
        ? `its directory cannot be used: ${listing.problem}`
        : undefined;
  let bytes = 0;
  const paths = problem ? [] : reachable.all.map(({ path }) => path).sort(compareCodePoints);
  for (const path of paths.filter((each) => sharedNameProblem(each) === undefined)) {
    const read = files.read(path, MOST_BYTES);
    if (!read.ok) problem ??= `${path} cannot be read`;
    else {
      bytes += read.size;
      if (bytes > MOST_BYTES) break;
      contents.set(path, read.bytes.slice());
    }
  }
  if (bytes > MOST_BYTES || contents.size > MOST_FILES) problem ??= TOO_LARGE;
  const listed = [...contents].map(([path, content]) => ({ path, sha256: hasher.sha256(content) }));
  const digest = sharedTopicDigest(hasher, about, listed);
  const state = {
    ...{ title, digest, aboutDigest: '', fetchedAt: undefined, files: contents.size, bytes },
    ...(problem !== undefined && { problem }),
  };
  return { id, about, contents, digest, state: listing.problem === 'missing' ? undefined : state };
}

/** Its digest is computed anew from what it says and the digests of its files; `stored` is the one the team keeps. */
export async function teamSubjectState(
  { teamTopics, hasher }: { readonly teamTopics: SharedTopics; readonly hasher: Hasher },
  id: string,
): Promise<(SubjectState & { readonly stored: string }) | undefined> {
  const topic = await teamTopics.get(id);
  if (!topic) return undefined;
  const { about, files, digest: stored } = topic;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const problem = teamProblem(topic, bytes);
  return {
    title: about.title ?? '',
    digest: sharedTopicDigest(hasher, about, files),
    aboutDigest: '',
    fetchedAt: undefined,
    files: files.length,
    bytes,
    stored,
    ...(problem !== undefined && { problem }),
  };
}

/** Longer than any title, introduction or description that somebody wrote for readers. */
const LONGEST_ABOUT = 20_000;

function teamProblem({ about, files }: SharedTopic, bytes: number): string | undefined {
  const stray = files.find(({ path }) => sharedNameProblem(path) !== undefined);
  if (stray) return `${stray.path}: ${sharedNameProblem(stray.path)}`;
  const isLong = Object.values(about).some((text) => (text ?? '').length > LONGEST_ABOUT);
  if (isLong) return `what is said about it has more than ${LONGEST_ABOUT} characters`;
  return bytes > MOST_BYTES || files.length > MOST_FILES ? TOO_LARGE : undefined;
}

/** With its contents. Undefined when they are not those of the digest. */
export async function teamSubjects(
  { teamTopics, hasher }: { readonly teamTopics: SharedTopics; readonly hasher: Hasher },
  id: string,
  digest: string,
): Promise<NewSharedTopic | undefined> {
  const about = (await teamTopics.get(id))?.about ?? {};
  const contents = await teamTopics.contents(id);
  const files = [...contents].map(([path, content]) => ({ path, sha256: hasher.sha256(content) }));
  return sharedTopicDigest(hasher, about, files) === digest ? { id, about, contents, digest } : undefined;
}

/** The rule by which something in it looks like a secret. */
export function secretInTopic({ about, contents }: NewSharedTopic): string | undefined {
  const rule = secretIn(Object.values(about).join('\n'));
  if (rule !== undefined) return rule;
  const decoder = new TextDecoder();
  for (const content of contents.values()) {
    const found = secretIn(decoder.decode(content));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Why the topic was not written; undefined when it was. `before` is the topic as it is here. */
export async function writeLocally(
  { newFiles, workspace, configure }: LocalPorts,
  { id, about, contents }: NewSharedTopic,
  before: (NewSharedTopic & { readonly directory: string }) | undefined,
): Promise<string | undefined> {
  const directory = before?.directory ?? `.ken/kb/${checkTopicId(id)}`;
  const problem = directoryProblem(directory, [...contents.keys()]);
  if (problem !== undefined) return problem;
  await newFiles.makeDirectory(workspace.root, directory);
  const place = `${workspace.root}/${directory}`;
  const known = before?.contents ?? new Map<string, Uint8Array>();
  const added = [...contents].filter(([path]) => !known.has(path));
  await newFiles.create(
    place,
    added.map(([path, content]) => ({ path, content })),
    { keepsEqual: true },
  );
  for (const [path, content] of contents) {
    const old = known.get(path);
    if (old && !equalBytes(old, content)) await newFiles.replace(place, path, content);
  }
  for (const path of known.keys()) if (!contents.has(path)) await newFiles.remove(place, path);
  await configure(id, directory, about);
  return undefined;
}

function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
