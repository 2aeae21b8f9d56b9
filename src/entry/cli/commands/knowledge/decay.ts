import { stampOf } from '../../../../domain/ledger/add-entry.ts';
import { checkedChoice } from '../../../../domain/ledger/entry/checked-input.ts';
import { formatEpoch, parseTimestamp } from '../../../../domain/ledger/entry/timestamp.ts';
import { command } from '../../command.ts';
import { actorOf } from './actor.ts';

export const decayKnowledge = command({
  name: 'decay',
  summary: 'mark expired entries as stale',
  description: 'Search leaves out expired entries anyway. "ken knowledge restore" makes one active again.',
  examples: ['k decay --dry-run', 'k decay --as-of 2026-01-31'],
  options: [
    { flags: '--policy <name>', summary: 'default is the only one' },
    { flags: '--as-of <time>', summary: 'entries that have expired by then; now if absent' },
    { flags: '--dry-run', summary: 'list the entries without changing them' },
  ],

  async run(invocation) {
    const { options, terminal, open } = invocation;
    const policy = checkedChoice('decay policy', options.text('policy'), ['default']) ?? 'default';
    const given = options.text('as-of');
    const dryRun = options.has('dry-run');
    const app = await open();
    const stamp = stampOf(app, await actorOf(invocation, app));
    const asOf = given === undefined ? stamp.at : parseTimestamp(given);
    const staleIds = await app.ledger.decay({ asOf, dryRun, stamp });
    if (terminal.json) {
      const event_id = stamp.eventId;
      terminal.printJson({
        as_of: formatEpoch(asOf),
        policy,
        dry_run: dryRun,
        stale_ids: staleIds,
        event_id,
      });
    } else for (const id of staleIds) terminal.print(id);
    if (staleIds.length === 0) terminal.note('Nothing has expired.');
  },
});
