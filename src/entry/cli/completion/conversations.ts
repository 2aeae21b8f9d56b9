import { formatLabel } from '../../../domain/labels/label.ts';
import type { Completer } from './completer.ts';

const EVERY = { labels: [], archived: 'with', local: 'with' } as const;

export const completeConversations: Completer = async ({ openAnywhere }) => {
  const found = (await (await openAnywhere()).conversations?.list(EVERY)) ?? [];
  const keywords = ['@active', '@last', '@prev'].map((value) => ({ value }));
  return [...keywords, ...found.map(({ id, metadata }) => ({ value: id, description: metadata.title }))];
};

/** Labels that conversations have. */
export const completeLabels: Completer = async ({ openAnywhere }) => {
  const found = (await (await openAnywhere()).conversations?.list(EVERY)) ?? [];
  const labels = found.flatMap(({ metadata }) =>
    [...metadata.labels].map(([key, value]) => formatLabel(key, value)),
  );
  return [...new Set(labels)].map((value) => ({ value }));
};
