/** The part of what can be searched that somebody wants. */

import { Fault } from '../../../base/fault.ts';
import { didYouMean } from '../../../base/similar.ts';
import type { Group } from '../index/index-store.ts';
import type { SearchedIndex, SearchSource } from '../sources/search-source.ts';

/**
 * `names` are those of the sources; absent: all of them. What is empty is left out. A Fault when
 * there is none of a name.
 */
export function wantedIndexes(
  indexes: readonly SearchedIndex[],
  names: readonly string[] | undefined,
): SearchedIndex[] {
  const known = indexes.flatMap(({ sources }) => sources.map(({ name }) => name));
  const stray = names?.find((name) => !known.includes(name));
  if (stray !== undefined) {
    throw new Fault('search/unknown-source', `"${stray}" is nothing that can be searched.`, {
      hint: didYouMean(stray, known) ?? `Search in: ${known.join(', ')}.`,
    });
  }
  return indexes
    .map((index) => ({
      ...index,
      sources: index.sources.filter(({ name }) => !names || names.includes(name)),
    }))
    .filter(({ sources, isEmpty }) => sources.length > 0 && !isEmpty);
}

/** The indexes without the sources of these names. */
export function withoutSources(
  indexes: readonly SearchedIndex[],
  names: readonly string[],
): readonly SearchedIndex[] {
  if (names.length === 0) return indexes;
  return indexes
    .map((index) => ({ ...index, sources: index.sources.filter(({ name }) => !names.includes(name)) }))
    .filter(({ sources }) => sources.length > 0);
}

/** By the names under which their items are indexed. */
export function sourcesByName(indexes: readonly SearchedIndex[]): ReadonlyMap<string, SearchSource> {
  const sources = indexes.flatMap((index) => index.sources);
  return new Map(
    sources.flatMap((source) => (source.indexNames ?? [source.name]).map((name) => [name, source])),
  );
}

/** Whether a group belongs to one of the sources and may be found. */
export function searchedBy(indexes: readonly SearchedIndex[]): (group: Group) => boolean {
  const byName = sourcesByName(indexes);
  return (group) => {
    const source = byName.get(group.source);
    return source !== undefined && !source.isHidden?.(group);
  };
}
