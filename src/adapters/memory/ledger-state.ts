import { compareCodePoints } from '../../base/text.ts';
import { isInForce, withCited } from '../../domain/ledger/entry/citations.ts';
import {
  type Entry,
  type EntryVersion,
  type Feedback,
  type KeptCitation,
  NO_FEEDBACK,
  type Seconds,
} from '../../domain/ledger/entry/entry.ts';
import type { LedgerEvent } from '../../domain/ledger/entry/ledger-event.ts';
import type { LedgerChange } from '../../domain/ledger/plans/plan-add.ts';
import type { Promotion } from '../../domain/ledger/promotion/promotion.ts';
import { fitsFilter } from '../../domain/ledger/search/entry-filter.ts';
import type { EntryFilter } from '../../domain/ledger/store.ts';

/** What a ledger in memory knows. */
export function ledgerState() {
  const history = new Map<string, EntryVersion[]>();
  const cited = new Map<string, KeptCitation[]>();
  const feedback = new Map<string, Feedback>();
  const events: { event: LedgerEvent; about: readonly string[] }[] = [];

  function entry(id: string, at?: Seconds): Entry | undefined {
    const version = history.get(id)?.findLast(({ updatedAt }) => at === undefined || updatedAt <= at);
    if (!version) return undefined;
    const inForce = (cited.get(id) ?? []).filter((each) => isInForce(each, version.version));
    return {
      ...version,
      citations: inForce.map((each) => asOf(each, at)),
      supersededBy: version.status === 'superseded' ? successor(id, at) : undefined,
      feedback: feedback.get(id) ?? NO_FEEDBACK,
    };
  }

  function successor(id: string, at: Seconds | undefined): string | undefined {
    const later = [...history.values()].flatMap(([first]) =>
      first?.supersedes === id && (at === undefined || first.createdAt <= at) ? [first] : [],
    );
    return later.sort((a, b) => b.createdAt - a.createdAt || compareCodePoints(b.id, a.id))[0]?.id;
  }

  function all(filter: EntryFilter): Entry[] {
    const entries = [...history.keys()].flatMap((id) => entry(id, filter.at) ?? []);
    return entries.filter((each) => fitsFilter(each, filter));
  }

  const holder = (key: string | undefined) =>
    key === undefined ? undefined : all({ mergeKey: key, statuses: ['active'], limit: 1 })[0];

  function apply({ versions, citations, event, about = [] }: LedgerChange): void {
    for (const version of versions) history.set(version.id, [...(history.get(version.id) ?? []), version]);
    const subject = versions.at(-1);
    if (subject) {
      const added = citations.map((citation) => ({ ...citation, citedBy: event.actor }));
      cited.set(subject.id, withCited(cited.get(subject.id) ?? [], added, subject));
    }
    events.push({ event, about: [...versions.map(({ id }) => id), ...about] });
  }

  const promotions = new Map<string, Promotion>();
  return { history, cited, feedback, events, promotions, entry, all, holder, apply };
}

/** What was found later was not known then. */
function asOf(citation: KeptCitation, at: Seconds | undefined): KeptCitation {
  const isKnown = at === undefined || (citation.verified?.at ?? 0) <= at;
  return isKnown ? citation : { ...citation, verified: undefined };
}
