/** Copies reference topics between the library of a person and that of a team. */

import type { Hasher } from '../../../base/hasher.ts';
import { canonicalJson } from '../../../base/json.ts';
import { isGood, type ReferenceLibrary } from '../../references/topic/library.ts';
import type { LockedFile, TopicLock } from '../../references/topic/lock.ts';
import {
  addressOf,
  fileListOf,
  isSlug,
  type ReferenceTopic,
  type TopicSource,
} from '../../references/topic/topic.ts';
import type { TopicState } from './plan-topic.ts';

/**
 * A topic as others may have it. Approvals stay behind: each person decides what is fetched on their machine. Of a place
 * on this machine its last name is told.
 */
interface SharedForm {
  readonly topic: ReferenceTopic;
  readonly lock: TopicLock;
}

export interface ReferenceState extends TopicState {
  readonly title: string;
  readonly files: number;
  readonly bytes: number;
}

/** By slug; a topic that cannot be read is not there. */
export async function referenceStates(
  library: ReferenceLibrary,
  hasher: Hasher,
  isWanted: (slug: string) => boolean,
): Promise<ReadonlyMap<string, ReferenceState>> {
  const states = new Map<string, ReferenceState>();
  for (const kept of await library.list()) {
    if (!isGood(kept) || !isSlug(kept.slug) || !isWanted(kept.slug)) continue;
    const { topic, lock } = sharedForm(kept.topic, await library.lock(kept.slug));
    const aboutDigest = hasher.sha256(canonicalJson(aboutOf(topic)));
    const files = lock.files.map(({ path, sha256 }) => [path, sha256]);
    states.set(kept.slug, {
      title: topic.title,
      digest: hasher.sha256(canonicalJson([aboutDigest, files])),
      aboutDigest,
      fetchedAt: topic.fetchedAt,
      files: lock.files.length,
      bytes: lock.files.reduce((sum, file) => sum + file.bytes, 0),
    });
  }
  return states;
}

function aboutOf({ title, body, tags, labels, status, maxAgeDays, trustScore, sources }: ReferenceTopic) {
  const places = sources.map((source) =>
    source.type === 'git'
      ? ['git', source.url, source.ref ?? '', [...source.paths]]
      : [source.type, addressOf(source)],
  );
  return [
    title,
    body,
    [...tags],
    [...labels].map((each) => [...each]),
    status,
    maxAgeDays,
    trustScore,
    places,
  ];
}

function sharedForm(topic: ReferenceTopic, { files, skipped }: TopicLock): SharedForm {
  const { approvedBy: _, ...said } = topic;
  const renamed = new Map<string, string>();
  const sources = topic.sources.map((source) => {
    const shared = sharedSource(source);
    renamed.set(addressOf(source), addressOf(shared));
    return shared;
  });
  const moved = <File extends { readonly source: string }>(file: File): File => ({
    ...file,
    source: renamed.get(file.source) ?? file.source,
  });
  return {
    topic: { ...said, sources, changes: [], files: fileListOf(files.map(({ path }) => path)) },
    lock: { files: files.map(moved), skipped: skipped.map(moved) },
  };
}

function sharedSource({ approved: _, ...source }: TopicSource): TopicSource {
  if (source.type === 'local') return { ...source, path: sharedPlace(source.path) };
  if (source.type === 'web') return source;
  const { isTyped, ...git } = source;
  const isHere = isTyped === true && /^(?:file:|[./~])/.test(source.url);
  return isHere ? { ...git, url: sharedPlace(source.url) } : git;
}

/** Names no place anywhere, so that nothing is read from it. */
function sharedPlace(place: string): string {
  return place.startsWith(ELSEWHERE) ? place : `${ELSEWHERE}${place.split('/').findLast(Boolean) ?? 'files'}`;
}

const ELSEWHERE = 'elsewhere:';

export interface ReferencePorts {
  readonly from: ReferenceLibrary;
  readonly to: ReferenceLibrary;
  readonly hasher: Hasher;
}

/** Files are read together, since each takes several turns of the network. */
const AT_ONCE = 8;

/** Why the topic was not copied; undefined when it was. It is copied whole or not at all. */
export async function copyReference(
  { from, to, hasher }: ReferencePorts,
  slug: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const kept = await from.get(slug);
  if (!kept || !isGood(kept)) return 'it is gone';
  const { topic, lock } = sharedForm(kept.topic, await from.lock(slug));
  const there = new Map((await to.lock(slug)).files.map((file) => [file.path, file.sha256]));
  const staged = await to.stage();
  try {
    for (let at = 0; at < lock.files.length; at += AT_ONCE) {
      signal.throwIfAborted();
      const slice = lock.files.slice(at, at + AT_ONCE);
      const contents = await Promise.all(
        slice.map((file) =>
          there.get(file.path) === file.sha256 ? undefined : wholeFile({ from, hasher }, slug, file),
        ),
      );
      for (const [index, file] of slice.entries()) {
        const isCarried =
          there.get(file.path) === file.sha256 && (await staged.carry({ slug, path: file.path }, file.path));
        if (isCarried) continue;
        const content = contents[index] ?? (await wholeFile({ from, hasher }, slug, file));
        if (!content || (await staged.write(file.path, content)) === 'taken')
          return `${file.path} is missing or does not match its lock`;
      }
    }
    const isThere = (await to.get(slug)) !== undefined;
    const isCopied = isThere
      ? await staged.replace(slug, () => topic, lock)
      : await staged.publish(topic, lock);
    return isCopied ? undefined : 'it changed in the meantime; try again';
  } finally {
    await staged.discard();
  }
}

async function wholeFile(
  { from, hasher }: Pick<ReferencePorts, 'from' | 'hasher'>,
  slug: string,
  { path, sha256 }: LockedFile,
): Promise<Uint8Array | undefined> {
  const content = await from.readFile(slug, path);
  return content && hasher.sha256(content) === sha256 ? content : undefined;
}
