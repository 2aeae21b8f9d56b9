// node bench/retrieval/calibrate.ts: prints what MEASURED_EVIDENCE in judge-relevance.ts should be, and how each collection
// fares with weights that were fitted without it. Which questions are put to which texts is decided by a fixed seed
// (cuts.ts), so that the same code prints the same numbers.
import type { HitSignals } from '../../src/domain/search/ranking/hit-signals.ts';
import { FAIR } from '../../src/domain/search/ranking/outcome.ts';
import { type Asked, askCut, type Mode } from './ask-cut.ts';
import { collectionNames, notesOf, readCollection, whyNoCollections } from './collections.ts';
import { type Cut, cutsOf, SIZES, type Sort } from './cuts.ts';
import { asChances, bestScore, type Case, type Evidence, fitEvidence } from './fit-evidence.ts';
import { percent } from './tables.ts';

const SIGNALS = {
  words: ['presence', 'names', 'together', 'length', 'crowd', 'information', 'strength'],
  hybrid: ['presence', 'names', 'together', 'length', 'crowd', 'cosine'],
} as const satisfies Record<Mode, readonly (keyof HitSignals)[]>;

/** Collections of prose that are also cut to notes, which ledgers and knowledge bases have. */
const NOTED = ['devdocs-q-dev', 'devqa-dev', 'scifact'];

/** So many questions with an answer are asked of each cut. */
const MOST_OWN = 250;

function caseOf({ collection, size, question, mode, result }: Asked): Case[] {
  const hits = [...result.hits, ...result.nearMisses].slice(0, 10);
  const judged = hits.filter(({ signals }) => mode === 'words' || signals.cosine !== undefined);
  if (judged.length === 0) return [];
  const { sort } = question;
  const rows = judged.map(({ signals }) => SIGNALS[mode].map((name) => signals[name] ?? 0));
  return [{ collection, cell: `${collection} ${size} ${sort}`, sort, hits: rows }];
}

/** With fewer of the questions that have an answer; ranking is not measured here. */
function sampled(cut: Cut): Cut {
  let own = 0;
  return { ...cut, asked: cut.asked.filter(({ sort }) => sort !== 'own' || own++ < MOST_OWN) };
}

function named(mode: Mode, { constant, weights }: Evidence): Record<string, number> {
  const short = (value: number | undefined) => Number((value ?? 0).toFixed(3));
  return Object.fromEntries([
    ['constant', short(constant)],
    ...SIGNALS[mode].map((name, at) => [name, short(weights[at])]),
  ]);
}

/** The mean over its sizes. */
function rateOf(cases: readonly Case[], sort: Sort, evidence: Evidence): string {
  const cells = [
    ...Map.groupBy(
      cases.filter((each) => each.sort === sort),
      ({ cell }) => cell,
    ).values(),
  ];
  const rates = cells.map(
    (cell) => cell.filter((each) => bestScore(each, evidence) >= 0).length / cell.length,
  );
  return percent(rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length));
}

function printWithout(cases: readonly Case[], collection: string): void {
  const own = cases.filter((each) => each.collection === collection);
  const evidence = fitEvidence(cases.filter((each) => each.collection !== collection));
  const [answered, foreign, near] = (['own', 'foreign', 'near-miss'] as const).map((sort) =>
    rateOf(own, sort, evidence),
  );
  console.log(`${collection}, fitted without it: own ${answered}, foreign ${foreign}, near misses ${near}`);
}

if (whyNoCollections) {
  console.error(whyNoCollections);
  process.exit(1);
}
const all = collectionNames().map(readCollection);
const cases: Record<Mode, Case[]> = { words: [], hybrid: [] };
const notes = all.filter(({ name }) => NOTED.includes(name)).map(notesOf);
for (const collection of [...all, ...notes]) {
  for (const size of notes.includes(collection) ? SIZES.slice(0, 3) : SIZES) {
    process.stderr.write(`calibrate: ${collection.name} ${size}\n`);
    for (const cut of cutsOf(collection, size, all)) {
      for (const asked of await askCut(sampled(cut), ['words', 'hybrid']))
        cases[asked.mode].push(...caseOf(asked));
    }
  }
}
for (const { name } of [...all, ...notes]) printWithout(cases.hybrid, name);
console.log({
  dense: named('hybrid', asChances(fitEvidence(cases.hybrid), cases.hybrid, FAIR)),
  words: named('words', asChances(fitEvidence(cases.words), cases.words, FAIR)),
});
