import { Fault } from '../../../base/fault.ts';
import { didYouMean } from '../../../base/similar.ts';
import type { Clock } from '../../../base/time.ts';
import { type GoodTopic, isGood, type KeptTopic, type ReferenceLibrary } from './library.ts';
import { slugOfId, topicId } from './topic.ts';
import { asciiSlug, isSameTitle } from './topic-slug.ts';

export interface LibraryPorts {
  readonly library: ReferenceLibrary;
}

export interface AgingPorts extends LibraryPorts {
  readonly clock: Clock;
}

/** Finds a topic by id, directory name or title. Throws a Fault when it is missing or broken. */
export async function requireTopic(ports: LibraryPorts, name: string): Promise<GoodTopic> {
  const kept = await findKept(ports, name);
  if (isGood(kept)) return kept;
  throw new Fault('references/broken', `${topicId(kept)} cannot be used: ${kept.problem}.`, {
    hint: `Repair it, or delete it with "ken ref delete ${topicId(kept)}".`,
  });
}

export async function findKept({ library }: LibraryPorts, name: string): Promise<KeptTopic> {
  const exact = await library.get(slugOfId(name) ?? name);
  if (exact) return exact;
  const all = await library.list();
  const titled = all.find((kept) => isGood(kept) && isSameTitle(kept.topic.title, name));
  if (titled) return titled;
  throw new Fault('references/not-found', `There is no reference topic "${name}".`, {
    hint: nearest(all, name) ?? 'See "ken ref ls --all".',
  });
}

/** Suggests topics that begin with the name before those spelt similarly. */
function nearest(all: readonly KeptTopic[], name: string): string | undefined {
  const wanted = asciiSlug(name);
  const longer = all.filter(({ slug }) => wanted !== '' && slug.startsWith(`${wanted}-`)).map(topicId);
  if (longer.length > 0) return `Did you mean ${longer.slice(0, 3).join(', ')}?`;
  const names = all.flatMap((kept) => (isGood(kept) ? [topicId(kept), kept.topic.title] : [topicId(kept)]));
  return didYouMean(name, names);
}

export async function goodTopics({ library }: LibraryPorts): Promise<GoodTopic[]> {
  return (await library.list()).filter(isGood);
}

/** Text of a stored web page; undefined when no topic has it. Fetches nothing. */
export async function keptPage(ports: LibraryPorts, url: string): Promise<string | undefined> {
  for (const { slug, topic } of await goodTopics(ports)) {
    if (!topic.sources.some((source) => source.type === 'web' && source.url === url)) continue;
    const { files } = await ports.library.lock(slug);
    const file = files.find(({ source }) => source === url);
    const content = file && (await ports.library.readFile(slug, file.path));
    if (content) return new TextDecoder().decode(content);
  }
  return undefined;
}
