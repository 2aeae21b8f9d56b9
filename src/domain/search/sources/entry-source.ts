import type { Hasher } from '../../../base/hasher.ts';
import { type LineRange, linesOf } from '../../../base/text.ts';
import { isoTime } from '../../../base/time.ts';
import { type Entry, worstOf } from '../../ledger/entry/entry.ts';
import { entryJson } from '../../ledger/entry/entry-json.ts';
import { isTold, parseProvenance } from '../../ledger/entry/provenance.ts';
import {
  type CurrentPorts,
  currentEntries,
  type Standing,
  standings,
} from '../../ledger/search/current-entries.ts';
import type { CurrentEntry } from '../../ledger/store.ts';
import { formatCitation, isCitationUri } from '../citations/citation.ts';
import { withDigest } from '../citations/compared-with.ts';
import type { HitFreshness } from '../engine/hit.ts';
import type { IndexItem, StoredChunk } from '../index/index-item.ts';
import { textChunks } from '../index/text-chunks.ts';
import type { HitDescription, ListedSource, SourceItem } from './search-source.ts';

export const ENTRIES = 'ledger';
const BATCH = 200;
/** Few, so that what is made for a page is gone before the heap for old objects takes it. */
const PAGE = 100;

export interface EntryPorts extends Omit<CurrentPorts, 'isCitationUri'> {
  readonly hasher: Hasher;
}

/** Trust in an entry comes from the operator's approvals and its evidence, never from its id. */
export function entrySource(app: EntryPorts): ListedSource {
  const ports = { ...app, isCitationUri };
  return {
    name: ENTRIES,
    list: () => listEntries(ports),
    pages: () => pagesOfEntries(ports),
    async describe(chunks) {
      const entries = await ports.ledger.entries([...new Set(chunks.map(({ id }) => id))]);
      const found = await standings(ports, entries);
      const byId = new Map(entries.map((entry, at) => [entry.id, { entry, standing: found[at] ?? 'entry' }]));
      return chunks.map((chunk) => ({
        citation: withDigest(ports.hasher, citationOf(chunk, byId.get(chunk.id)?.entry), chunk),
        ...standingOf(byId.get(chunk.id)),
      }));
    },
  };
}

export async function listEntries(
  ports: Pick<CurrentPorts, 'ledger' | 'clock'>,
): Promise<readonly SourceItem[]> {
  return itemsOf(ports, await currentEntries(ports));
}

function itemsOf(ports: Pick<CurrentPorts, 'ledger'>, current: readonly CurrentEntry[]): SourceItem[] {
  const entryAt = batched(
    ports,
    current.map(({ id }) => id),
  );
  return current.map(({ id, hash }, at) => ({
    source: ENTRIES,
    id,
    hash,
    meta: {},
    load: async () => {
      const entry = await entryAt(at);
      return entry && itemOf(entry, hash);
    },
  }));
}

async function* pagesOfEntries(
  ports: Pick<CurrentPorts, 'ledger' | 'clock'>,
): AsyncGenerator<readonly SourceItem[]> {
  for (let after = ''; ; ) {
    const current = await currentEntries(ports, { page: { after, limit: PAGE } });
    if (current.length > 0) yield itemsOf(ports, current);
    if (current.length < PAGE) return;
    after = current.at(-1)?.id ?? after;
  }
}

/** Reading one by one would take as many transactions as entries. */
function batched(
  { ledger }: Pick<CurrentPorts, 'ledger'>,
  ids: readonly string[],
): (at: number) => Promise<Entry | undefined> {
  let read = new Map<string, Entry>();
  return async (at) => {
    const id = ids[at] ?? '';
    if (!read.has(id)) {
      const entries = await ledger.entries(ids.slice(at, at + BATCH));
      read = new Map(entries.map((entry) => [entry.id, entry]));
    }
    return read.get(id);
  };
}

/** Claim and tags serve as headings, and the first cited file as the path. */
function itemOf(entry: Entry, hash: string): IndexItem {
  const { id, title, text, claimId = '', tags, labels, provenance } = entry;
  const cited = parseProvenance(provenance, isCitationUri);
  const chunks = textChunks(text);
  const whole = { heading: '', body: text, firstLine: 1, lastLine: linesOf(text).length };
  return {
    source: ENTRIES,
    id,
    kind: 'entry',
    topic: '',
    path: cited?.scheme === 'file' ? cited.path : '',
    title,
    hash,
    meta: {},
    labels,
    chunks: (chunks.length > 1 ? chunks : [whole]).map((chunk) => ({
      ...chunk,
      heading: [chunk.heading, claimId, ...tags].filter((part) => part !== '').join(' '),
    })),
  };
}

function citationOf(chunk: StoredChunk, entry: Entry | undefined): { uri: string; lines?: LineRange } {
  const { id, firstLine: first, lastLine: last } = chunk;
  const isWhole = first === 1 && last === linesOf(entry?.text ?? '').length;
  const lines = isWhole ? {} : { lines: { first, last } };
  const version = entry && { version: entry.version };
  return { uri: formatCitation({ kind: 'entry', id, ...version, ...lines }), ...lines };
}

/** Orders claims and what an assistant was told after the other entries of their tier. */
const CLAIM_DISTRUST = 0.5;

interface KnownEntry {
  readonly entry: Entry;
  readonly standing: Standing;
}

/** An entry that no longer exists is stale. */
function standingOf(known: KnownEntry | undefined): Omit<HitDescription, 'citation'> {
  if (!known) return { freshness: { status: 'stale' }, trust: { tier: 'stale' } };
  const { entry, standing } = known;
  return {
    freshness: freshnessOf(entry, standing),
    trust: { tier: standing },
    ...((entry.isClaim || isTold(entry.provenance)) && { distrust: CLAIM_DISTRUST }),
    ...(entry.supersededBy !== undefined && { superseded_by: entry.supersededBy }),
    ...(entry.labels.size > 0 && { labels: Object.fromEntries(entry.labels) }),
    entry: { ...entryJson(entry), standing },
  };
}

function freshnessOf({ citations, expires }: Entry, standing: Standing): HitFreshness {
  const verified = worstOf(citations.map((citation) => citation.verified));
  return {
    status: standing === 'stale' ? 'stale' : 'current',
    ...(verified && { verified_at: isoTime(verified.at * 1000) }),
    ...(expires !== undefined && { expires_at: isoTime(expires * 1000) }),
  };
}
