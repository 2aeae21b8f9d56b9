import type { LedgerPorts } from '../app.ts';
import type { Clock } from '../base/clock.ts';
import { deferred } from '../base/deferred.ts';
import type { Config } from '../config/schema.ts';
import type { CitedSource, SourceText } from '../domain/ledger/evidence/evidence.ts';
import type { LedgerStore } from '../domain/ledger/store.ts';
import type { CitationPorts } from '../domain/search/citations/show-citation.ts';
import type { SearchEngine } from '../domain/search/engine/search-engine.ts';
import type { Embedder } from '../domain/search/index/embedder.ts';

interface SourcePorts extends CitationPorts {
  readonly ledger: LedgerStore;
  readonly config: Pick<Config, 'kb'>;
  readonly embedder: Embedder;
  readonly engine: SearchEngine;
  readonly clock: Clock;
}

type OutsideOfAWorkspace = Omit<SourcePorts, 'ledger' | 'conversations'>;

/** What the ledger asks of other parts; nothing outside of a workspace. */
export function connectLedger(
  ports: OutsideOfAWorkspace & Partial<SourcePorts>,
): Partial<Pick<LedgerPorts, 'citedSource' | 'nearness' | 'nearEntries'>> {
  const { ledger, conversations, embedder, engine, clock, searchIndex: store } = ports;
  if (!ledger || !conversations) return {};
  return {
    nearEntries: deferred(async () => {
      const { nearEntries } = await import('../domain/search/engine/near-entries.ts');
      return nearEntries({ store, embedder, engine, ledger, clock });
    }),
    citedSource: deferred(() => loadCitedSource({ ...ports, ledger, conversations })),
    nearness: deferred(async () => (await import('../adapters/embedders/nearness.ts')).nearnessBy(embedder)),
  };
}

/** What `ref:` provenance names, read through the part that keeps it. */
async function loadCitedSource(ports: SourcePorts): Promise<CitedSource> {
  const { parseCitation } = await import('../domain/search/citations/citation.ts');
  const { showCitation } = await import('../domain/search/citations/show-citation.ts');
  const { knowledgeBaseFrom } = await import('../domain/knowledge-base/topic.ts');
  const { citedPlaces, unlessGone } = await import('../domain/search/citations/cited-places.ts');
  const knowledge = knowledgeBaseFrom(ports.config.kb);
  return {
    async lines(uri) {
      const citation = parseCitation(uri);
      if (!citation) return { kind: 'unknown' };
      if (citation.kind === 'entry') return entryText(ports.ledger, citation);
      const shown = await unlessGone(showCitation(ports, knowledge, citation));
      return shown ? { kind: 'there', text: shown.text } : { kind: 'gone' };
    },
    async places(uri) {
      const citation = parseCitation(uri);
      return citation && citedPlaces(ports, knowledge, citation);
    },
    async page(url) {
      const { keptPage } = await import('../domain/references/topic/find-topic.ts');
      const text = await keptPage(ports, url);
      return text === undefined ? { kind: 'unknown' } : { kind: 'there', text };
    },
  };
}

async function entryText(
  ledger: LedgerStore,
  { id, version }: { readonly id: string; readonly version?: number },
): Promise<SourceText> {
  const versions = await ledger.versions(id);
  const cited = version === undefined ? versions.at(-1) : versions[version - 1];
  return cited ? { kind: 'there', text: `${cited.title}\n${cited.text}` } : { kind: 'gone' };
}
