import { Fault } from '../../../base/fault.ts';
import type { Hasher } from '../../../base/hasher.ts';
import { counted, isDevice } from '../../../base/text.ts';
import type { Clock } from '../../../base/time.ts';
import { isGood, type ReferenceLibrary } from './library.ts';
import { ageInDays, topicId } from './topic.ts';

const LONGEST = 80;

/** Directory name of a topic: its title in ASCII, or a digest when no ASCII is left; never a device of Windows. */
export function slugOfTitle(hasher: Hasher, title: string): string {
  const slug = asciiSlug(title).slice(0, LONGEST).replace(/-$/, '');
  const digest = hasher.sha256(title).slice(0, 8);
  if (slug === '') return digest;
  return isDevice(slug) ? `${slug}-${digest}` : slug;
}

/** Slug for a title whose plain slug is in use: `C++` and `C#` are both `c`. */
export function otherSlugOfTitle(hasher: Hasher, title: string): string {
  return `${slugOfTitle(hasher, title)}-${hasher.sha256(title).slice(0, 6)}`;
}

export function isSameTitle(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(title: string): string {
  return title.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** ASCII words joined by hyphens; accents are dropped, other characters separate words. */
export function asciiSlug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

export interface NamingPorts {
  readonly library: ReferenceLibrary;
  readonly hasher: Hasher;
  readonly clock: Clock;
}

/** Directory name for a new title. Throws a Fault that names the existing topic of that title and its age. */
export async function freeSlug(ports: NamingPorts, title: string): Promise<string> {
  const titled = (await ports.library.list()).find(
    (kept) => isGood(kept) && isSameTitle(kept.topic.title, title),
  );
  if (titled) throw await topicExists(ports, titled.slug);
  for (const slug of [slugOfTitle(ports.hasher, title), otherSlugOfTitle(ports.hasher, title)])
    if (!(await ports.library.get(slug))) return slug;
  throw await topicExists(ports, otherSlugOfTitle(ports.hasher, title));
}

export async function topicExists({ library, clock }: NamingPorts, slug: string): Promise<Fault> {
  const kept = await library.get(slug);
  const id = topicId({ slug });
  if (!kept || !isGood(kept))
    return new Fault('references/exists', `There is a reference topic ${id} already, and it is broken.`, {
      hint: `Look at it with "ken ref doctor", or delete it with "ken ref delete ${id}".`,
    });
  const { title, fetchedAt } = kept.topic;
  return new Fault(
    'references/exists',
    `There is a reference topic "${title}" (${id}) already, ${ageOf(fetchedAt, clock.now())}.`,
    {
      hint: `Search it, change it with "ken ref update ${id}", or fetch it again with "ken ref refresh ${id}".`,
    },
  );
}

function ageOf(fetchedAt: number | undefined, now: number): string {
  if (fetchedAt === undefined) return 'fetched at an unknown time';
  const days = ageInDays(fetchedAt, now);
  if (days === 0) return 'fetched less than a day ago';
  return `fetched ${counted(days, 'day')} ago`;
}
