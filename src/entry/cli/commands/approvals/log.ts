import { isoTime } from '../../../../base/time.ts';
import { findLogBreak, type LogEntry } from '../../../../domain/approvals/lock/decision-log.ts';
import { command } from '../../command.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';

const SHOWN = 50;

export const logOfDecisions = command({
  name: 'log',
  summary: 'show the log of everything that you decided or permitted',
  description:
    'The newest entries come first. Each names the process that decided, the programs that started it, and its ' +
    'terminal, but no command lines. Entries are chained by hash and signed while approvals are locked; ken ' +
    'checks the whole chain and exits with 6 when it is broken.',
  examples: ['approvals log', 'approvals log --all --json'],
  options: [{ flags: '--all', summary: `all entries, not only the last ${SHOWN}` }],

  async run({ options, terminal, openAnywhere }) {
    const { decisionLog, hasher, lock } = await openAnywhere({ toleratesTrouble: true });
    // Before the entries: one that is added meanwhile is not missing.
    const lastNumber = await decisionLog.lastNumber();
    const entries = await decisionLog.list();
    const whole = { newestFirst: entries, lastNumber };
    const broken = await findLogBreak(hasher, whole, (...given) => lock.verifies(...given));
    const shown = options.has('all') ? entries : entries.slice(0, SHOWN);
    if (terminal.json) terminal.printJson({ entries: shown.map(entryAsJson), broken: broken ?? null });
    else if (shown.length === 0) terminal.note('Nothing has been decided yet.');
    else printTable(terminal, COLUMNS, shown);
    if (broken && !terminal.json) terminal.warn(`entry ${broken.number} is broken: ${broken.why}.`);
    return broken ? 6 : 0;
  },
});

const COLUMNS: ItemColumn<LogEntry>[] = [
  { title: 'no', align: 'right', cell: ({ number }) => String(number) },
  { title: 'time', cell: ({ at }) => isoTime(at) },
  { title: 'act', cell: ({ act }) => act },
  { title: 'subject', flexible: true, cell: ({ subject }) => subject },
  { title: 'by', cell: ({ by, through }) => [by, through].filter(Boolean).join(', ') },
  {
    title: 'process',
    flexible: true,
    cell: ({ pid, program, parents }) => [`${program} ${pid}`, ...parents].join(' < '),
  },
  { title: 'terminal', cell: ({ terminal }) => terminal ?? '' },
  { title: 'signed', cell: ({ signature }) => (signature === undefined ? '' : 'yes') },
];

function entryAsJson({ signature, at, ...entry }: LogEntry) {
  return { ...entry, at: isoTime(at), signed: signature !== undefined };
}
