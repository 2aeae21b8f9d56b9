/** Imports ken's own export: a line of metadata, then the log. */

import { memberOf } from '../../../base/json.ts';
import { parseEventLine } from '../event-line.ts';
import { metadataFromJson } from '../metadata-file.ts';
import { textOf } from './event-gatherer.ts';
import type { ImportLine } from './import-lines.ts';
import type { ImportedConversation } from './imported-conversation.ts';

export function isKen({ value }: ImportLine): boolean {
  return textOf(value, 'type') === 'conversation' && metadataFromJson(value) !== undefined;
}

export function fromKen(lines: readonly ImportLine[], now: number): ImportedConversation {
  const [head, ...rest] = lines;
  const { type: _, id, ...described } = head?.value ?? {};
  const told = metadataFromJson(described) ?? {
    createdAt: now,
    activeAt: now,
    labels: new Map(),
    others: {},
  };
  const sourceId = typeof id === 'string' ? id : '';
  const events = rest.map(
    ({ value, text }) =>
      (value && parseEventLine(text)) ?? {
        type: 'foreign' as const,
        content: { type: 'imported', from: 'ken', original: text },
      },
  );
  // A conversation that was imported before keeps its first origin.
  const imported = memberOf(told.others, 'imported') ?? { from: 'ken', id: sourceId };
  return { source: 'ken', sourceId, metadata: { ...told, others: { ...told.others, imported } }, events };
}
