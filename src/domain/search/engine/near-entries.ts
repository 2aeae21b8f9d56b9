import { Fault } from '../../../base/fault.ts';
import type { Clock } from '../../../base/time.ts';
import { ledgerRevision } from '../../ledger/search/current-entries.ts';
import type { NearEntries, NearEntry } from '../../ledger/search/entry-ranker.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import type { Embedder } from '../index/embedder.ts';
import type { IndexStore } from '../index/index-store.ts';
import { syncIndex } from '../index/sync-index.ts';
import { isAbout } from '../ranking/fuse-scores.ts';
import { ENTRIES, listEntries } from '../sources/entry-source.ts';
import type { SourceItem } from '../sources/search-source.ts';
import type { SearchEngine } from './search-engine.ts';

export interface NearPorts {
  readonly store: IndexStore;
  readonly embedder: Embedder;
  /** The engine must search `store`. */
  readonly engine: SearchEngine;
  readonly ledger: LedgerStore;
  readonly clock: Clock;
}

/** With more changes than this, the words found so far are returned at once; `ken search` indexes them. */
const MOST_INDEXED = 5000;

/** Empty when the index cannot be used (a read-only directory). */
export function nearEntries(ports: NearPorts): NearEntries {
  let synced = '';
  return {
    async find(question, limit) {
      try {
        const revision = await ledgerRevision(ports);
        if (revision === '') return [];
        if (revision !== synced && !(await isBroughtUp(ports))) return [];
        synced = revision;
        return await nearest(ports, question, limit);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        return [];
      }
    },
  };
}

async function isBroughtUp(ports: NearPorts): Promise<boolean> {
  const [known, items] = await Promise.all([ports.store.items(ENTRIES), listEntries(ports)]);
  const isNew = ({ id, hash }: SourceItem) => known.get(id)?.hash !== hash;
  if (items.filter(isNew).length > MOST_INDEXED) return false;
  const listed = { name: ENTRIES, list: async () => items };
  const { failures } = await syncIndex(ports, [listed], new AbortController().signal);
  return failures.length === 0;
}

async function nearest({ store, engine }: NearPorts, question: string, limit: number): Promise<NearEntry[]> {
  const { hits } = await engine.search({
    question,
    limit,
    stores: [store],
    perItem: 1,
    explain: true,
    isWantedGroup: (group) => group.source === ENTRIES,
  });
  return hits.flatMap(({ chunk, explanation }) =>
    explanation && isAbout(explanation)
      ? [{ id: chunk.id, words: explanation.lexical.normalised, meaning: explanation.dense.normalised }]
      : [],
  );
}
