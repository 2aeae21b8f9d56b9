import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { keepCopy } from '../../../../domain/backup/keep-copy.ts';
import type { ForeignMemory, ForeignProgram } from '../../../../domain/ledger/exchange/foreign-memories.ts';
import { type ImportInput, importEntries } from '../../../../domain/ledger/exchange/import-entries.ts';
import type { ImportEnd } from '../../../../domain/ledger/plans/plan-import.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command, type Invocation } from '../../command.ts';
import { openContent } from '../../read-content.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { copyRequest } from '../backup.ts';
import { claudeMemRows, notesIn, PROJECT } from '../foreign-data.ts';
import { actorOf } from './actor.ts';

export const importKnowledge = command({
  name: 'import',
  summary: 'import entries of another ledger, claude-mem or basic-memory',
  description:
    'Entries are imported with all their versions and times. An entry that exists here is updated if it was not ' +
    'changed here, and left alone otherwise. Rules, approvals and verdicts are not imported. Exit 1 when ' +
    'something was left out. Of claude-mem, the observations of a project are imported; of a directory of ' +
    'basic-memory, the observations and relations in its notes. Importing them again makes no duplicates; the ' +
    'source that they name is the other program.',
  examples: [
    'k import ledger.jsonl --dry-run',
    'k import - < ledger.jsonl',
    'k import ~/.claude-mem/claude-mem.db --project garden',
    'k import ~/basic-memory --dry-run',
  ],
  arguments: [
    {
      name: 'file',
      summary: 'an export, a database or a directory; - for standard input',
      required: true,
      complete: 'files',
    },
  ],
  options: [
    { flags: '--dry-run', summary: 'show what would happen without changing anything' },
    { flags: '--allow-secret', summary: 'also import entries that look like secrets' },
    PROJECT,
  ],

  async run(invocation) {
    const { options, terminal, open, signal } = invocation;
    const app = await open();
    app.keepHeapSmall();
    const read = await readSource(invocation, app);
    const actor = await actorOf(invocation, app);
    const [dryRun, allowSecret] = [options.has('dry-run'), options.has('allow-secret')];
    if (!dryRun) await keepCopy(app, { ...copyRequest(app), occasion: 'import', parts: ['ledger'] }, signal);
    signal.throwIfAborted();
    // All of it is one transaction, during which nothing else runs.
    invocation.endAtFirstSignal();
    const ends = await read({ dryRun, allowSecret, actor });
    const leftOut = ends.filter(({ what }) => what === 'conflict' || what === 'refused');
    if (terminal.json) terminal.printJson({ dry_run: dryRun, entries: ends.map(asJson) });
    else {
      if (leftOut.length > 0) printTable(terminal, COLUMNS, leftOut);
      terminal.note(summary(ends, dryRun));
    }
    return leftOut.length > 0 ? 1 : 0;
  },
});

type Take = (input: Omit<ImportInput, 'content'>) => Promise<readonly ImportEnd[]>;

/** Reads what is named; the returned function imports it. */
async function readSource(invocation: ImportInvocation, app: WorkspaceApp): Promise<Take> {
  const { arguments: words, directory, options } = invocation;
  const ports = { ...app, ledger: app.ledger, isCitationUri };
  const named = words[0] === undefined || words[0] === '-' ? undefined : path.resolve(directory, words[0]);
  const memories = async (program: ForeignProgram, found: readonly ForeignMemory[]): Promise<Take> => {
    if (found.length === 0)
      throw new Fault('ledger/invalid', `${words[0] ?? ''} contains nothing that ${program} wrote.`);
    const { importMemories } = await import('../../../../domain/ledger/exchange/foreign-memories.ts');
    return (input) => importMemories(ports, { ...input, program, memories: found });
  };
  const notes = named === undefined ? undefined : await notesIn(app, named);
  if (notes) {
    const { memoriesOfNotes } = await import('../../../../domain/ledger/exchange/basic-memory.ts');
    return memories('basic-memory', memoriesOfNotes(notes));
  }
  const rows = named === undefined ? undefined : await claudeMemRows(app, named, options.text('project'));
  if (rows) {
    const { observationsOf } = await import('../../../../domain/ledger/exchange/claude-mem.ts');
    return memories('claude-mem', observationsOf(rows));
  }
  const content = await openContent(words[0], invocation);
  if (content.length > MOST_BYTES) throw new Fault('ledger/invalid', 'It is larger than 1 GiB.');
  return (input) => importEntries(ports, { ...input, content });
}

type ImportInvocation = Pick<Invocation, 'arguments' | 'directory' | 'terminal'> & {
  readonly options: Pick<Invocation<'project'>['options'], 'text'>;
};

const MOST_BYTES = 1024 * 1024 * 1024;

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
