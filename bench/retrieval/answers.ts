/** Answers without a model over two sets of documentation: this project's own, and that of undici, which is installed. */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KenLibrary } from '../../src/entry/library-types.ts';
import { temporaryDirectory } from '../bench.ts';
import { markdown, percent } from './tables.ts';

interface Asked {
  readonly set: string;
  readonly question: string;
  /** The page with the answer, and the headings of the sections that have it. */
  readonly path: string;
  readonly sections: readonly string[];
}

type Verdict = 'right' | 'wrong' | 'nothing';

interface Judged {
  readonly set: string;
  readonly question: string;
  readonly answer: Verdict;
  readonly firstHit: Verdict;
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
    if (!existsSync(pages)) throw new Error(`There are no pages in ${pages}.`);
    const asked = questions.filter((each) => each.set === set);
    judged.push(...(await askSet(pages, asked)));
  }
  for (const { set, question, answer, firstHit } of judged.filter((each) => each.answer !== 'right'))
    process.stderr.write(`bench: answers ${set}: ${answer}, first hit ${firstHit}: ${question}\n`);
  return { table: tableOf(judged), missed: missedBars(judged) };
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
      const quoted = citedIn(text);
      judged.push({
        set: each.set,
        question: each.question,
        firstHit: verdictOn(hit && cited(hit.citation.uri), each, pages),
        answer: verdictOn(quoted, each, pages),
        isOfFirstHit: quoted?.path === (hit && cited(hit.citation.uri)?.path),
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

function citedIn(answer: string): Place | undefined {
  return cited(/^— (\S+)$/m.exec(answer)?.[1] ?? '');
}

/** `ken://kb/docs/api/Pool#L10-L24` */
function cited(uri: string): Place | undefined {
  const found = /^ken:\/\/kb\/docs\/([^#]+)(?:#L(\d+)(?:-L(\d+))?)?$/.exec(uri);
  if (!found) return undefined;
  const first = Number(found[2] ?? 1);
  return { path: `${decodeURIComponent(found[1] ?? '')}.md`, first, last: Number(found[3] ?? first) };
}

function verdictOn(place: Place | undefined, { path: page, sections }: Asked, pages: string): Verdict {
  if (!place) return 'nothing';
  if (place.path !== page) return 'wrong';
  const lines = readFileSync(path.join(pages, page), 'utf8').split('\n');
  return sections.some((heading) => overlaps(sectionOf(lines, heading), place)) ? 'right' : 'wrong';
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
    percent(rate(those, ({ firstHit }) => firstHit === 'right')),
    percent(rate(those, ({ answer }) => answer === 'right')),
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
      'quoted right',
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
  const hits = rate(judged, ({ firstHit }) => firstHit === 'right');
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
