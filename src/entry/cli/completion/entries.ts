import type { Completer } from './completer.ts';

/** The newest entries of the ledger, whatever their status. */
export const completeEntries: Completer = async ({ openAnywhere }) => {
  const found = (await (await openAnywhere()).ledger?.list({ limit: 200 })) ?? [];
  return found.map(({ id, title }) => ({ value: id, description: title }));
};
