// npm run bench [-- NAME…]: measures, prints one table, writes bench/results.json; ends with 1 when a bar is missed.
// The name `retrieval` stands for the quality of search, on collections that KEN_TEST_DATA has; `retrieval/NAME` for
// one of those; `served-quality` for the same with candidates that PostgreSQL finds.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { didYouMean } from '../src/base/similar.ts';
import { compareCodePoints } from '../src/base/text.ts';
import { assemblePublished, type Bench, benchIn, temporaryDirectory } from './bench.ts';
import { measure } from './measure.ts';
import { outcomeOf, type Result, resultTable, verdictOf } from './result.ts';
import { retrievalReport } from './retrieval/report.ts';
import type { Row } from './row.ts';

const RETRIEVAL = 'retrieval';
/** Compares candidates of PostgreSQL with those of a process; runs only when it is named. */
const SERVED = 'served-quality';

const resultsFile = path.join(import.meta.dirname, 'results.json');

async function allRows(): Promise<Row[]> {
  const directory = path.join(import.meta.dirname, 'rows');
  const files = readdirSync(directory).filter((file) => file.endsWith('.ts'));
  const modules = files
    .sort(compareCodePoints)
    .map((file): Promise<{ rows: Row[] }> => import(path.join(directory, file)));
  return (await Promise.all(modules)).flatMap(({ rows }) => rows);
}

function selectRows(rows: readonly Row[], names: readonly string[]): readonly Row[] {
  const known = rows.map(({ name }) => name);
  for (const name of names) {
    if (known.some((each) => isNamed(each, name))) continue;
    console.error(
      `There is no row "${name}". ${didYouMean(name, [...known, RETRIEVAL]) ?? `There are: ${[...known, RETRIEVAL].join(', ')}.`}`,
    );
    process.exit(2);
  }
  return names.length === 0 ? rows : rows.filter(({ name }) => names.some((given) => isNamed(name, given)));
}

/** Each names all rows that begin with it; a row's own name means it alone. */
const GROUPS = new Set(['postgres', 'page', 'first-word']);

function isNamed(row: string, given: string): boolean {
  return row === given || (GROUPS.has(given) && row.startsWith(`${given}-`));
}

async function runRow(row: Row, bench: Bench): Promise<Result> {
  const { name, subject, bar } = row;
  const described = { name, subject, ...(bar !== undefined && { bar }) };
  if ('unit' in row) {
    const value = await row.measure(bench);
    return { ...described, value, unit: row.unit, verdict: verdictOf(value, bar) };
  }
  const sides = await row.prepare(bench);
  try {
    const { subjectMs, floorMs, ratio } = await measure(row, sides);
    return {
      ...described,
      floor: row.floor,
      floorMs,
      subjectMs,
      value: ratio,
      verdict: verdictOf(ratio, bar),
    };
  } finally {
    await sides.close?.();
  }
}

/** Each result is told and saved at once: the whole takes long, and what is interrupted keeps what it has. */
async function runAll(rows: readonly Row[], known: readonly Row[], directory: string): Promise<Result[]> {
  const published = assemblePublished(directory);
  const done: Result[] = [];
  for (const row of rows) {
    process.stderr.write(`bench: ${row.name} …`);
    const own = path.join(directory, row.name);
    const result = await runRow(row, benchIn(own, published));
    rmSync(own, { recursive: true, force: true });
    process.stderr.write(` ${outcomeOf(result)}\n`);
    done.push(result);
    saveResults(done, known);
  }
  return done;
}

/** Rows that were not run keep what an earlier run on this machine found. */
function saveResults(done: readonly Result[], rows: readonly Row[]): void {
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
  const earlier = savedResults(JSON.stringify(machine));
  const merged = rows.flatMap(({ name }) => {
    const isIt = (result: Result) => result.name === name;
    return done.find(isIt) ?? earlier.find(isIt) ?? [];
  });
  writeFileSync(resultsFile, `${JSON.stringify({ machine, rows: merged }, null, 2)}\n`);
}

function savedResults(machine: string): Result[] {
  if (!existsSync(resultsFile)) return [];
  const saved: { machine: unknown; rows: Result[] } = JSON.parse(readFileSync(resultsFile, 'utf8'));
  return JSON.stringify(saved.machine) === machine ? saved.rows : [];
}

const known = await allRows();
const names = process.argv.slice(2);
if (process.argv.includes(SERVED)) {
  const { servedReport } = await import('./retrieval/served.ts');
  const missed = await servedReport();
  for (const bar of missed) console.log(`missed: ${bar}`);
  process.exit(missed.length > 0 ? 1 : 0);
}
const isRetrieval = (name: string) => name === RETRIEVAL || name.startsWith(`${RETRIEVAL}/`);
const rowNames = names.filter((name) => !isRetrieval(name));
const directory = temporaryDirectory();
try {
  if (names.length === 0 || rowNames.length > 0) {
    const done = await runAll(selectRows(known, rowNames), known, directory);
    console.log(resultTable(done));
    if (done.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
  }
  if (names.length === 0 || names.some(isRetrieval)) {
    const collections = names.filter(isRetrieval).map((name) => name.slice(RETRIEVAL.length + 1));
    const missed = await retrievalReport(collections.includes('') ? [] : collections);
    for (const bar of missed) console.log(`missed: ${bar}`);
    if (missed.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
// Ends what rows share and left open, such as the page's server.
process.exit();
