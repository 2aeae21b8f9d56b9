import { shortDifference } from '../../../../base/line-difference.ts';
import { neutralise } from '../../../../base/terminal-text.ts';
import { entryId } from '../../../../domain/ledger/entry/entry.ts';
import { verifyEntries } from '../../../../domain/ledger/evidence/verify-entries.ts';
import type { CheckedCitation } from '../../../../domain/ledger/plans/plan-verdicts.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command } from '../../command.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { actorOf } from './actor.ts';

export const verifyKnowledge = command({
  name: 'verify',
  summary: 'check whether the evidence of entries is still there',
  description:
    'The verdict on a citation is ok; moved: the lines are elsewhere in the file, or in a renamed file; changed; ' +
    'missing; or unchecked, with the reason. For a file, the text that was cited and the text of now are shown. Line ends do not count. Exit 6 when any verdict is not ok; commands, people ' +
    'and meetings, which ken never asks again, count only with --all.',
  examples: ['k verify', 'k verify 01K9ZC4N8Q --fix'],
  arguments: [
    { name: 'id', summary: 'entries; all active ones if absent', variadic: true, complete: 'entries' },
  ],
  options: [
    { flags: '--fix', summary: 'rewrite citations that have moved' },
    { flags: '--all', summary: 'exit 6 also for evidence that cannot be checked again' },
  ],

  async run(invocation) {
    const { arguments: words, options, terminal, open } = invocation;
    const ids = words.map(entryId);
    const app = await open();
    const actor = await actorOf(invocation, app);
    const checked = await verifyEntries({ ...app, isCitationUri }, { ids, fix: options.has('fix'), actor });
    if (terminal.json) terminal.printJson({ citations: checked.map(asJson) });
    else if (checked.length === 0) terminal.note('There are no active entries.');
    else {
      printTable(terminal, COLUMNS, checked);
      for (const line of checked.flatMap(differenceLines)) terminal.print(line);
      terminal.note(summary(checked));
    }
    const isFine = ({ verdict, isFixed, provenance }: CheckedCitation) =>
      verdict === 'ok' ||
      isFixed ||
      (verdict === 'unchecked' && !options.has('all') && NEVER_CHECKED.test(provenance));
    return checked.every(isFine) ? 0 : 6;
  },
});

/** A person who recorded such evidence accepted it. */
const NEVER_CHECKED = /^(?:cmd|person|meeting):/;

/** Counts each verdict, so that unchecked citations do not pass for valid ones. */
function summary(checked: readonly CheckedCitation[]): string {
  const counts = SUMMED.map((what) => [checked.filter((each) => summedAs(each) === what).length, what]);
  return `${counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(', ')}.`;
}

function summedAs({ verdict, isFixed }: CheckedCitation): string {
  if (isFixed) return 'moved and fixed';
  return verdict === 'unchecked' ? 'not checked' : verdict;
}

const SUMMED = ['ok', 'not checked', 'moved', 'moved and fixed', 'changed', 'missing'];

const COLUMNS: readonly ItemColumn<CheckedCitation>[] = [
  { title: 'id', cell: ({ id }) => id },
  { title: 'verdict', cell: ({ verdict, isFixed }) => (isFixed ? `${verdict}, fixed` : verdict) },
  { title: 'evidence', flexible: true, cell: ({ provenance }) => provenance },
  { title: 'now or why', flexible: true, cell: ({ movedTo, reason }) => movedTo ?? reason ?? '' },
];

/** The text that was cited, as git has it, against the text that is there now. */
function differenceLines({ id, provenance, compared }: CheckedCitation): string[] {
  if (!compared || (compared.before === undefined && compared.now === undefined)) return [];
  const { before, now } = compared;
  const missing = before === undefined ? ['  (git has no version with the text that was cited)'] : [];
  const lines = shortDifference(before ?? '', now ?? '').split('\n');
  const cut = lines.slice(0, LINES_SHOWN);
  const more = lines.length > cut.length ? [`  … ${lines.length - cut.length} more lines`] : [];
  return ['', `${provenance} (${id}):`, ...missing, ...cut, ...more].map((line) => neutralise(line));
}

const LINES_SHOWN = 40;

function asJson({ id, provenance, verdict, movedTo, reason, isFixed, compared }: CheckedCitation) {
  const { before = null, now = null } = compared ?? {};
  const place = { moved_to: movedTo ?? null, reason: reason ?? null, fixed: isFixed };
  return { id, provenance, verdict, ...place, before, now };
}
