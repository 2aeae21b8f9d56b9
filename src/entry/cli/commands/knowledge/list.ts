import { elapsed, secondsOf } from '../../../../base/time.ts';
import { parseSelectors } from '../../../../domain/labels/parse-selector.ts';
import { checkedChoice } from '../../../../domain/ledger/entry/checked-input.ts';
import { type Entry, isExpired, STATUSES } from '../../../../domain/ledger/entry/entry.ts';
import { entryJson } from '../../../../domain/ledger/entry/entry-json.ts';
import { parseMoment } from '../../../../domain/ledger/entry/timestamp.ts';
import { command } from '../../command.ts';
import { idsFor } from '../../render/short-ids.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';

export const listKnowledge = command({
  name: 'list',
  aliases: ['ls'],
  summary: 'list entries, newest first',
  description: 'Lists active entries, unless a status is given. Expired entries are marked.',
  examples: ['k list', 'k list --status all --limit 200', 'k list --tag deploy --json'],
  options: [
    { flags: '--status <status>', summary: 'active, superseded, deprecated, stale or all; active if absent' },
    { flags: '--as-of <time>', summary: 'the ledger as it was then' },
    { flags: '--tag <tag>', summary: 'only with this tag', repeatable: true },
    { flags: '--label <selector>', summary: 'only with matching labels', repeatable: true },
    { flags: '--claim-id <id>', summary: 'only about this claim' },
    { flags: '--merge-key <key>', summary: 'only with this key' },
    { flags: '--limit <n>', summary: 'the maximum number; 50 if absent' },
    { flags: '--offset <n>', summary: 'skip this many entries' },
  ],

  async run({ options, terminal, open }) {
    const asOf = options.text('as-of');
    const claimId = options.text('claim-id');
    const mergeKey = options.text('merge-key');
    const status =
      checkedChoice('knowledge status', options.text('status'), [...STATUSES, 'all']) ?? 'active';
    const { ledger, clock } = await open();
    const now = clock.now();
    const filter = {
      ...(asOf !== undefined && { at: parseMoment(asOf, secondsOf(now)) }),
      ...(status !== 'all' && { statuses: [status] }),
      ...(claimId !== undefined && { claimId }),
      ...(mergeKey !== undefined && { mergeKey }),
      tags: options.texts('tag'),
      labels: parseSelectors(options.texts('label')),
      limit: options.count('limit', 1) ?? 50,
      offset: options.count('offset') ?? 0,
    };
    const entries = await ledger.list(filter);
    if (terminal.json) terminal.printJson({ entries: entries.map(entryJson) });
    else if (entries.length === 0) terminal.note('There are no such entries. "ken knowledge add" makes one.');
    else printTable(terminal, columnsAt(now, idsFor(terminal, entries)), entries);
  },
});

function columnsAt(now: number, shown: (id: string) => string): ItemColumn<Entry>[] {
  const isGone = (entry: Entry) => entry.status === 'active' && isExpired(entry, secondsOf(now));
  return [
    { title: 'id', cell: ({ id }) => shown(id) },
    { title: 'status', cell: (entry) => (isGone(entry) ? 'expired' : entry.status) },
    { title: 'updated', cell: ({ updatedAt }) => elapsed(updatedAt * 1000, now) },
    { title: 'title', flexible: true, cell: ({ title }) => title },
    { title: 'provenance', flexible: true, cell: ({ provenance }) => provenance },
  ];
}
