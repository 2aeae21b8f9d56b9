/** Compares and copies topics between a workspace and its team: of the knowledge base and of the reference library. */

import type { Glob } from '../../../base/glob.ts';
import { checkTopicId, type KnowledgeBase } from '../../knowledge-base/topic.ts';
import type { ReferenceLibrary } from '../../references/topic/library.ts';
import { topicId } from '../../references/topic/topic.ts';
import { isSameTitle } from '../../references/topic/topic-slug.ts';
import { baseKey, planTopic, type SharedBase, type SharedBases, type TopicKind } from './plan-topic.ts';
import { copyReference, type ReferenceState, referenceStates } from './share-references.ts';
import {
  type LocalPorts,
  type LocalTopic,
  localTopic,
  type SubjectState,
  secretInTopic,
  teamSubjectState,
  teamSubjects,
  writeLocally,
} from './share-subjects.ts';
import { isSharedTopicId, type SharedTopics } from './shared-topics.ts';

export interface TopicPorts extends LocalPorts {
  readonly knowledge: KnowledgeBase;
  readonly library: ReferenceLibrary;
  readonly teamLibrary: ReferenceLibrary;
  readonly teamTopics: SharedTopics;
  readonly teamBases: SharedBases;
}

/** One topic on both sides, or on one of them. */
export interface TopicPair {
  readonly kind: TopicKind;
  /** As commands name it: of a reference topic, `topic-…`. */
  readonly id: string;
  readonly here: Side | undefined;
  readonly there: Side | undefined;
  readonly base: SharedBase | undefined;
  /** The topic here, with its contents; only of the knowledge base. */
  readonly local?: LocalTopic & { readonly directory: string };
  /** The digest that the team keeps with it. */
  readonly stored?: string;
}

type Side = ReferenceState | SubjectState;

/** Topics whose id matches; without globs, those of both sides. */
export type WantedTopics = readonly Glob[] | 'on both sides' | 'all';

export async function topicPairs(ports: TopicPorts, wanted: WantedTopics): Promise<TopicPair[]> {
  const bases = await ports.teamBases.all();
  const isNamed = (id: string) => typeof wanted === 'string' || wanted.some((glob) => glob.matches(id));
  const pairs = [
    ...(await subjectPairs(ports, isNamed, bases)),
    ...(await referencePairs(ports, isNamed, bases)),
  ];
  return wanted === 'on both sides' ? pairs.filter(({ here, there }) => here && there) : pairs;
}

async function subjectPairs(
  ports: TopicPorts,
  isNamed: (id: string) => boolean,
  bases: ReadonlyMap<string, SharedBase>,
): Promise<TopicPair[]> {
  const own = new Map(ports.knowledge.topics.filter(({ enabled }) => enabled).map((each) => [each.id, each]));
  const theirs = [...(await ports.teamTopics.digests()).keys()].filter(isSharedTopicId);
  const pairs: TopicPair[] = [];
  for (const id of [...new Set([...own.keys(), ...theirs])].filter(isNamed).sort()) {
    const topic = own.get(id);
    const local = topic && { ...(await localTopic(ports, topic)), directory: topic.directory };
    const there = theirs.includes(id) ? await teamSubjectState(ports, id) : undefined;
    pairs.push({
      ...{ kind: 'subjects', id, here: local?.state, there, base: bases.get(baseKey('subjects', id)) },
      ...(local && { local }),
      ...(there && { stored: there.stored }),
    });
  }
  return pairs;
}

async function referencePairs(
  { library, teamLibrary, hasher }: TopicPorts,
  isNamed: (id: string) => boolean,
  bases: ReadonlyMap<string, SharedBase>,
): Promise<TopicPair[]> {
  const isWanted = (slug: string) => isNamed(topicId({ slug }));
  const here = await referenceStates(library, hasher, isWanted);
  const there = await referenceStates(teamLibrary, hasher, isWanted);
  return [...new Set([...here.keys(), ...there.keys()])].sort().map((slug) => {
    const base = bases.get(baseKey('reference', slug));
    return { kind: 'reference', id: topicId({ slug }), here: here.get(slug), there: there.get(slug), base };
  });
}

export interface ShareInput {
  readonly direction: 'push' | 'pull';
  /** A topic that both sides have changed is taken from the side that is read. */
  readonly replaces: boolean;
  readonly allowSecret: boolean;
}

export interface TopicEnd {
  readonly kind: TopicKind;
  readonly id: string;
  readonly what: 'imported' | 'updated' | 'unchanged' | 'conflict' | 'refused';
  readonly reason?: string;
  /** Counted on the side that is read. */
  readonly files: number;
  readonly bytes: number;
}

/** Leaves out what the side that is read does not have. */
export function planTopics(pairs: readonly TopicPair[], input: ShareInput): TopicEnd[] {
  return pairs.flatMap((pair) => {
    const [from, to] = input.direction === 'push' ? [pair.here, pair.there] : [pair.there, pair.here];
    if (!from) return [];
    const { kind, id, base } = pair;
    const planned = planTopic({ from, to, base, replaces: input.replaces });
    const end = { kind, id, files: from.files, bytes: from.bytes, ...planned };
    const problem = isChange(planned) ? problemOf(pairs, pair, from, input) : undefined;
    return [problem === undefined ? end : { ...end, what: 'refused', reason: problem }];
  });
}

export function isChange({ what }: Pick<TopicEnd, 'what'>): boolean {
  return what === 'imported' || what === 'updated';
}

function problemOf(
  pairs: readonly TopicPair[],
  { kind, id, here, local }: TopicPair,
  from: Side,
  { direction, allowSecret }: ShareInput,
): string | undefined {
  if ('problem' in from && from.problem !== undefined) return from.problem;
  if (here && 'problem' in here && here.problem !== undefined) return here.problem;
  if (direction === 'push') {
    const rule = local && !allowSecret ? secretInTopic(local) : undefined;
    return rule && `it looks like it holds a secret (${rule}); --allow-secret copies it`;
  }
  const other = pairs.find(
    (each) =>
      kind === 'reference' &&
      each.kind === kind &&
      each.id !== id &&
      each.here &&
      isSameTitle(each.here.title, from.title),
  );
  return here || !other ? undefined : `${other.id} has the same title here`;
}

/** Copies what is planned, one topic after the other. Each is there whole or not at all, and can be repeated. */
export async function copyTopics(
  ports: TopicPorts,
  pairs: readonly TopicPair[],
  input: ShareInput,
  signal: AbortSignal,
): Promise<TopicEnd[]> {
  const ends: TopicEnd[] = [];
  for (const end of planTopics(pairs, input)) {
    const pair = pairs.find(({ kind, id }) => kind === end.kind && id === end.id);
    const from = input.direction === 'push' ? pair?.here : pair?.there;
    if (!pair || !from || !isChange(end)) {
      ends.push(end);
      continue;
    }
    signal.throwIfAborted();
    const key = baseKey(pair.kind, pair.kind === 'reference' ? slugIn(pair.id) : pair.id);
    await ports.teamBases.put(key, { digest: pair.base?.digest ?? '', begun: from.digest });
    const problem = await copyTopic(ports, pair, from, input.direction, signal);
    if (problem === undefined) await ports.teamBases.put(key, { digest: from.digest });
    ends.push(problem === undefined ? end : { ...end, what: 'refused', reason: problem });
  }
  // What is equal on both sides is so known from now on.
  for (const { kind, id, here, there, base } of pairs)
    if (here && here.digest === there?.digest && base?.digest !== here.digest)
      await ports.teamBases.put(baseKey(kind, kind === 'reference' ? slugIn(id) : id), {
        digest: here.digest,
      });
  return ends;
}

async function copyTopic(
  ports: TopicPorts,
  { kind, id, local, stored }: TopicPair,
  from: Side,
  direction: ShareInput['direction'],
  signal: AbortSignal,
): Promise<string | undefined> {
  const { library, teamLibrary, teamTopics, hasher } = ports;
  const changed = 'it changed in the meantime; try again';
  if (kind === 'reference') {
    const sides =
      direction === 'push' ? { from: library, to: teamLibrary } : { from: teamLibrary, to: library };
    return copyReference({ ...sides, hasher }, slugIn(id), signal);
  }
  if (direction === 'push') return local && (await teamTopics.put(local, stored)) ? undefined : changed;
  const topic = await teamSubjects(ports, checkTopicId(id), from.digest);
  return topic ? writeLocally(ports, topic, local) : changed;
}

function slugIn(id: string): string {
  return id.replace(/^topic-/, '');
}

/** How a topic stands, for `ken team status`. */
export type TopicStanding =
  | 'same'
  | 'only here'
  | 'only there'
  | 'newer here'
  | 'newer there'
  | 'changed on both sides';

export function standingOf({ here, there, base }: TopicPair): TopicStanding {
  if (!there) return 'only here';
  if (!here) return 'only there';
  const pushed = planTopic({ from: here, to: there, base, replaces: false });
  if (pushed.what === 'unchanged') return pushed.reason === undefined ? 'same' : 'newer there';
  return pushed.what === 'updated' ? 'newer here' : 'changed on both sides';
}
