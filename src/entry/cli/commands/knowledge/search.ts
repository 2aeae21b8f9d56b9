import { singleLine } from '../../../../base/terminal-text.ts';
import { elapsed, isoTime } from '../../../../base/time.ts';
import { type Entry, isProcedural, worstOf } from '../../../../domain/ledger/entry/entry.ts';
import { entryJson } from '../../../../domain/ledger/entry/entry-json.ts';
import { type Standing, standings } from '../../../../domain/ledger/search/current-entries.ts';
import type { Explanation } from '../../../../domain/ledger/search/rate-entries.ts';
import { type FoundEntry, searchEntries } from '../../../../domain/ledger/search/search-entries.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command } from '../../command.ts';
import { ruleText } from './entry-lines.ts';

export const searchKnowledge = command({
  name: 'search',
  summary: 'find entries by their words, now or at an earlier time',
  description:
    'An entry matches if it has any of the words; more and rarer words count more. If few entries match, similar ' +
    'ones are added. Feedback orders results that are about equal. Expired entries are left out. Exit 1 when ' +
    'nothing is found.',
  examples: ['k search "how do we deploy"', 'k search port --as-of 2026-01-31 --rank recency_decay'],
  arguments: [
    { name: 'query', summary: 'words of title, tags, text or provenance', required: true, variadic: true },
  ],
  options: [
    { flags: '--as-of <time>', summary: 'the ledger as it was then' },
    { flags: '--window-days <n>', summary: 'only entries created in this many days' },
    { flags: '--rank <mode>', summary: 'relevance or recency_decay; relevance if absent' },
    { flags: '--tag <tag>', summary: 'only with this tag', repeatable: true },
    { flags: '--label <selector>', summary: 'only with matching labels', repeatable: true },
    { flags: '--claim-id <id>', summary: 'only about this claim' },
    { flags: '--status <status>', summary: 'active, superseded, deprecated or stale; active if absent' },
    { flags: '--limit <n>', summary: 'the maximum number; 20 if absent' },
    { flags: '--offset <n>', summary: 'skip this many entries' },
    { flags: '--explain', summary: 'show the parts of each score' },
  ],

  async run({ arguments: words, options, terminal, open }) {
    const input = {
      query: words.join(' '),
      asOf: options.text('as-of'),
      windowDays: options.count('window-days'),
      rank: options.text('rank'),
      tags: options.texts('tag'),
      labels: options.texts('label'),
      claimId: options.text('claim-id'),
      status: options.text('status'),
      limit: options.count('limit', 1),
      offset: options.count('offset'),
    };
    const app = await open();
    const found = await searchEntries(app, input);
    const known = await standings(
      { ...app, isCitationUri },
      found.map(({ entry }) => entry),
    );
    const standing = new Map(found.map(({ entry }, at) => [entry.id, known[at] ?? 'entry']));
    const shown = { standing, now: app.clock.now(), explain: options.has('explain') };
    if (terminal.json) terminal.printJson({ entries: found.map((each) => foundJson(each, shown)) });
    else for (const each of found) terminal.print(foundText(each, shown));
    if (found.length === 0) terminal.note('Nothing in the ledger is about this.');
    return found.length > 0 ? 0 : 1;
  },
});

interface Shown {
  readonly standing: ReadonlyMap<string, Standing>;
  readonly now: number;
  readonly explain: boolean;
}

function foundJson({ entry, score, recency, explanation }: FoundEntry, { standing, explain }: Shown) {
  const known = {
    ...entryJson(entry),
    standing: standing.get(entry.id),
    recency_score: recency ?? null,
    score,
  };
  return explain ? { ...known, explain: explanation } : known;
}

/** Two or three lines: id and title, the first line of text, provenance. */
function foundText({ entry, score, explanation }: FoundEntry, { standing, now, explain }: Shown): string {
  const updated = entry.updatedAt * 1000;
  const rule = isProcedural(entry.id) ? `, ${ruleText(standing.get(entry.id))}` : '';
  const when = `${isoTime(updated).slice(0, 10)}, ${elapsed(updated, now)}${rule}`;
  const [first = ''] = entry.text.split('\n', 1);
  const parts = explain ? `\n    ${explained(score, explanation)}` : '';
  return `${entry.id}  ${singleLine(entry.title)} (${when})\n    ${singleLine(first)}\n    ${entry.provenance}${checked(entry, now)}${parts}`;
}

/** The last result of checking the evidence, with its time. */
function checked({ citations }: Entry, now: number): string {
  const found = worstOf(citations.map(({ verified }) => verified));
  return found ? ` (${found.verdict}, checked ${elapsed(found.at * 1000, now)})` : '';
}

function explained(score: number, { words, meaning, feedback }: Explanation): string {
  const near = meaning === null ? '' : `, meaning ${meaning.toFixed(3)}`;
  return `score ${score.toFixed(3)}: words ${words.toFixed(3)}${near}; feedback × ${feedback.toFixed(3)}`;
}
