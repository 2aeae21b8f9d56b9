import path from 'node:path';
import type { App } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { displayWidth, neutralise, singleLine, truncateText, wrapText } from '../../../base/terminal-text.ts';
import { counted } from '../../../base/text.ts';
import { elapsed, parseIsoTime } from '../../../base/time.ts';
import { offeredKnowledge } from '../../../domain/knowledge-base/topic.ts';
import { parseSelectors } from '../../../domain/labels/parse-selector.ts';
import type { Envelope, Hit } from '../../../domain/search/engine/hit.ts';
import type { Explanation, WordPart } from '../../../domain/search/ranking/explain-hit.ts';
import type { ScorePart } from '../../../domain/search/ranking/fuse-scores.ts';
import type { HitSignals } from '../../../domain/search/ranking/hit-signals.ts';
import { strengthOf, TRUST_WORDS } from '../../../domain/search/ranking/outcome.ts';
import { scanRuns } from '../../../domain/words/characters.ts';
import { isStopWord, termsOf, wordsOf } from '../../../domain/words/terms.ts';
import { searchApp } from '../../searched-indexes.ts';
import { command, type OptionSpec } from '../command.ts';
import { LABEL_SELECTOR } from '../options.ts';
import { coloursFor, indexProgress, printLongStyled, type Terminal } from '../terminal.ts';
import { type Styler, styler } from '../terminal-abilities.ts';

export const EXCLUDE = {
  flags: '--exclude <glob>',
  summary: 'leave out files that match, as in .gitignore',
  repeatable: true,
} as const satisfies OptionSpec;

export const search = command({
  name: 'search',
  summary: 'search everything that ken knows here',
  description:
    'Ranks by words and by meaning, with no model and no download. Each hit begins with its file and line, then says how ' +
    'likely it answers (strong, fair or weak), what it is and how old it is. Words in quotes must appear together; -word ' +
    'excludes a word. When nothing answers, the nearest is printed, and the exit code is 1.',
  examples: [
    'search "how do we deploy"',
    "search --in kb 'payment -refund'",
    "search --exclude '*.test.ts' --exclude vendor/ 'read the body'",
    'search --open 1 "how do we deploy"',
    'search --budget 2000 capacity --json',
  ],
  arguments: [{ name: 'question', summary: 'words or a question', required: true, variadic: true }],
  options: [
    {
      flags: '--in <sources>',
      summary: 'only in these sources, separated by commas: kb, refs, ledger, conversations',
    },
    { flags: '--topic <id>', summary: 'only in this topic', complete: 'topics' },
    {
      flags: '--path <path>',
      summary: 'only this file, or files below this directory/',
      repeatable: true,
      complete: 'files',
    },
    EXCLUDE,
    LABEL_SELECTOR,
    { flags: '--limit <n>', summary: 'the maximum number of hits (10)' },
    { flags: '--budget <tokens>', summary: 'print whole chunks, up to this many estimated tokens' },
    { flags: '--explain', summary: 'explain the score of each hit' },
    { flags: '--uri', summary: 'print the citation of each hit, which "ken show" opens' },
    { flags: '--open <n>', summary: 'open hit number n in your editor, at its line' },
  ],

  async run({ arguments: words, options, terminal, signal, open, openAnywhere }) {
    const sources = options
      .text('in')
      ?.split(',')
      .map((name) => name.trim());
    const question = {
      text: words.join(' '),
      sources,
      limit: options.count('limit', 1) ?? 10,
      topic: options.text('topic'),
      paths: options.texts('path'),
      exclude: options.texts('exclude'),
      labels: parseSelectors(options.texts('label')),
      explain: options.has('explain'),
      budget: options.count('budget', 1),
    };
    const isAnywhere = sources?.every((name) => name === 'refs');
    const app = await (isAnywhere ? openAnywhere() : open());
    const indexing = indexProgress(terminal, app.clock, signal);
    const envelope = await searchApp(app, question, signal, indexing.onItems).finally(indexing.end);
    for (const { in: name, message, hint } of envelope.unavailable ?? []) {
      terminal.warn(`${name} could not be searched: ${message}`);
      if (hint !== undefined) terminal.note(`hint: ${hint}`);
    }
    const opened = options.count('open', 1);
    if (opened !== undefined) await openHit(app, envelope, opened);
    else if (terminal.json) terminal.printJson(envelope);
    else {
      const uris = options.has('uri') || terminal.verbose;
      await printEnvelope(terminal, app, envelope, { question: question.text, uris });
    }
    return envelope.outcome === 'answers' ? 0 : 1;
  },
});

/** Long lists go to the pager. */
export async function printEnvelope(
  terminal: Terminal,
  app: Pick<App, 'config' | 'pager' | 'clock'>,
  { outcome, hits, near_misses: near }: Envelope,
  options: { readonly question: string; readonly uris: boolean },
): Promise<void> {
  if (outcome === 'nothing') return terminal.note('Nothing was found.');
  if (outcome === 'nearest') terminal.note('Nothing answers this. Nearest:');
  const shown = outcome === 'answers' ? hits : near;
  const colours = await coloursFor(terminal, app);
  await printLongStyled(
    terminal,
    app,
    hitsText(terminal, shown, { ...options, colours, now: app.clock.now() }),
  );
}

/** Opens a subject in place; a file of a reference as a copy, since a changed one would no longer match its lock. */
async function openHit(app: App, { hits, near_misses: near }: Envelope, number: number): Promise<void> {
  const found = hits.length > 0 ? hits : near;
  const hit = found[number - 1];
  if (!hit) {
    throw new Fault('cli/usage', `There is no hit ${number}.`, {
      hint: found.length > 0 ? `The search found ${counted(found.length, 'hit')}.` : 'Nothing was found.',
    });
  }
  const { path: file, lines, uri } = hit.citation;
  const line = hit.line ?? lines?.first ?? 1;
  if (hit.kind === 'subject' && file !== undefined && app.workspace)
    return app.editor.open(path.resolve(app.workspace.root, file), line);
  if (hit.kind !== 'chunk' || file === undefined) {
    throw new Fault('cli/usage', `Hit ${number} is not a file: ${placeOf(hit)}.`, {
      hint: `Run "ken show ${uri}".`,
    });
  }
  const { requireCitation } = await import('../../../domain/search/citations/citation.ts');
  const { showCitation } = await import('../../../domain/search/citations/show-citation.ts');
  const { lines: _, ...whole } = requireCitation(uri);
  const { text } = await showCitation(app, offeredKnowledge(app), whole);
  await app.editor.edit(text, path.basename(file), line);
}

interface HitListOptions {
  readonly question: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Prints the citation of each hit too. */
  readonly uris: boolean;
  /** Absent: code has no colours. */
  readonly colours?: typeof import('../render/code-colours.ts').colouredLines | undefined;
}

type Place = Pick<Terminal, 'isTerminal' | 'columns' | 'color'>;

/** Ends with a blank line. */
function hitsText(terminal: Place, hits: readonly Hit[], options: HitListOptions): string {
  const style = styler(terminal.color);
  const safe = terminal.isTerminal ? neutralise : (text: string) => text;
  const wanted = new Set(
    wordsOf(options.question).flatMap((word) => (isStopWord(word) ? [] : termsOf(word))),
  );
  const lines = hits.flatMap((hit, at) => [
    ...headLines(hit, terminal, style),
    ...standingLines(`${at + 1}. ${standingText(hit, options.now)}`, terminal).map((line) =>
      style('dim', `  ${line}`),
    ),
    ...(options.uris ? [style('dim', `  ${singleLine(hit.citation.uri)}`)] : []),
    ...shownLines(fitted(bodyLines(hit, wanted).map(safe), hit, terminal), hit, {
      ...options,
      wanted,
      style,
    }).map((line) => `  ${line}`.trimEnd()),
    ...(hit.explain ? explained(hit.explain).map((line) => `  ${style('dim', safe(line))}`) : []),
    '',
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

interface LineOptions extends Pick<HitListOptions, 'colours'> {
  readonly wanted: ReadonlySet<string>;
  readonly style: Styler;
}

function shownLines(lines: readonly string[], hit: Hit, { wanted, style, colours }: LineOptions): string[] {
  const coloured = colours?.(hit.citation.path ?? '', lines.join('\n'));
  return lines.map((line, at) =>
    coloured?.[at]
      ? coloured[at](style, (text, rest) => highlighted(text, wanted, style, rest))
      : highlighted(line, wanted, style),
  );
}

const LEAST_TITLE_COLUMNS = 20;

/**
 * The place is never cut, so that it can be opened with a click; the title takes what is left of one line. Where a
 * terminal has too little left, it has the next line.
 */
function headLines(hit: Hit, { columns, isTerminal }: Place, style: Styler): string[] {
  const place = placeOf(hit);
  const left = columns - displayWidth(place) - 2;
  const titleIn = (room: number) => truncateText(shortTitle(hit), room).replace(/[\s·,]+…$/u, '…');
  if (!isTerminal || left >= LEAST_TITLE_COLUMNS)
    return [`${style('bold', place)}  ${titleIn(Math.max(left, LEAST_TITLE_COLUMNS))}`.trimEnd()];
  return [style('bold', place), ...[titleIn(columns - INDENT)].filter(Boolean).map((title) => `  ${title}`)];
}

function standingLines(text: string, { columns, isTerminal }: Place): string[] {
  return isTerminal ? wrapText(text, columns - INDENT).split('\n') : [text];
}

/** `docs/deploy.md:12`; for a reference, below the id of its topic. */
function placeOf({ kind, id, citation, line }: Hit): string {
  const { path, lines, uri } = citation;
  if (kind === 'entry') return singleLine(`entry ${id}`);
  if (kind === 'turn') {
    const turn = /#turn-(\d+)$/.exec(uri)?.[1];
    return singleLine(`conversation ${id}${turn === undefined ? '' : `, turn ${turn}`}`);
  }
  const at = line ?? lines?.first;
  return `${singleLine(kind === 'chunk' ? id : (path ?? id))}${at ? `:${at}` : ''}`;
}

const SEPARATOR = ' › ';

/** The last heading first: it is nearest to the text. */
function shortTitle({ title, citation }: Hit): string {
  const parts = title.split(SEPARATOR).filter((part) => part !== citation.path);
  return parts.map(singleLine).reverse().join(' · ');
}

function standingText(hit: Hit, now: number): string {
  return [strengthOf(hit.score), trustText(hit), ...ageText(hit, now)].join(' · ');
}

function trustText({ kind, trust: { tier } }: Hit): string {
  if (tier === 'stale' && kind === 'chunk') return 'stale reference';
  if (tier === 'stale' && kind === 'entry') return 'stale fact';
  return TRUST_WORDS[tier];
}

function ageText({ freshness, superseded_by: by, entry }: Hit, now: number): string[] {
  const { fetched_at, stale_since, verified_at } = freshness;
  const since = (what: string, iso: unknown) => {
    const time = typeof iso === 'string' ? parseIsoTime(iso) : undefined;
    return time === undefined ? [] : [`${what} ${elapsed(time, now)}`];
  };
  return [
    ...since('fetched', fetched_at),
    ...(stale_since === undefined ? [] : [`stale since ${stale_since.slice(0, 10)}`]),
    ...(verified_at === undefined ? since('changed', entry?.updated_at) : since('checked', verified_at)),
    ...(by === undefined ? [] : [`replaced by ${singleLine(by)}`]),
  ];
}

const CONTEXT_LINES = 3;

/** The whole text if there is one; otherwise the line with the most words of the question, and its neighbours. */
function bodyLines({ text, snippet }: Hit, wanted: ReadonlySet<string>): readonly string[] {
  if (text !== undefined) return text.trimEnd().split('\n');
  const lines = snippet.trimEnd().split('\n');
  const counts = lines.map((line) => new Set(termsOf(line).filter((term) => wanted.has(term))).size);
  const best = counts.indexOf(Math.max(...counts));
  const start = Math.max(0, Math.min(best - 1, lines.length - CONTEXT_LINES));
  return lines.slice(start, start + CONTEXT_LINES);
}

const INDENT = 2;

/** A terminal would break long lines within words. Prose is wrapped; code is cut, and a whole chunk of it kept. */
function fitted(
  lines: readonly string[],
  { text, kind, citation }: Hit,
  { isTerminal, columns }: Place,
): readonly string[] {
  if (!isTerminal) return lines;
  const room = columns - INDENT;
  const isProse = kind === 'entry' || kind === 'turn' || PROSE.test(citation.path ?? '');
  if (isProse) return lines.flatMap((line) => wrapText(line, room).split('\n'));
  return text === undefined ? lines.map((line) => truncateText(line, room)) : lines;
}

const PROSE = /\.(?:md|markdown|rst|adoc|org|txt|text|pdf|docx|epub)$|(?:^|\/)[^./]+$/i;

/** Marks the wanted words of a line. */
function highlighted(
  line: string,
  wanted: ReadonlySet<string>,
  style: Styler,
  rest: (part: string) => string = (part) => part,
): string {
  let shown = '';
  let done = 0;
  scanRuns(line, (_, start, end) => {
    const word = line.slice(start, end);
    if (!termsOf(word).some((term) => wanted.has(term))) return;
    shown += `${rest(line.slice(done, start))}${style(['bold', 'red'], word)}`;
    done = end;
  });
  return `${shown}${rest(line.slice(done))}`;
}

/** The score as a sum, then the part of each word of the question. */
function explained({ score, lexical, dense, order, words, chance, signals }: Explanation): string[] {
  const found = words.filter((word) => word.part > 0);
  const missing = words.filter((word) => word.part === 0).map(({ word }) => word);
  return [
    chanceText(chance, signals),
    `ranked by ${score.toFixed(2)} = ${rankText({ lexical, dense, order })}`,
    ...(found.length > 0 ? [`words: ${found.map(wordText).join(', ')}`] : []),
    ...(missing.length > 0 ? [`not here: ${missing.join(', ')}`] : []),
  ];
}

function rankText({ lexical, dense, order }: Pick<Explanation, 'lexical' | 'dense' | 'order'>): string {
  const product = (value: number, weight: number) => `${value.toFixed(2)} × ${weight.toFixed(2)}`;
  const part = ({ normalised, weight }: ScorePart) => product(normalised, weight);
  const { weights, signals, factor } = order;
  const parts = ORDER_NAMES.filter(([name]) => weights[name] > 0);
  const most = 1 + parts.reduce((sum, [name]) => sum + weights[name], 0);
  const sum = [
    `words ${part(lexical)}`,
    `meaning ${part(dense)}`,
    ...parts.map(([name, text]) => `${text} ${product(signals[name], weights[name])}`),
  ].join(' + ');
  const minor = factor < 1 ? ` × ${factor.toFixed(2)} (test, example, generated or vendored)` : '';
  return `(${sum}) ÷ ${most.toFixed(2)}${minor}`;
}

const ORDER_NAMES = [
  ['beginning', 'beginning'],
  ['pairs', 'word pairs'],
  ['fileName', 'file name'],
  ['symbol', 'symbol'],
  ['brevity', 'brevity'],
] as const;

function chanceText(chance: number, { information, together, names, cosine }: HitSignals): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const parts = [
    `${percent(information)} of the question`,
    `${percent(together)} in one place`,
    `${percent(names)} in names`,
    ...(cosine === undefined ? [] : [`cosine ${cosine.toFixed(2)}`]),
  ];
  return `chance ${chance.toFixed(2)}: has ${parts.join(', ')}`;
}

function wordText({ word, takenFor, part, chunkCount }: WordPart): string {
  const meant = takenFor ? ` (taken for ${takenFor.join(', ')})` : '';
  return `${word}${meant} ${part.toFixed(2)} (in ${counted(chunkCount, 'chunk')})`;
}
