import { Fault } from '../../../../base/fault.ts';
import { keepCopy } from '../../../../domain/backup/keep-copy.ts';
import { importEntries } from '../../../../domain/ledger/exchange/import-entries.ts';
import type { ImportEnd } from '../../../../domain/ledger/plans/plan-import.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command, type Invocation } from '../../command.ts';
import { readContent } from '../../read-content.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { copyRequest } from '../backup.ts';
import { actorOf } from './actor.ts';

export const importKnowledge = command({
  name: 'import',
  summary: 'import entries that another ledger exported',
  description:
    'Entries are imported with all their versions and times. An entry that exists here is updated if it was not changed ' +
    'here, and left alone otherwise. Rules, approvals and verdicts are not imported. Exit 1 when something was left ' +
    'out.',
  examples: ['k import ledger.jsonl --dry-run', 'k import - < ledger.jsonl'],
  arguments: [
    { name: 'file', summary: 'an export; - for standard input', required: true, complete: 'files' },
  ],
  options: [
    { flags: '--dry-run', summary: 'show what would happen without changing anything' },
    { flags: '--allow-secret', summary: 'also import entries that look like secrets' },
  ],

  async run(invocation) {
    const { options, terminal, open, signal } = invocation;
    const content = await contentOf(invocation);
    const app = await open();
    const actor = await actorOf(invocation, app);
    const [dryRun, allowSecret] = [options.has('dry-run'), options.has('allow-secret')];
    if (!dryRun) await keepCopy(app, { ...copyRequest(app), occasion: 'import', parts: ['ledger'] }, signal);
    const ends = await importEntries({ ...app, isCitationUri }, { content, dryRun, allowSecret, actor });
    const leftOut = ends.filter(({ what }) => what === 'conflict' || what === 'refused');
    if (terminal.json) terminal.printJson({ dry_run: dryRun, entries: ends.map(asJson) });
    else {
      if (leftOut.length > 0) printTable(terminal, COLUMNS, leftOut);
      terminal.note(summary(ends, dryRun));
    }
    return leftOut.length > 0 ? 1 : 0;
  },
});

const MOST_BYTES = 1024 * 1024 * 1024;

async function contentOf(invocation: Invocation): Promise<Uint8Array> {
  const bytes = await readContent(invocation.arguments[0], invocation);
  if (bytes.byteLength > MOST_BYTES) throw new Fault('ledger/invalid', 'It is larger than 1 GiB.');
  return bytes;
}

function asJson(end: ImportEnd) {
  return { id: end.id, what: end.what, reason: 'reason' in end ? end.reason : null };
}

const COLUMNS: readonly ItemColumn<ImportEnd>[] = [
  { title: 'entry', cell: ({ id }) => id },
  { title: 'what', cell: ({ what }) => what },
  { title: 'why', flexible: true, cell: (end) => ('reason' in end ? end.reason : '') },
];

function summary(ends: readonly ImportEnd[], dryRun: boolean): string {
  const count = (...kinds: ImportEnd['what'][]) => ends.filter(({ what }) => kinds.includes(what)).length;
  const verb = dryRun ? 'would be imported' : 'imported';
  return `${count('imported', 'updated')} ${verb}, ${count('unchanged')} unchanged, ${count('conflict', 'refused')} left out.`;
}
