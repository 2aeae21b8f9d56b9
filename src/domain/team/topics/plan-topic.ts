/** Decides what a push or a pull does with one topic, from its digests alone. */

/** `subjects`: of the knowledge base. `reference`: of the reference library. */
export type TopicKind = 'subjects' | 'reference';

/** A topic as it is on one side. Equal digests mean equal topics. */
export interface TopicState {
  readonly digest: string;
  /** Covers its description, without its files. */
  readonly aboutDigest: string;
  /** When its files were last fetched; undefined for files that people write. */
  readonly fetchedAt: number | undefined;
}

/** How the two sides were last equal; kept on this machine. */
export interface SharedBase {
  readonly digest: string;
  /** A copy that was begun towards this digest, and perhaps never finished. */
  readonly begun?: string;
}

export interface SharedBases {
  /** By kind and id of the topic. */
  all(): Promise<ReadonlyMap<string, SharedBase>>;
  put(key: string, base: SharedBase): Promise<void>;
}

export type PlannedTopic =
  | { readonly what: 'imported' | 'updated' }
  | { readonly what: 'unchanged'; readonly reason?: string }
  | { readonly what: 'conflict'; readonly reason: string };

export interface TopicSides {
  readonly from: TopicState;
  /** Undefined when the side that is written does not have it. */
  readonly to: TopicState | undefined;
  readonly base: SharedBase | undefined;
  /** A topic that both sides have changed is taken from the side that is read. */
  readonly replaces: boolean;
}

export function planTopic({ from, to, base, replaces }: TopicSides): PlannedTopic {
  if (!to) return { what: 'imported' };
  if (from.digest === to.digest) return { what: 'unchanged' };
  if (base?.digest === to.digest || base?.begun === from.digest || replaces) return { what: 'updated' };
  if (base?.digest === from.digest) return { what: 'unchanged', reason: NEWER };
  return (
    laterFetch(from, to) ?? {
      what: 'conflict',
      reason: 'both sides have changed it; give --topic and --replace to take one',
    }
  );
}

const NEWER = 'the other side has a newer one';

/** The later of two fetches of the same sources is newer. */
function laterFetch(from: TopicState, to: TopicState): PlannedTopic | undefined {
  const isSameTopic = from.aboutDigest === to.aboutDigest;
  if (!isSameTopic || from.fetchedAt === undefined || to.fetchedAt === undefined) return undefined;
  if (from.fetchedAt === to.fetchedAt) return undefined;
  return from.fetchedAt > to.fetchedAt ? { what: 'updated' } : { what: 'unchanged', reason: NEWER };
}

export function baseKey(kind: TopicKind, id: string): string {
  return `${kind} ${id}`;
}
