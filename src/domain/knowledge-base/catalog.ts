import { Fault } from '../../base/fault.ts';
import { shortQuote } from './inert-text.ts';
import { indexed, matchPattern, type SubjectIndex } from './patterns.ts';
import { type FoundSubject, type SubjectFile, type SubjectState, subjectsOf } from './slugs.ts';
import type { Listing, SubjectFiles } from './subject-files.ts';
import type { Topic } from './topic.ts';

export interface Catalog {
  readonly listing: Listing;
  /** Sorted by slug. */
  readonly subjects: readonly Subject[];
  readonly reachable: SubjectIndex<Subject>;
}

export type Subject = FoundSubject;

export type CatalogTopic = Pick<Topic, 'id' | 'learned' | 'disabled'>;

/** An invalid pattern is a Fault, since ignoring it could expose what it disables. */
export function readCatalog(files: SubjectFiles, topic: CatalogTopic): Catalog {
  const listing = files.list();
  const known = READ.get(listing);
  if (
    known &&
    sameTexts(known.topic.learned, topic.learned) &&
    sameTexts(known.topic.disabled, topic.disabled)
  )
    return known.catalog;
  const catalog = catalogFor(listing, topic);
  READ.set(listing, { topic, catalog });
  return catalog;
}

/** A listing is the same object as long as nothing has changed. */
const READ = new WeakMap<Listing, { readonly topic: CatalogTopic; readonly catalog: Catalog }>();

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

function catalogFor(listing: Listing, topic: CatalogTopic): Catalog {
  const files = subjectsOf(listing.files);
  const found = indexed(files);
  const disabled = selected(found, topic, 'disabled');
  const allowed = disabled.size > 0 ? indexed(found.all.filter(({ slug }) => !disabled.has(slug))) : found;
  const learned = selected(allowed, topic, 'learned');
  // Written into the list itself: another list of a hundred thousand takes its memory for a moment.
  for (const file of files) {
    if (disabled.has(file.slug)) file.setState('disabled');
    else if (learned.has(file.slug)) file.setState('learned');
  }
  return catalogOf(listing, files);
}

export function withStates(catalog: Catalog, stateOf: (subject: Subject) => SubjectState): Catalog {
  const subjects = catalog.subjects.map((subject) => subject.withState(stateOf(subject)));
  return catalogOf(catalog.listing, subjects);
}

export function isListed(subject: Subject): boolean {
  return !subject.hidden && subject.state === 'available';
}

function catalogOf(listing: Listing, subjects: readonly Subject[]): Catalog {
  const isReachable = ({ state }: Subject) => state !== 'disabled';
  const reachable = subjects.every(isReachable) ? subjects : subjects.filter(isReachable);
  return { listing, subjects, reachable: indexed(reachable) };
}

function selected(
  subjects: SubjectIndex<SubjectFile>,
  topic: CatalogTopic,
  list: 'disabled' | 'learned',
): ReadonlySet<string> {
  const slugs = new Set<string>();
  for (const pattern of topic[list]) {
    const match = matchPattern(subjects, pattern, list === 'disabled' ? 'all' : 'visible');
    if (match.kind === 'invalid') {
      throw new Fault(
        'config/invalid',
        `kb.topic.${topic.id}.${list}: the pattern ${shortQuote(pattern)} ${match.problem}.`,
        {
          hint: 'Write slugs, or globs with *, **, ?, [..] and {a,b}.',
        },
      );
    }
    for (const { slug } of match.subjects) slugs.add(slug);
  }
  return slugs;
}
