import { Fault } from '../../base/fault.ts';
import { shortQuote } from './inert-text.ts';
import { matchPattern, type SubjectIndex } from './patterns.ts';
import { type SubjectFile, subjectsOf } from './slugs.ts';
import type { Listing, SubjectFiles } from './subject-files.ts';
import type { Topic } from './topic.ts';

export interface Catalog {
  readonly listing: Listing;
  /** Sorted by slug. */
  readonly subjects: readonly Subject[];
  readonly reachable: SubjectIndex<Subject>;
}

export interface Subject extends SubjectFile {
  readonly state: SubjectState;
}

/** `learned`: already in the system prompt. `disabled`: an assistant cannot find it at all. */
export type SubjectState = 'available' | 'learned' | 'disabled';

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
  const found = indexed(subjectsOf(listing.files));
  const disabled = selected(found, topic, 'disabled');
  const allowed = disabled.size > 0 ? indexed(found.all.filter(({ slug }) => !disabled.has(slug))) : found;
  const learned = selected(allowed, topic, 'learned');
  const stateOf = ({ slug }: SubjectFile): SubjectState => {
    if (disabled.has(slug)) return 'disabled';
    return learned.has(slug) ? 'learned' : 'available';
  };
  const subjects = found.all.map((subject) => ({ ...subject, state: stateOf(subject) }));
  return catalogOf(listing, subjects);
}

export function withStates(catalog: Catalog, stateOf: (subject: Subject) => SubjectState): Catalog {
  const subjects = catalog.subjects.map((subject) => ({ ...subject, state: stateOf(subject) }));
  return catalogOf(catalog.listing, subjects);
}

export function isListed(subject: Subject): boolean {
  return !subject.hidden && subject.state === 'available';
}

function catalogOf(listing: Listing, subjects: readonly Subject[]): Catalog {
  return { listing, subjects, reachable: indexed(subjects.filter(({ state }) => state !== 'disabled')) };
}

/** Builds the map at its first use; listings never need it. */
function indexed<Found extends SubjectFile>(all: readonly Found[]): SubjectIndex<Found> {
  let bySlug: ReadonlyMap<string, Found> | undefined;
  return {
    all,
    get bySlug() {
      bySlug ??= new Map(all.map((subject) => [subject.slug, subject]));
      return bySlug;
    },
  };
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
