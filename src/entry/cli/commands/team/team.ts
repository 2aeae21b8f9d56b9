import type { TeamPlace, WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { counted } from '../../../../base/text.ts';
import { requireOperator } from '../../../../domain/approvals/operator/operator-presence.ts';
import { keepCopy } from '../../../../domain/backup/keep-copy.ts';
import { shareEntries } from '../../../../domain/ledger/exchange/share-entries.ts';
import type { ImportEnd } from '../../../../domain/ledger/plans/plan-import.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command, type Invocation, type OptionSpec } from '../../command.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { copyRequest } from '../backup.ts';
import { actorOf } from '../knowledge/actor.ts';

type Direction = 'push' | 'pull';

const OPTIONS = [
  { flags: '--dry-run', summary: 'only show what would be copied' },
  { flags: '-y, --yes', summary: 'do not ask' },
  { flags: '--allow-secret', summary: 'also copy entries that look like secrets' },
] as const satisfies readonly OptionSpec[];

const push = command({
  name: 'push',
  summary: 'copy entries of the ledger to the team',
  description:
    'Shows what would be copied and asks. Entries are copied with all their versions and times. One that the team has ' +
    'changed is left alone. Rules are not copied. Needs you at a terminal. Exit 1 when something was left out.',
  examples: ['team push --dry-run', 'team push'],
  options: OPTIONS,
  run: (invocation) => move(invocation, 'push'),
});

const pull = command({
  name: 'pull',
  summary: 'copy entries of the team into the ledger',
  description:
    'Shows what would be copied and asks. Entries are copied with all their versions and times. One that was changed ' +
    'here is left alone. Rules, approvals and verdicts are not copied. Exit 1 when something was left out.',
  examples: ['team pull --dry-run', 'team pull --yes'],
  options: OPTIONS,
  run: (invocation) => move(invocation, 'pull'),
});

const status = command({
  name: 'status',
  summary: 'compare the ledger with that of the team',
  examples: ['team status', 'team status --json'],

  async run(invocation) {
    const app = await invocation.open();
    const { terminal } = invocation;
    const team = await app.team.describe();
    const preview = { dryRun: true, allowSecret: false, actor: await actorOf(invocation, app) };
    const [toPush, toPull] = [
      await shareEntries(portsFor(app, 'push'), preview),
      await shareEntries(portsFor(app, 'pull'), preview),
    ];
    if (terminal.json) {
      terminal.printJson({ team, ledger: { push: countsOf(toPush), pull: countsOf(toPull) } });
      return;
    }
    terminal.print(`team ${named(team)}`);
    terminal.print(`push: ${summary(toPush)}`);
    terminal.print(`pull: ${summary(toPull)}`);
  },
});

export const team = command({
  name: 'team',
  summary: 'share the ledger with a team',
  description:
    'A team shares through a PostgreSQL database: team.url in your own configuration, or KEN_TEAM_URL. Nothing leaves ' +
    'this machine without "ken team push". While the database cannot be reached, everything else works.',
  examples: ['team status', 'team push --dry-run', 'team pull'],
  subcommands: [status, push, pull],
});

function portsFor({ ledger, teamLedger, clock, ids }: WorkspaceApp, direction: Direction) {
  const [from, to] = direction === 'push' ? [ledger, teamLedger] : [teamLedger, ledger];
  return { from, ledger: to, clock, ids, isCitationUri };
}

type Moving = Invocation<'dry-run' | 'yes' | 'allow-secret' | 'json', never>;

async function move(invocation: Moving, direction: Direction): Promise<0 | 1> {
  const { options, terminal, open } = invocation;
  const app = await open();
  const place = await app.team.describe();
  const input = { allowSecret: options.has('allow-secret'), actor: await actorOf(invocation, app) };
  const planned = await shareEntries(portsFor(app, direction), { ...input, dryRun: true });
  const isPreview = options.has('dry-run');
  if (!terminal.json) describe(terminal, planned, direction, place);
  const isAgreed =
    !isPreview && planned.some(isChange) && (await agrees(invocation, app, { direction, place, planned }));
  const ends = isAgreed ? await shareEntries(portsFor(app, direction), { ...input, dryRun: false }) : planned;
  if (terminal.json)
    terminal.printJson({ team: place, dry_run: isPreview, copied: isAgreed, entries: ends.map(asJson) });
  else if (isAgreed) terminal.note(`${counted(ends.filter(isChange).length, 'entry', 'entries')} copied.`);
  return ends.some(isLeftOut) ? 1 : 0;
}

interface Plan {
  readonly direction: Direction;
  readonly place: TeamPlace;
  readonly planned: readonly ImportEnd[];
}

/** Asks. A push needs the operator; before a pull, a copy of the ledger is kept. */
async function agrees(
  { options, signal, terminal }: Moving,
  app: WorkspaceApp,
  { direction, place, planned }: Plan,
): Promise<boolean> {
  if (direction === 'push') await requireOperator(app, 'Sharing with the team');
  if (!options.has('yes') && !(await app.questioner.isThere()))
    throw new Fault('cli/usage', 'There is no terminal to ask at.', {
      hint: 'Give --yes to copy, or --dry-run to see what would be copied.',
    });
  const what = counted(planned.filter(isChange).length, 'entry', 'entries');
  const text = `Copy ${what} ${direction === 'push' ? 'to' : 'from'} ${named(place)}?`;
  const question = { id: 'team', text, answerType: 'boolean', default: false } as const;
  if (!options.has('yes') && (await app.questioner.ask('ken', question, signal)) !== true) {
    terminal.note('Nothing was copied.');
    return false;
  }
  if (direction === 'pull')
    await keepCopy(app, { ...copyRequest(app), occasion: 'import', parts: ['ledger'] }, signal);
  return true;
}

const MOST_SHOWN = 50;

function describe(
  terminal: Moving['terminal'],
  planned: readonly ImportEnd[],
  direction: Direction,
  place: TeamPlace,
): void {
  const shown = planned.filter((end) => isChange(end) || isLeftOut(end));
  if (shown.length > 0) printTable(terminal, COLUMNS, shown.slice(0, MOST_SHOWN));
  if (shown.length > MOST_SHOWN) terminal.note(`and ${shown.length - MOST_SHOWN} more`);
  terminal.note(`${direction === 'push' ? 'to' : 'from'} ${named(place)}: ${summary(planned)}`);
}

const WORDS: Record<ImportEnd['what'], string> = {
  imported: 'new',
  updated: 'update',
  unchanged: 'unchanged',
  conflict: 'left out',
  refused: 'left out',
};

const COLUMNS: readonly ItemColumn<ImportEnd>[] = [
  { title: 'entry', cell: ({ id }) => id },
  { title: 'what', cell: ({ what }) => WORDS[what] },
  { title: 'why', flexible: true, cell: (end) => ('reason' in end ? end.reason : '') },
];

function isChange({ what }: ImportEnd): boolean {
  return what === 'imported' || what === 'updated';
}

function isLeftOut({ what }: ImportEnd): boolean {
  return what === 'conflict' || what === 'refused';
}

function countsOf(ends: readonly ImportEnd[]) {
  const count = (...kinds: ImportEnd['what'][]) => ends.filter(({ what }) => kinds.includes(what)).length;
  return {
    new: count('imported'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    left_out: count('conflict', 'refused'),
  };
}

function summary(ends: readonly ImportEnd[]): string {
  const counts = countsOf(ends);
  return `${counts.new} new, ${counts.updated} updated, ${counts.unchanged} unchanged, ${counts.left_out} left out`;
}

function asJson(end: ImportEnd) {
  return { id: end.id, what: end.what, reason: 'reason' in end ? end.reason : null };
}

function named({ place, team: name, workspace }: TeamPlace): string {
  return `${name}/${workspace} at ${place}`;
}
