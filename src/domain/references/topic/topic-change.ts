import { equalLabels, type Labels } from '../../labels/label.ts';
import type { Creator, KeptStatus, ReferenceTopic } from './topic.ts';

export interface TopicChange {
  readonly at: number;
  readonly by: Actor;
  readonly before: Said;
  /** Present once it was undone. */
  readonly undone?: { readonly at: number; readonly by: Actor };
}

/** An assistant, with or without a model. */
export type Actor = Pick<Creator, 'ghost' | 'model'>;

/** The members that an update can change; absent ones were left alone. */
export interface Said {
  readonly status?: KeptStatus;
  /** Belongs to `status`; absent when unknown or active. */
  readonly obsoleteSince?: number;
  readonly maxAgeDays?: number;
  readonly body?: string;
  readonly tags?: readonly string[];
  readonly labels?: Labels;
}

const MOST_CHANGES = 20;
/** Limit for the texts that older changes replaced; the newest is kept at any length. */
const LONGEST_HISTORY = 100_000;

/** Returns the topic with the change recorded; unchanged when nothing differs. */
export function recordChange(
  before: ReferenceTopic,
  after: ReferenceTopic,
  { at, by }: Pick<TopicChange, 'at' | 'by'>,
): ReferenceTopic {
  const said = differences(before, after);
  if (Object.keys(said).length === 0) return before;
  return { ...after, changes: bounded([...before.changes, { at, by, before: said }]) };
}

/** Undefined when there is nothing left to undo. */
export function undoLastChange(
  topic: ReferenceTopic,
  undone: NonNullable<TopicChange['undone']>,
): ReferenceTopic | undefined {
  const at = topic.changes.findLastIndex((change) => !change.undone);
  const change = topic.changes[at];
  if (!change) return undefined;
  const { status, obsoleteSince, ...rest } = change.before;
  const { obsoleteSince: since, ...current } = topic;
  const marked = status === undefined ? since : obsoleteSince;
  return {
    ...current,
    ...rest,
    status: status ?? topic.status,
    ...(marked !== undefined && { obsoleteSince: marked }),
    changes: topic.changes.with(at, { ...change, undone }),
  };
}

function differences(before: ReferenceTopic, after: ReferenceTopic): Said {
  const { status, obsoleteSince, maxAgeDays, body, tags, labels } = before;
  const isSameTags = tags.length === after.tags.length && tags.every((tag, at) => tag === after.tags[at]);
  return {
    ...(status !== after.status && {
      status,
      ...(obsoleteSince !== undefined && { obsoleteSince }),
    }),
    ...(maxAgeDays !== after.maxAgeDays && { maxAgeDays }),
    ...(body !== after.body && { body }),
    ...(!isSameTags && { tags }),
    ...(!equalLabels(labels, after.labels) && { labels }),
  };
}

function bounded(changes: readonly TopicChange[]): TopicChange[] {
  const kept: TopicChange[] = [];
  let length = 0;
  for (const change of changes.toReversed()) {
    length += lengthOf(change.before);
    if (kept.length > 0 && (kept.length === MOST_CHANGES || length > LONGEST_HISTORY)) break;
    kept.push(change);
  }
  return kept.reverse();
}

function lengthOf({ body = '', tags = [], labels = new Map() }: Said): number {
  return [body, ...tags, ...[...labels].flat()].reduce((sum, text) => sum + text.length, 0);
}
