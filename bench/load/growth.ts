/** Judges how time and memory grow from one size to the next. */

import type { Usage } from '../watch-process.ts';
import type { MemoryBar } from './area.ts';

export interface Measured {
  readonly name: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  readonly rows: readonly MeasuredRow[];
}

export interface MeasuredRow {
  readonly name: string;
  /** One for each size. */
  readonly usages: readonly Usage[];
  readonly memory?: MemoryBar;
}

/** More than n log n by this much is not noise; a quadratic step from one size to the next is 3 to 10 times. */
const NOISE = 1.5;
const BYTES_A_MIB = 2 ** 20;

/** A sentence for each bar that is missed. */
export function growthOf({ name, sizes, rows }: Measured): string[] {
  return rows.flatMap((row) => {
    const title = `${name}: ${row.name}`;
    return [...slowSteps(row, sizes), ...largeSteps(row, sizes)].map((problem) => `${title} ${problem}`);
  });
}

function slowSteps({ usages }: MeasuredRow, sizes: readonly number[]): string[] {
  return sizes.flatMap((size, at) => {
    const [before, smaller, usage] = [usages[at - 1], sizes[at - 1], usages[at]];
    if (!before || smaller === undefined || !usage) return [];
    const allowed = (NOISE * size * Math.log(size)) / (smaller * Math.log(smaller));
    const grown = usage.cpuSeconds / Math.max(before.cpuSeconds, 0.01);
    return grown <= allowed
      ? []
      : [
          `takes ${grown.toFixed(1)} times as long from ${smaller} to ${size}, n log n is ${allowed.toFixed(1)}`,
        ];
  });
}

function largeSteps({ usages, memory }: MeasuredRow, sizes: readonly number[]): string[] {
  const [smallest, fewest] = [usages[0], sizes[0]];
  if (!memory || !smallest || fewest === undefined) return [];
  return sizes.flatMap((size, at) => {
    const peak = usages[at]?.peakMib ?? 0;
    const most =
      'timesSmallest' in memory
        ? smallest.peakMib * memory.timesSmallest
        : smallest.peakMib + (memory.bytesEach * (size - fewest)) / BYTES_A_MIB;
    return peak <= most ? [] : [`holds ${peak.toFixed(0)} MiB at ${size}, at most ${most.toFixed(0)} MiB`];
  });
}

/** In Markdown: seconds of the processors and MiB, for each size. */
export function loadTable({ unit, sizes, rows }: Measured): string {
  const head = [unit, ...sizes.map((size) => size.toLocaleString('en'))];
  const body = rows.map(({ name, usages }) => [
    name,
    ...usages.map(({ cpuSeconds, peakMib }) => `${cpuSeconds.toFixed(1)} / ${peakMib.toFixed(0)}`),
  ]);
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
