import type { RatioRow, Side, Sides } from './row.ts';

/** Each side runs at least this often, and for at least this long in total. */
const LEAST_RUNS = 10;
const LEAST_TOTAL_MS = 1000;
/** A bar that seems missed is measured this much longer before it counts: noise only ever adds time. */
const SECOND_LOOK = 3;

export interface Times {
  readonly subjectMs: number;
  readonly floorMs: number;
  readonly ratio: number;
  readonly runs: number;
}

/** The sides take turns, so that a busy moment of the machine falls on both. */
export async function measure(row: Pick<RatioRow, 'bar' | 'statistic'>, sides: Sides): Promise<Times> {
  const subject = new Samples(sides.subject);
  const floor = new Samples(sides.floor);
  // Not counted: fills the caches that a second run finds.
  await sides.floor();
  await sides.subject();
  const takeTurns = async (patience: number) => {
    while (!subject.suffice(patience) || !floor.suffice(patience)) {
      await floor.add();
      await subject.add();
    }
  };
  await takeTurns(1);
  const first = compare(subject, floor, row.statistic);
  if (row.bar === undefined || first.ratio <= row.bar) return first;
  await takeTurns(SECOND_LOOK);
  return compare(subject, floor, row.statistic);
}

function compare(subject: Samples, floor: Samples, statistic: RatioRow['statistic'] = 'best'): Times {
  const subjectMs = subject[statistic]();
  const floorMs = floor[statistic]();
  return { subjectMs, floorMs, ratio: subjectMs / floorMs, runs: subject.count };
}

class Samples {
  readonly #side: Side;
  readonly #times: number[] = [];

  constructor(side: Side) {
    this.#side = side;
  }

  get count(): number {
    return this.#times.length;
  }

  async add(): Promise<void> {
    this.#times.push(await this.#side());
  }

  suffice(patience: number): boolean {
    const total = this.#times.reduce((sum, time) => sum + time, 0);
    return this.count >= LEAST_RUNS * patience && total >= LEAST_TOTAL_MS * patience;
  }

  best(): number {
    return Math.min(...this.#times);
  }

  p95(): number {
    const sorted = this.#times.toSorted((a, b) => a - b);
    return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
  }
}
