/** Plans the acceptance of a proposal: its change, as the operator's own. Pure, like `plan-add.ts`. */

import { Fault } from '../../../base/fault.ts';
import type { Entry, EntryVersion } from '../entry/entry.ts';
import { isProcedural } from '../entry/entry.ts';
import { changeOf, citing, type LedgerEvent, type Stamp } from '../entry/ledger-event.ts';
import { type LedgerChange, nextVersion } from '../plans/plan-add.ts';
import { citesIn, versionAfter } from './next-version.ts';
import { erasedIds, isBase } from './shared-line.ts';

export interface AcceptanceSurroundings {
  entry(id: string): Entry | undefined;
  /** The active entry of a merge key. */
  holder(key: string): Entry | undefined;
}

export interface AcceptanceRequest {
  readonly proposed: LedgerEvent;
  readonly stamp: Stamp;
}

export function planAcceptance(
  found: AcceptanceSurroundings,
  { proposed, stamp }: AcceptanceRequest,
): LedgerChange {
  requireOrdinary(proposed);
  const steps = proposed.changes.map((change) => {
    const before = found.entry(String(change.id));
    if (!before && !isBase(change))
      throw new Fault('ledger/conflict', `The proposal changes "${change.id}", which is not here.`, {
        hint: 'Accept the proposal that brings it first.',
      });
    const link = before ? undefined : change.supersedes_id;
    const made = versionAfter(before, change, { at: stamp.at, type: proposed.type });
    const supersedes = typeof link === 'string' && found.entry(link) ? link : before?.supersedes;
    return { before, after: { ...made, supersedes }, cites: citesIn(change) };
  });
  const freed = steps.flatMap(({ after }) => outgoing(found, steps, after, stamp));
  const all = [...freed, ...steps];
  const last = steps.at(-1);
  return {
    versions: all.map(({ after }) => after),
    citations: last?.cites ?? [],
    event: {
      ...stamp,
      type: proposed.type,
      data: { ...proposed.data, accepts: proposed.eventId },
      changes: all.map(({ before, after, cites }) => citing(changeOf(before, after), cites)),
    },
  };
}

function requireOrdinary({ type, data, eventId, changes }: LedgerEvent): void {
  if (type === 'erase')
    throw new Fault(
      'ledger/firewall',
      'An erasure is done by its own command, which shows every copy first.',
      {
        hint: `Run "ken knowledge erase ${erasedIds(data)?.join(' ') ?? 'ID'}", or "ken knowledge decline ${eventId}".`,
      },
    );
  if (type !== 'promotion' && type !== 'revocation' && !changes.some(({ id }) => isProcedural(String(id))))
    return;
  const source = String(data.source_entry_id ?? 'ID');
  throw new Fault('ledger/firewall', 'Only you can make or revoke a rule.', {
    hint: `Run "ken knowledge promote ${source}" if you agree, or "ken knowledge decline ${eventId}".`,
  });
}

interface Step {
  readonly before: Entry | undefined;
  readonly after: EntryVersion;
  readonly cites: ReturnType<typeof citesIn>;
}

/** The entry that was active under the key makes room. */
function outgoing(
  found: AcceptanceSurroundings,
  steps: readonly Step[],
  { id, mergeKey, status }: EntryVersion,
  { at }: Stamp,
): Step[] {
  const holder = mergeKey === undefined || status !== 'active' ? undefined : found.holder(mergeKey);
  if (!holder || holder.id === id || steps.some(({ after }) => after.id === holder.id)) return [];
  return [{ before: holder, after: nextVersion(holder, at, { status: 'superseded' }), cites: [] }];
}
