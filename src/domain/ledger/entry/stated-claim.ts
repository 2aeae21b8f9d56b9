/** A claim is a statement that entries support or contradict. Which side an entry takes is kept with the entry. */

import { Fault } from '../../../base/fault.ts';
import { didYouMean } from '../../../base/similar.ts';
import { entryId, type Seconds } from './entry.ts';
import { formatEpoch } from './timestamp.ts';

export interface StatedClaim {
  readonly id: string;
  readonly text: string;
  readonly statedAt: Seconds;
  readonly statedBy: string;
  /** Not stated by this operator. */
  readonly isForeign?: true;
}

/** A claim, or what entries name as one, with the number of entries in force on each side. */
export interface ClaimSides {
  readonly id: string;
  /** Undefined when entries name it and nobody has stated it. */
  readonly stated: StatedClaim | undefined;
  readonly supports: number;
  readonly contradicts: number;
  /** Entries that name it without taking a side. */
  readonly mentions: number;
}

/** Stands for a claim where ids of entries stand, such as in events; no entry can have such an id. */
export function claimKey(id: string): string {
  return `${KEY}${id}`;
}

export function claimOfKey(key: string): string | undefined {
  return key.startsWith(KEY) ? key.slice(KEY.length) : undefined;
}

const KEY = 'claim=';

/** Claims have ids like those of entries. */
export function claimId(given: string): string {
  try {
    return entryId(given);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault('ledger/invalid', `"${given}" cannot be the id of a claim.`, {
      hint: error.hint,
      cause: error,
    });
  }
}

export function noClaim(id: string, known: readonly ClaimSides[]): Fault {
  const stated = known.filter((each) => each.stated).map((each) => each.id);
  const state = `State it with: ken knowledge claims ${id} --text "…".`;
  return new Fault('ledger/not-found', `There is no claim "${id}".`, {
    hint: [didYouMean(id, stated), state].filter((each) => each !== undefined).join(' '),
  });
}

export function claimJson({ id, stated, supports, contradicts, mentions }: ClaimSides) {
  return {
    id,
    text: stated?.text ?? null,
    stated_at: stated ? formatEpoch(stated.statedAt) : null,
    stated_by: stated?.statedBy ?? null,
    supports,
    contradicts,
    mentions,
    ...(stated?.isForeign && { claim: true as const }),
  };
}
