/**
 * Answers without a model over sets of documentation: this project's own, that of undici, and manuals of other packages,
 * which are all installed. Faults were mended by the questions of `tuned`; those of `held out` are only asked.
 */

import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { KenLibrary } from '../../src/entry/library-types.ts';
import { temporaryDirectory } from '../bench.ts';
import { markdown, percent } from './tables.ts';

/** A page with the answer, and the headings of the sections that have it. */
interface Answered {
  readonly path: string;
  readonly sections: readonly string[];
}

interface Asked extends Answered {
  readonly set: string;
  readonly question: string;
  /** Other places that say it too. */
  readonly also?: readonly Answered[];
}

/** `elsewhere`: a quotation that follows is right. `nothing`: the answer says that there is none, and what it adds is not. */
type Verdict = 'right' | 'elsewhere' | 'wrong' | 'nothing';

interface Judged {
  readonly set: string;
  readonly question: string;
  readonly answer: Verdict;
  readonly isFirstHitRight: boolean;
  /** The first quotation is of the first hit. */
  readonly isOfFirstHit: boolean;
}

const root = path.join(import.meta.dirname, '../..');
const QUESTIONS = { tuned: 'answer-questions.jsonl', 'held out': 'answer-questions-held-out.jsonl' } as const;
type Sort = keyof typeof QUESTIONS;
const SETS: Readonly<Record<string, () => Pages>> = {
  ken: () => pagesIn(path.join(root, 'docs')),
  undici: () => pagesIn(path.join(root, 'node_modules/undici/docs/docs')),
  manuals: () => manualsOf(['body-parser', 'commander', 'debug', 'postgres', 'qs']),
};
const BARS = { right: 0.65, belowSearch: 0.05, wrong: 0.15 };

/** The file of each page. */
type Pages = ReadonlyMap<string, string>;

function pagesIn(directory: string): Pages {
  const pages = globSync('**/*.md', { cwd: directory }).sort();
  return new Map(pages.map((page) => [page, path.join(directory, page)]));
}

/** The page that a package describes itself with; nothing when one of them is not installed. */
function manualsOf(packages: readonly string[]): Pages {
  const pages = packages.flatMap((name): [string, string][] => {
    const directory = path.join(root, 'node_modules', name);
    const names = existsSync(directory) ? readdirSync(directory) : [];
    return names
      .filter((each) => /^readme\.md$/i.test(each))
      .map((each) => [`${name}.md`, path.join(directory, each)]);
  });
  return new Map(pages.length === packages.length ? pages : []);
}

/** Which bars were missed, and the table. */
export async function answersReport(): Promise<{ readonly table: string; readonly missed: string[] }> {
  const tuned = await askAll('tuned');
  const heldOut = await askAll('held out');
  const rows = [...rowsOf('tuned', tuned), ...rowsOf('held out', heldOut)];
  if (rows.length === 0) return { table: '', missed: [] };
  const missed = [...missedBars('tuned', tuned), ...missedBars('held out', heldOut)];
  return { table: markdown([TITLES, ...rows]), missed };
}

async function askAll(sort: Sort): Promise<Judged[]> {
  const questions = readFileSync(path.join(import.meta.dirname, QUESTIONS[sort]), 'utf8')
    .trim()
    .split('\n')
    .map((line): Asked => JSON.parse(line));
  const judged: Judged[] = [];
  for (const [set, asked] of Map.groupBy(questions, (each) => each.set)) {
    const pages = SETS[set]?.() ?? new Map();
    if (pages.size === 0) console.log(`answers over ${set}: skipped, its pages are not installed`);
    else judged.push(...(await askSet(pages, asked)));
  }
  for (const { set, question, answer } of judged.filter((each) => each.answer !== 'right'))
    process.stderr.write(`bench: answers ${set}, ${sort}: ${answer}: ${question}\n`);
  return judged;
}

async function askSet(pages: Pages, asked: readonly Asked[]): Promise<Judged[]> {
  const place = temporaryDirectory();
  const directory = path.join(place, 'work');
  mkdirSync(path.join(directory, '.ken'), { recursive: true });
  writeFileSync(path.join(directory, '.ken/config.toml'), '[kb.topic.docs]\nsubjects = "kb"\n');
  for (const [page, file] of pages) cpSync(file, path.join(directory, 'kb', page));
  const library: KenLibrary = await import(path.join(root, 'dist/library.js'));
  const environment = { KEN_HOME: path.join(place, 'home') };
  const judged: Judged[] = [];
  {
    await using ken = await library.openWorkspace(directory, { environment });
    for (const each of asked) {
      const { hits, near_misses: near } = await ken.search(each.question, { in: ['kb'], limit: 1 });
      const [hit] = [...hits, ...near];
      const { text } = await ken.ask(each.question).answer();
      // An earlier answer could be quoted in place of the page.
      rmSync(path.join(directory, '.ken/conversations'), { recursive: true, force: true });
      const found = hit && cited(hit.citation.uri);
      const quoted = citedIn(text);
      judged.push({
        set: each.set,
        question: each.question,
        isFirstHitRight: isRight(found, each, pages),
        answer: verdictOn(text, (place) => isRight(place, each, pages)),
        isOfFirstHit: quoted[0] === undefined || isWithin(quoted[0], found),
      });
    }
  }
  rmSync(place, { recursive: true, force: true });
  return judged;
}

interface Place {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

function citedIn(answer: string): Place[] {
  return [...answer.matchAll(/^— (\S+)$/gm)].flatMap(([, uri = '']) => cited(uri) ?? []);
}

/** `ken://kb/docs/api/Pool#L10-L24` */
function cited(uri: string): Place | undefined {
  const found = /^ken:\/\/kb\/docs\/([^#]+)(?:#L(\d+)(?:-L(\d+))?)?$/.exec(uri);
  if (!found) return undefined;
  const first = Number(found[2] ?? 1);
  return { path: `${decodeURIComponent(found[1] ?? '')}.md`, first, last: Number(found[3] ?? first) };
}

function verdictOn(answer: string, isRightAt: (place: Place) => boolean): Verdict {
  const [first, ...others] = citedIn(answer);
  if (first && isRightAt(first)) return 'right';
  if (!first || answer.startsWith('Nothing')) return 'nothing';
  return others.some(isRightAt) ? 'elsewhere' : 'wrong';
}

function isRight(place: Place | undefined, asked: Asked, pages: Pages): boolean {
  return [asked, ...(asked.also ?? [])].some((each) => isThere(place, each, pages));
}

function isThere(place: Place | undefined, { path: page, sections }: Answered, pages: Pages): boolean {
  if (place?.path !== page) return false;
  const lines = linesOf(pages.get(page) ?? '');
  return sections.some((heading) => overlaps(sectionOf(lines, heading), place));
}

/** Empty lines in the place of code: a comment of a shell looks like a heading. */
function linesOf(file: string): string[] {
  let isCode = false;
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => {
      const isFence = /^\s*(?:```[^`]*|~~~.*)$/.test(line);
      if (isFence) isCode = !isCode;
      return isCode || isFence ? '' : line;
    });
}

function isWithin(place: Place, hit: Place | undefined): boolean {
  return place.path === hit?.path && overlaps(place, hit);
}

/** From its heading to the next one of the same level or above. */
function sectionOf(lines: readonly string[], heading: string): Omit<Place, 'path'> {
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ +/, '').trim() === heading);
  if (start < 0) throw new Error(`There is no section "${heading}".`);
  const level = lines[start]?.indexOf(' ') ?? 1;
  const next = lines.findIndex((line, at) => at > start && new RegExp(`^#{1,${level}} `).test(line));
  return { first: start + 1, last: next < 0 ? lines.length : next };
}

function overlaps(section: Omit<Place, 'path'>, place: Place): boolean {
  return place.first <= section.last && place.last >= section.first;
}

function rate(judged: readonly Judged[], isSo: (each: Judged) => boolean): number {
  return judged.filter(isSo).length / Math.max(1, judged.length);
}

const TITLES = [
  'documentation',
  'questions',
  'first hit right',
  'quoted right first',
  'right further down',
  'wrong',
  'nothing',
  'quoted from the first hit',
];

function rowsOf(sort: Sort, judged: readonly Judged[]): string[][] {
  if (judged.length === 0) return [];
  const row = (name: string, those: readonly Judged[]) => [
    `${name}, ${sort}`,
    String(those.length),
    percent(rate(those, ({ isFirstHitRight }) => isFirstHitRight)),
    ...(['right', 'elsewhere', 'wrong', 'nothing'] as const).map((verdict) =>
      percent(rate(those, ({ answer }) => answer === verdict)),
    ),
    percent(rate(those, ({ isOfFirstHit }) => isOfFirstHit)),
  ];
  const sets = Map.groupBy(judged, ({ set }) => set);
  return [...[...sets].map(([set, those]) => row(set, those)), row('both', judged)];
}

function missedBars(sort: Sort, judged: readonly Judged[]): string[] {
  if (judged.length === 0) return [];
  const right = rate(judged, ({ answer }) => answer === 'right');
  const hits = rate(judged, ({ isFirstHitRight }) => isFirstHitRight);
  const wrong = rate(judged, ({ answer }) => answer === 'wrong');
  const fromFirst = rate(judged, ({ isOfFirstHit }) => isOfFirstHit);
  const missed = [
    ...(right < BARS.right ? [`right ${percent(right)}`] : []),
    ...(right < hits - BARS.belowSearch ? [`right ${percent(right)}, first hits ${percent(hits)}`] : []),
    ...(wrong > BARS.wrong ? [`wrong ${percent(wrong)}`] : []),
    ...(fromFirst < 1 ? [`quoted from the first hit ${percent(fromFirst)}`] : []),
  ];
  return missed.map((each) => `answers, ${sort}: ${each}`);
}
