import { type LabelChange, type Labels, labelChanges } from '../labels/label.ts';
import type { Conversation } from './conversation.ts';
import type { ApprovalEvent, ConfigDelta } from './event.ts';
import type { ConversationWriter } from './store.ts';

export interface NewLabels {
  readonly labels: Labels;
  /** Decisions that were asked for on the way. */
  readonly decisions: readonly ApprovalEvent[];
}

/** Writes and returns the differences. The rules in the config stay as they are. */
export async function putLabels(
  writer: ConversationWriter,
  { metadata }: Conversation,
  { labels, decisions }: NewLabels,
  at: string,
): Promise<readonly LabelChange[]> {
  const changes = labelChanges(metadata.labels, labels);
  const events = [...decisions, ...(changes.length > 0 ? [labelDelta(changes, at)] : [])];
  if (events.length > 0) await writer.append(events);
  if (changes.length > 0) await writer.putMetadata({ ...metadata, labels });
  return changes;
}

function labelDelta(changes: readonly LabelChange[], at: string): ConfigDelta {
  return {
    type: 'config_delta',
    at,
    changes: changes.map((change) => {
      const path = ['conversation', 'labels', change.key];
      return change.kind === 'set'
        ? { op: 'set', path: [...path, 'value'], value: change.value }
        : { op: 'unset', path };
    }),
  };
}
