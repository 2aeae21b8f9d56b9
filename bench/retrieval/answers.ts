/** Answers without a model over two sets of documentation: this project's own, and that of undici, which is installed. */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const SETS: Readonly<Record<string, string>> = {
  ken: path.join(root, 'docs'),
  undici: path.join(root, 'node_modules/undici/docs/docs'),
};
const BARS = { right: 0.65, belowSearch: 0.05, wrong: 0.15 };

/** Which bars were missed, and the table. */
export async function answersReport(): Promise<{ readonly table: string; readonly missed: string[] }> {
  const questions = readFileSync(path.join(import.meta.dirname, 'answer-questions.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line): Asked => JSON.parse(line));
  const judged: Judged[] = [];
  for (const [set, pages] of Object.entries(SETS)) {
    if (!existsSync(pages)) {
      console.log(`answers over ${set}: skipped, there are no pages in ${pages}`);
      continue;
    }
    const asked = questions.filter((each) => each.set === set);
    judged.push(...(await askSet(pages, asked)));
  }
  for (const { set, question, answer } of judged.filter((each) => each.answer !== 'right'))
    process.stderr.write(`bench: answers ${set}: ${answer}: ${question}\n`);
  return judged.length > 0
    ? { table: tableOf(judged), missed: missedBars(judged) }
    : { table: '', missed: [] };
}

async function askSet(pages: string, asked: readonly Asked[]): Promise<Judged[]> {
  const place = temporaryDirectory();
  const directory = path.join(place, 'work');
  mkdirSync(path.join(directory, '.ken'), { recursive: true });
  writeFileSync(path.join(directory, '.ken/config.toml'), '[kb.topic.docs]\nsubjects = "kb"\n');
  const isPage = (file: string) => path.extname(file) === '' || file.endsWith('.md');
  cpSync(pages, path.join(directory, 'kb'), { recursive: true, filter: isPage });
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

function isRight(place: Place | undefined, asked: Asked, pages: string): boolean {
  return [asked, ...(asked.also ?? [])].some((each) => isThere(place, each, pages));
}

function isThere(place: Place | undefined, { path: page, sections }: Answered, pages: string): boolean {
  if (place?.path !== page) return false;
  const lines = readFileSync(path.join(pages, page), 'utf8').split('\n');
  return sections.some((heading) => overlaps(sectionOf(lines, heading), place));
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

function tableOf(judged: readonly Judged[]): string {
  const row = (name: string, those: readonly Judged[]) => [
    name,
    String(those.length),
    percent(rate(those, ({ isFirstHitRight }) => isFirstHitRight)),
    percent(rate(those, ({ answer }) => answer === 'right')),
    percent(rate(those, ({ answer }) => answer === 'elsewhere')),
    percent(rate(those, ({ answer }) => answer === 'wrong')),
    percent(rate(those, ({ answer }) => answer === 'nothing')),
    percent(rate(those, ({ isOfFirstHit }) => isOfFirstHit)),
  ];
  const sets = Object.keys(SETS).map((set) =>
    row(
      set,
      judged.filter((each) => each.set === set),
    ),
  );
  return markdown([
    [
      'documentation',
      'questions',
      'first hit right',
      'quoted right first',
      'right further down',
      'wrong',
      'nothing',
      'quoted from the first hit',
    ],
    ...sets,
    row('both', judged),
  ]);
}

function missedBars(judged: readonly Judged[]): string[] {
  const right = rate(judged, ({ answer }) => answer === 'right');
  const hits = rate(judged, ({ isFirstHitRight }) => isFirstHitRight);
  const wrong = rate(judged, ({ answer }) => answer === 'wrong');
  const fromFirst = rate(judged, ({ isOfFirstHit }) => isOfFirstHit);
  return [
    ...(right < BARS.right ? [`answers: right ${percent(right)}`] : []),
    ...(right < hits - BARS.belowSearch
      ? [`answers: right ${percent(right)}, first hits ${percent(hits)}`]
      : []),
    ...(wrong > BARS.wrong ? [`answers: wrong ${percent(wrong)}`] : []),
    ...(fromFirst < 1 ? [`answers: quoted from the first hit ${percent(fromFirst)}`] : []),
  ];
}
