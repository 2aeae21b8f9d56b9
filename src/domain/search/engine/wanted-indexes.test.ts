import { expect, it } from 'vitest';
import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import type { SearchSource } from '../sources/search-source.ts';
import { searchedBy, wantedIndexes, withoutSources } from './search-everything.ts';

const source = (name: string, more: Partial<SearchSource> = {}): SearchSource => ({
  name,
  describe: async () => [],
  ...more,
});

const index = (...sources: SearchSource[]) => ({ store: indexInMemory(), sources, sync: async () => [] });

const workspace = index(source('kb'), source('ledger'));
const references = index(
  source('refs', { indexNames: ['refs:docs'], isHidden: ({ topic }) => topic === 'obsolete' }),
);
const names = (indexes: readonly { readonly sources: readonly SearchSource[] }[]) =>
  indexes.map(({ sources }) => sources.map(({ name }) => name));

it('takes the sources that are named, and leaves out indexes that have none of them, or nothing at all', () => {
  expect(names(wantedIndexes([workspace, references], undefined))).toEqual([['kb', 'ledger'], ['refs']]);
  expect(names(wantedIndexes([workspace, references], ['ledger']))).toEqual([['ledger']]);
  expect(names(wantedIndexes([workspace, { ...references, isEmpty: true }], undefined))).toEqual([
    ['kb', 'ledger'],
  ]);
  expect(() => wantedIndexes([workspace], ['kbb'])).toThrow(
    expect.objectContaining({ code: 'search/unknown-source' }),
  );
});

it('leaves out sources, and indexes of which nothing is left', () => {
  expect(names(withoutSources([workspace, references], ['kb', 'refs']))).toEqual([['ledger']]);
  expect(names(withoutSources([workspace, references], []))).toEqual([['kb', 'ledger'], ['refs']]);
});

it('searches the groups of its sources, by the names they are indexed under, and nothing that is hidden', () => {
  const isSearched = searchedBy([workspace, references]);
  const group = (name: string, topic: string) => ({ number: 1, source: name, kind: 'chunk' as const, topic });
  expect(isSearched(group('kb', 'x'))).toBe(true);
  expect(isSearched(group('refs:docs', 'x'))).toBe(true);
  expect(isSearched(group('refs:docs', 'obsolete'))).toBe(false);
  expect(isSearched(group('refs', 'x'))).toBe(false);
  expect(isSearched(group('revisions', ''))).toBe(false);
});
