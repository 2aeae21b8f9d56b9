import { matchesSelector } from '../../labels/selector.ts';
import { type Entry, isExpired } from '../entry/entry.ts';
import type { EntryFilter } from '../store.ts';

/** Whether an entry, as it is at the filter's moment, is let through. */
export function fitsFilter(entry: Entry, filter: Omit<EntryFilter, 'at' | 'limit' | 'offset'>): boolean {
  const { statuses, unexpiredAt, tags = [], labels = [], claimId, mergeKey, createdFrom, createdTo } = filter;
  if (statuses && !statuses.includes(entry.status)) return false;
  if (unexpiredAt !== undefined && isExpired(entry, unexpiredAt)) return false;
  if (claimId !== undefined && entry.claimId !== claimId) return false;
  if (mergeKey !== undefined && entry.mergeKey !== mergeKey) return false;
  if (entry.createdAt < (createdFrom ?? 0) || entry.createdAt > (createdTo ?? Number.POSITIVE_INFINITY))
    return false;
  return tags.every((tag) => entry.tags.includes(tag)) && matchesSelector(entry.labels, labels);
}
