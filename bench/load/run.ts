// npm run bench:load [-- AREA…] [--at-most N]: fills workspaces of several sizes, prints for each command how time and
// memory grow, writes bench/load/results.json; ends with 1 where that is more than n log n, or than the bar on memory.
// Needs Linux, and about 12 GB of disk and 15 minutes for all areas and sizes.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { assemblePublished, type Bench, benchIn, temporaryDirectory } from '../bench.ts';
import type { Usage } from '../watch-process.ts';
import type { LoadArea } from './area.ts';
import { conversation } from './conversation.ts';
import { growthOf, loadTable, type Measured } from './growth.ts';
import { ledger } from './ledger.ts';
import { references } from './references.ts';
import { subjects } from './subjects.ts';

const AREAS: readonly LoadArea[] = [ledger, subjects, conversation, references];
const resultsFile = path.join(import.meta.dirname, 'results.json');

async function measureArea(area: LoadArea, sizes: readonly number[], directory: string): Promise<Measured> {
  const published = assemblePublished(directory);
  const columns: Usage[][] = [];
  for (const size of sizes) {
    const own = path.join(directory, `${area.name}-${size}`);
    const bench = benchIn(own, published);
    await bench.ken(['init'])();
    await area.fill(bench, size);
    columns.push(await measureSteps(area, bench, size));
    rmSync(own, { recursive: true });
  }
  const { name, unit, steps } = area;
  const rows = steps.map((step, at) => ({
    name: step.name,
    usages: columns.map((column) => {
      const usage = column[at];
      if (usage === undefined) throw new Error(`"${step.name}" was not measured`);
      return usage;
    }),
    ...(step.memory && { memory: step.memory }),
  }));
  return { name, unit, sizes, rows };
}

async function measureSteps({ name, steps }: LoadArea, bench: Bench, size: number): Promise<Usage[]> {
  const usages: Usage[] = [];
  for (const step of steps) {
    process.stderr.write(`load: ${name} ${size}: ${step.name}`);
    await step.before?.(bench);
    const words = typeof step.words === 'function' ? step.words(bench) : step.words;
    const usage = await bench.usage(words, step.codes);
    process.stderr.write(` ${usage.cpuSeconds.toFixed(1)} s, ${usage.peakMib.toFixed(0)} MiB\n`);
    usages.push(usage);
  }
  return usages;
}

function saved(): Measured[] {
  try {
    return JSON.parse(readFileSync(resultsFile, 'utf8')).areas;
  } catch {
    return [];
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'at-most': { type: 'string', default: 'Infinity' } },
});
const wanted = AREAS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const directory = temporaryDirectory();
const missed: string[] = [];
try {
  for (const area of wanted) {
    const sizes = area.sizes.filter((size) => size <= Number(values['at-most']));
    const measured = await measureArea(area, sizes, directory);
    console.log(`${loadTable(measured)}\n`);
    missed.push(...growthOf(measured));
    const areas = [...saved().filter(({ name }) => name !== area.name), measured];
    const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
    writeFileSync(resultsFile, `${JSON.stringify({ machine, areas }, null, 2)}\n`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
for (const line of missed) console.log(`missed: ${line}`);
if (missed.length > 0) process.exitCode = 1;
