/** Hits of a search as text: where each is, its title, how far it can be trusted, and the lines with the words. */

import { neutralise, singleLine, truncateText } from '../../../base/terminal-text.ts';
import { counted } from '../../../base/text.ts';
import { parseIsoTime } from '../../../base/time.ts';
import type { Hit } from '../../../domain/search/engine/hit.ts';
import type { Explanation, WordPart } from '../../../domain/search/ranking/explain-hit.ts';
import type { ScorePart } from '../../../domain/search/ranking/fuse-scores.ts';
import type { HitSignals } from '../../../domain/search/ranking/hit-signals.ts';
import { strengthOf } from '../../../domain/search/ranking/outcome.ts';
import { scanRuns } from '../../../domain/words/characters.ts';
import { isStopWord, termsOf, wordsOf } from '../../../domain/words/terms.ts';
import type { Terminal } from '../terminal.ts';
import { elapsed } from './elapsed.ts';
import { type Styler, styler } from './style.ts';

export interface HitListOptions {
  readonly question: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Prints the citation of each hit too. */
  readonly uris: boolean;
}

type Place = Pick<Terminal, 'isTerminal' | 'columns' | 'color'>;

/** Ends with a blank line. */
export function hitsText(terminal: Place, hits: readonly Hit[], options: HitListOptions): string {
  const style = styler(terminal.color);
  const safe = terminal.isTerminal ? neutralise : (text: string) => text;
  const wanted = new Set(
    wordsOf(options.question).flatMap((word) => (isStopWord(word) ? [] : termsOf(word))),
  );
  const lines = hits.flatMap((hit, at) => [
    headLine(hit, terminal.columns, style),
    style('dim', `  ${at + 1}. ${standingText(hit, options.now)}`),
    ...(options.uris ? [style('dim', `  ${singleLine(hit.citation.uri)}`)] : []),
    ...bodyLines(hit, wanted).map((line) => `  ${highlighted(safe(line), wanted, style)}`.trimEnd()),
    ...(hit.explain ? explained(hit.explain).map((line) => `  ${style('dim', safe(line))}`) : []),
    '',
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

const LEAST_TITLE_COLUMNS = 20;

/** The place is never cut, so that it can be opened with a click; the title takes what is left of one line. */
function headLine(hit: Hit, columns: number, style: Styler): string {
  const place = placeOf(hit);
  const room = Math.max(columns - place.length - 2, LEAST_TITLE_COLUMNS);
  return `${style('bold', place)}  ${truncateText(shortTitle(hit), room)}`.trimEnd();
}

/** `docs/deploy.md:12`; for a reference, below the id of its topic. */
export function placeOf({ kind, id, citation, line }: Hit): string {
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
  return TRUST[tier];
}

const TRUST: Readonly<Record<Hit['trust']['tier'], string>> = {
  procedural: 'rule that you approved',
  workspace: 'knowledge base',
  verified: 'verified fact',
  entry: 'fact, not verified',
  reference: 'reference',
  conversation: 'earlier answer',
  stale: 'stale',
};

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

function highlighted(line: string, wanted: ReadonlySet<string>, style: Styler): string {
  let shown = '';
  let done = 0;
  scanRuns(line, (_, start, end) => {
    const word = line.slice(start, end);
    if (!termsOf(word).some((term) => wanted.has(term))) return;
    shown += `${line.slice(done, start)}${style(['bold', 'red'], word)}`;
    done = end;
  });
  return `${shown}${line.slice(done)}`;
}

/** The score as a sum, then the part of each word of the question. */
function explained({ score, lexical, dense, words, chance, signals }: Explanation): string[] {
  const part = ({ normalised, weight }: ScorePart) => `${normalised.toFixed(2)} × ${weight.toFixed(2)}`;
  const found = words.filter((word) => word.part > 0);
  const missing = words.filter((word) => word.part === 0).map(({ word }) => word);
  return [
    chanceText(chance, signals),
    `ranked by ${score.toFixed(2)} = words ${part(lexical)} + meaning ${part(dense)}`,
    ...(found.length > 0 ? [`words: ${found.map(wordText).join(', ')}`] : []),
    ...(missing.length > 0 ? [`not here: ${missing.join(', ')}`] : []),
  ];
}

function chanceText(chance: number, { information, together, names, dense }: HitSignals): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const parts = [
    `${percent(information)} of the question`,
    `${percent(together)} in one place`,
    `${percent(names)} in names`,
    ...(dense ? [`cosine ${dense.cosine.toFixed(2)}`] : []),
  ];
  return `chance ${chance.toFixed(2)}: has ${parts.join(', ')}`;
}

function wordText({ word, takenFor, part, chunkCount }: WordPart): string {
  const meant = takenFor ? ` (taken for ${takenFor.join(', ')})` : '';
  return `${word}${meant} ${part.toFixed(2)} (in ${counted(chunkCount, 'chunk')})`;
}
