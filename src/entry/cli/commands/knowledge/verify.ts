import { shortDifference } from '../../../../base/line-difference.ts';
import { neutralise } from '../../../../base/terminal-text.ts';
import { verifyEntries } from '../../../../domain/ledger/evidence/verify-entries.ts';
import type { CheckedCitation } from '../../../../domain/ledger/plans/plan-verdicts.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command } from '../../command.ts';
import { type ItemColumn, tablePrinter } from '../../render/table.ts';
import { actorOf } from './actor.ts';
import { meantEntry } from './require-entry.ts';

export const verifyKnowledge = command({
  name: 'verify',
  summary: 'check whether the evidence of entries is still there',
  description:
    'Each citation is ok, moved (its lines are elsewhere in the file, or in a renamed file), changed, missing, ' +
    'or unchecked with the reason. Of a changed file, ken shows the cited text and the present text. Line ends ' +
    'do not count. Exit 6 when any verdict is not ok; commands, people and meetings, which ken never asks ' +
    'again, count only with --all.',
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
    const app = await open();
    const ids = await Promise.all(words.map(async (word) => (await meantEntry(app.ledger, word)).id));
    app.keepHeapSmall();
    const actor = await actorOf(invocation, app);
    const pages = verifyEntries({ ...app, isCitationUri }, { ids, fix: options.has('fix'), actor });
    const counts = new Map<string, number>();
    const json: ReturnType<typeof asJson>[] = [];
    const printRows = tablePrinter(terminal, COLUMNS);
    let isFine = true;
    for await (const checked of pages) {
      for (const each of checked) counts.set(summedAs(each), (counts.get(summedAs(each)) ?? 0) + 1);
      isFine &&= checked.every((each) => isAccepted(each, options.has('all')));
      if (terminal.json) json.push(...checked.map(asJson));
      else {
        printRows(checked);
        for (const line of checked.flatMap(differenceLines)) terminal.print(line);
      }
    }
    if (terminal.json) terminal.printJson({ citations: json });
    else terminal.note(counts.size === 0 ? 'There are no active entries.' : summary(counts));
    return isFine ? 0 : 6;
  },
});

function isAccepted({ verdict, isFixed, provenance }: CheckedCitation, countsAll: boolean): boolean {
  return (
    verdict === 'ok' || isFixed || (verdict === 'unchecked' && !countsAll && NEVER_CHECKED.test(provenance))
  );
}

/** A person who recorded such evidence accepted it. */
const NEVER_CHECKED = /^(?:cmd|person|meeting):/;

/** Counts each verdict, so that unchecked citations do not pass for valid ones. */
function summary(counts: ReadonlyMap<string, number>): string {
  return `${SUMMED.flatMap((what) => (counts.has(what) ? [`${counts.get(what)} ${what}`] : [])).join(', ')}.`;
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
