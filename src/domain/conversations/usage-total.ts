import type { ConversationEvent, Usage } from './event.ts';

export type UsageTotal = Omit<Usage, 'type' | 'at' | 'model'>;

const FIELDS = ['input_tokens', 'output_tokens', 'cached_tokens', 'reasoning_tokens', 'cost_usd'] as const;

/** What all answers together used; a figure no provider gave is absent. */
export function usageTotal(events: Iterable<ConversationEvent>): UsageTotal {
  const total: { [Name in (typeof FIELDS)[number]]?: number } = {};
  for (const event of events) {
    if (event.type !== 'usage') continue;
    for (const field of FIELDS) {
      const value = event[field];
      if (value !== undefined) total[field] = (total[field] ?? 0) + value;
    }
  }
  return total;
}
