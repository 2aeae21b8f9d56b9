/** The retrieval benchmark: prints its tables, writes them into docs/search-quality.md, judges its bars. */

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type AbstentionRates, abstentionRates, judgeAll } from './abstention.ts';
import { collectionNames, readCollection, whyNoCollections } from './collections.ts';
import { embedder, type IndexedCollection, indexCollection } from './indexed-collection.ts';
import { type Measured, measureRankings, type RankingName } from './rankings.ts';

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
const TOLERANCE = 0.01;
const LEAST_FOREIGN = 0.8;
const MOST_OWN = 0.05;

const page = path.join(import.meta.dirname, '../../docs/search-quality.md');

type Results = ReadonlyMap<string, Record<RankingName, Measured>>;

/** Answers which bars were missed. */
export async function retrievalReport(directory: string): Promise<string[]> {
  if (whyNoCollections) {
    console.log(`retrieval: skipped, ${whyNoCollections}`);
    return [];
  }
  const collections: IndexedCollection[] = [];
  const results = new Map<string, Record<RankingName, Measured>>();
  for (const name of collectionNames()) {
    process.stderr.write(`bench: retrieval ${name}\n`);
    const collection = await indexCollection(readCollection(name), directory);
    collections.push(collection);
    results.set(name, await measureRankings(collection));
  }
  process.stderr.write('bench: retrieval abstention\n');
  const rates = abstentionRates(await judgeAll(collections, embedder));
  const byWords = abstentionRates(await judgeAll(collections, undefined));
  for (const { close } of collections) await close();
  const tables = {
    quality: qualityTable(results),
    further: furtherTable(results),
    abstention: abstentionTable(rates, byWords),
  };
  for (const table of Object.values(tables)) console.log(`${table}\n`);
  writeTables(tables);
  return [...missedQuality(results), ...missedAbstention(rates)];
}

function qualityTable(results: Results): string {
  const reference = (name: string) => REFERENCE[name] ?? 0;
  const names = [...results.keys()];
  const means = RANKINGS.map((ranking) => share(mean(results, ranking, 'ndcg10')));
  return markdown([
    ['nDCG@10', 'FTS5', ...RANKINGS.map(titleOf)],
    ...[...results].map(([name, measured]) => [
      name,
      share(REFERENCE[name]),
      ...RANKINGS.map((ranking) => share(measured[ranking].ndcg10)),
    ]),
    ['**mean**', share(names.reduce((sum, name) => sum + reference(name), 0) / names.length), ...means],
  ]);
}

/** Recall at two depths, MRR and times, each of every ranking. */
function furtherTable(results: Results): string {
  const metrics = [
    ['recall@10', 'recall10'],
    ['recall@100', 'recall100'],
    ['MRR@10', 'mrr10'],
  ] as const;
  const time = ({ p50, p95 }: Measured) => `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
  const triple = (title: string) => [`${title} ${RANKINGS.map(titleOf).join(' / ')}`];
  return markdown([
    ['', ...metrics.flatMap(([title]) => triple(title)), ...RANKINGS.map((name) => `ms ${titleOf(name)}`)],
    ...[...results].map(([name, measured]) => [
      name,
      ...metrics.map(([, key]) => RANKINGS.map((ranking) => share(measured[ranking][key])).join(' / ')),
      ...RANKINGS.map((ranking) => time(measured[ranking])),
    ]),
    [
      '**mean**',
      ...metrics.map(([, key]) => RANKINGS.map((ranking) => share(mean(results, ranking, key))).join(' / ')),
      ...RANKINGS.map(() => ''),
    ],
  ]);
}

const RANKINGS: readonly RankingName[] = ['grep', 'bm25', 'hybrid'];

function titleOf(ranking: RankingName): string {
  return ranking === 'bm25' ? 'BM25' : ranking;
}

function mean(results: Results, ranking: RankingName, key: keyof Measured): number {
  const values = [...results.values()].map((measured) => measured[ranking][key]);
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function abstentionTable(
  { cells, own, foreign, unrelated }: AbstentionRates,
  byWords: AbstentionRates,
): string {
  const names = [...cells.keys()];
  const rows = names.map((asked) => [
    asked,
    ...names.map((from) => {
      const rate = percent(cells.get(asked)?.get(from) ?? 0);
      return asked === from ? `**${rate}**` : rate;
    }),
  ]);
  return [
    markdown([['texts of ↓, questions of →', ...names], ...rows]),
    '',
    `Abstained: ${percent(own)} of questions put to their own collection, ${percent(foreign)} of those put to another`,
    `(${percent(unrelated)} where the two were not made from the same repositories). Without vectors: ${percent(byWords.own)} and`,
    `${percent(byWords.foreign)}.`,
  ].join('\n');
}

function missedQuality(results: Results): string[] {
  const missed: string[] = [];
  for (const [name, { bm25, hybrid }] of results) {
    const reference = REFERENCE[name];
    if (reference !== undefined && bm25.ndcg10 < reference - TOLERANCE)
      missed.push(`${name}: BM25 below FTS5`);
    if (hybrid.ndcg10 < bm25.ndcg10 - TOLERANCE) missed.push(`${name}: hybrid below BM25`);
  }
  if (mean(results, 'hybrid', 'ndcg10') <= mean(results, 'bm25', 'ndcg10'))
    missed.push('hybrid is not above BM25 on the mean');
  return missed;
}

function missedAbstention({ own, foreign }: AbstentionRates): string[] {
  return [
    ...(foreign < LEAST_FOREIGN ? ['abstains too seldom'] : []),
    ...(own > MOST_OWN ? ['abstains too often'] : []),
  ];
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

function markdown([header = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), `|${header.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function share(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(3).replace(/^0/, '');
}

function percent(rate: number): string {
  return `${Math.round(rate * 100)} %`;
}
