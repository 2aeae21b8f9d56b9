import { yieldToEventLoop } from '../../../base/concurrency.ts';
import type { Entry } from '../entry/entry.ts';
import type { EntryFilter, LedgerReader } from '../store.ts';

/**
 * Entries held at once by work over a whole ledger, whose memory must not grow with it. More outlive a collection of
 * young objects, and V8 then lets the heap grow to many times what is in use.
 */
const PAGE = 40;

/** The entries of a list, newest first, in pages. Entries that are added meanwhile may be missing. */
export async function* entryPages(
  ledger: Pick<LedgerReader, 'list'>,
  filter: Omit<EntryFilter, 'limit' | 'offset' | 'after'> = {},
): AsyncGenerator<readonly Entry[]> {
  for (let last: Entry | undefined; ; ) {
    const page = await ledger.list({ ...filter, limit: PAGE, ...(last && { after: last }) });
    if (page.length > 0) yield page;
    await yieldToEventLoop(undefined);
    if (page.length < PAGE) return;
    last = page.at(-1);
  }
}
