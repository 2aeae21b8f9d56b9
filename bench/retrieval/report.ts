/** The retrieval benchmark: prints its tables, writes them into docs/search-quality.md, judges its bars. */

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { meanQuality, percentile } from '../../src/domain/search/quality/ranking-quality.ts';
import type { Outcome } from '../../src/domain/search/ranking/outcome.ts';
import { answersReport } from './answers.ts';
import { type Asked, askCut, type Mode } from './ask-cut.ts';
import { collectionNames, readCollection, whyNoCollections } from './collections.ts';
import { cutsOf, SIZES, type Size, type Sort } from './cuts.ts';
import { markdown, percent, share } from './tables.ts';

/** nDCG@10 of SQLite's FTS5 over text whose identifiers were split, as measured once by others' code. */
const REFERENCE: Readonly<Record<string, number>> = {
  scifact: 0.695,
  cosqa: 0.396,
  cacm: 0.432,
  'devqa-dev': 0.78,
  'ts-jsdoc-dev': 0.56,
  'commit-file-dev': 0.692,
  'devdocs-q-dev': 0.454,
};
const BARS = { tolerance: 0.01, ownNothing: 0.03, ownAnswers: 0.85, foreignAnswers: 0.2, nearAnswers: 0.5 };

const page = path.join(import.meta.dirname, '../../docs/search-quality.md');

/** The figures of one collection at one size. */
interface Measured {
  readonly collection: string;
  readonly size: Size;
  readonly words: Ranked;
  readonly hybrid: Ranked;
  /** Nothing where no such question was asked. */
  readonly outcomes: Readonly<Record<Sort, Readonly<Record<Outcome, number | undefined>>>>;
}

interface Ranked {
  readonly undecided: number;
  readonly delivered: number;
  readonly recall10: number;
  readonly p95: number;
}

/** The name of the answers without a model among those of the collections. */
const ANSWERS = 'answers';

/** Which bars were missed. `wanted` are names of collections, and `answers`; empty: all, and the page is written. */
export async function retrievalReport(wanted: readonly string[]): Promise<string[]> {
  const isAsked = (name: string) => wanted.length === 0 || wanted.includes(name);
  const offline = isAsked(ANSWERS) ? await answersReport() : { table: '', missed: [] };
  if (offline.table !== '') console.log(`${offline.table}\n`);
  const collections = wanted.filter((name) => name !== ANSWERS);
  if (wanted.length > 0 && collections.length === 0) return offline.missed;
  return [...offline.missed, ...(await collectionsReport(collections, offline.table))];
}

async function collectionsReport(wanted: readonly string[], answers: string): Promise<string[]> {
  if (whyNoCollections) {
    console.log(`retrieval: skipped, ${whyNoCollections}`);
    return [];
  }
  const all = collectionNames().map(readCollection);
  const measured: Measured[] = [];
  for (const collection of all) {
    if (wanted.length > 0 && !wanted.includes(collection.name)) continue;
    for (const size of SIZES) {
      process.stderr.write(`bench: retrieval ${collection.name} ${size}\n`);
      const asked: Asked[] = [];
      for (const cut of cutsOf(collection, size, all))
        asked.push(...(await askCut(cut, ['words', 'hybrid'])));
      if (asked.length > 0) measured.push(measuredOf(asked));
    }
  }
  const tables = {
    quality: qualityTable(measured),
    sizes: sizesTable(measured),
    means: meansTable(measured),
  };
  for (const table of Object.values(tables)) console.log(`${table}\n`);
  if (wanted.length === 0) writeTables({ ...tables, answers });
  return [...missedQuality(measured), ...missedOutcomes(measured)];
}

function measuredOf(asked: readonly Asked[]): Measured {
  const [{ collection, size }] = asked as [Asked];
  const hybrid = asked.filter(({ mode }) => mode === 'hybrid');
  const outcomes = (sort: Sort) => {
    const those = hybrid.filter(({ question }) => question.sort === sort);
    const of = (outcome: Outcome) =>
      those.length === 0 ? undefined : those.filter((each) => each.outcome === outcome).length / those.length;
    return { answers: of('answers'), nearest: of('nearest'), nothing: of('nothing') };
  };
  return {
    collection,
    size,
    words: rankedBy('words', asked),
    hybrid: rankedBy('hybrid', asked),
    outcomes: {
      own: outcomes('own'),
      'near-miss': outcomes('near-miss'),
      foreign: outcomes('foreign'),
      nonsense: outcomes('nonsense'),
    },
  };
}

function rankedBy(mode: Mode, asked: readonly Asked[]): Ranked {
  const own = asked.filter((each) => each.mode === mode && each.question.sort === 'own');
  const mean = (key: 'undecided' | 'delivered') => meanQuality(own.flatMap((each) => each[key] ?? []));
  return {
    undecided: mean('undecided').ndcg10,
    delivered: mean('delivered').ndcg10,
    recall10: mean('undecided').recall10,
    p95: percentile(
      own.map(({ milliseconds }) => milliseconds),
      0.95,
    ),
  };
}

function qualityTable(measured: readonly Measured[]): string {
  const whole = measured.filter(({ size }) => size === 'whole');
  const row = (name: string, of: (each: (each: Measured) => number) => string, reference: string) => [
    name,
    reference,
    of(({ words }) => words.undecided),
    of(({ hybrid }) => hybrid.undecided),
    of(({ words }) => words.delivered),
    of(({ hybrid }) => hybrid.delivered),
    of(({ hybrid }) => hybrid.recall10),
  ];
  const references = whole.map(({ collection }) => REFERENCE[collection] ?? 0);
  return markdown([
    [
      'nDCG@10, whole collections',
      'FTS5',
      'words',
      'hybrid',
      'words, delivered',
      'hybrid, delivered',
      'recall@10',
    ],
    ...whole.map((each) => row(each.collection, (of) => share(of(each)), share(REFERENCE[each.collection]))),
    row('**mean**', (of) => share(meanOf(whole.map(of))), share(meanOf(references))),
  ]);
}

function sizesTable(measured: readonly Measured[]): string {
  return markdown([OUTCOME_TITLES, ...measured.map((each) => outcomeRow(`${each.collection}`, [each]))]);
}

function meansTable(measured: readonly Measured[]): string {
  const sizes = SIZES.filter((size) => measured.some((each) => each.size === size));
  const rows = sizes.map((size) =>
    outcomeRow(
      'mean',
      measured.filter((each) => each.size === size),
    ),
  );
  return markdown([OUTCOME_TITLES, ...rows]);
}

const OUTCOME_TITLES = [
  'collection',
  'texts',
  'words',
  'hybrid',
  'delivered',
  'recall@10',
  'own: answers / nearest / nothing',
  'foreign: answers / nothing',
  'nonsense: answers',
  'near misses: answers',
  'p95 ms',
];

function outcomeRow(name: string, measured: readonly Measured[]): string[] {
  const mean = (of: (each: Measured) => number) => meanOf(measured.map(of));
  const rate = (sort: Sort, outcome: Outcome) => {
    const rates = measured.flatMap(({ outcomes }) => outcomes[sort][outcome] ?? []);
    return rates.length > 0 ? percent(meanOf(rates)) : '–';
  };
  return [
    name,
    String(measured[0]?.size),
    share(mean(({ words }) => words.undecided)),
    share(mean(({ hybrid }) => hybrid.undecided)),
    share(mean(({ hybrid }) => hybrid.delivered)),
    share(mean(({ hybrid }) => hybrid.recall10)),
    `${rate('own', 'answers')} / ${rate('own', 'nearest')} / ${rate('own', 'nothing')}`,
    `${rate('foreign', 'answers')} / ${rate('foreign', 'nothing')}`,
    rate('nonsense', 'answers'),
    rate('near-miss', 'answers'),
    mean(({ hybrid }) => hybrid.p95).toFixed(1),
  ];
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function missedQuality(measured: readonly Measured[]): string[] {
  const whole = measured.filter(({ size }) => size === 'whole');
  const missed = whole.flatMap(({ collection, words, hybrid }) => [
    ...(words.undecided < (REFERENCE[collection] ?? 0) - BARS.tolerance
      ? [`${collection}: words below FTS5`]
      : []),
    ...(hybrid.undecided < words.undecided - BARS.tolerance ? [`${collection}: hybrid below words`] : []),
  ]);
  const lost = measured.filter(({ hybrid }) => hybrid.delivered < hybrid.undecided - BARS.tolerance);
  return [
    ...missed,
    ...lost.map(({ collection, size }) => `${collection} ${size}: abstention costs more than it may`),
  ];
}

function missedOutcomes(measured: readonly Measured[]): string[] {
  const missed = measured.flatMap(({ collection, size, outcomes: { own, foreign } }) => {
    const { nothing = 0, answers = 1 } = own;
    const { answers: wrong = 0 } = foreign;
    const where = `${collection} ${size}:`;
    return [
      ...(nothing > BARS.ownNothing ? [`${where} own nothing ${percent(nothing)}`] : []),
      ...(answers < BARS.ownAnswers ? [`${where} own answers ${percent(answers)}`] : []),
      ...(wrong > BARS.foreignAnswers ? [`${where} foreign answers ${percent(wrong)}`] : []),
    ];
  });
  const near = meanOf(measured.flatMap(({ outcomes }) => outcomes['near-miss'].answers ?? []));
  return [...missed, ...(near > BARS.nearAnswers ? [`near misses: answers ${percent(near)}`] : [])];
}

/** Each table stands between two comments that name it. */
function writeTables(tables: Readonly<Record<string, string>>): void {
  let text = readFileSync(page, 'utf8');
  for (const [name, table] of Object.entries(tables)) {
    const place = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- end -->)`);
    text = text.replace(place, (_, start: string, end: string) => `${start}${table}\n${end}`);
  }
  writeFileSync(page, text);
}
