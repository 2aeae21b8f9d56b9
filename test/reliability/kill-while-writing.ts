import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { scaled } from '../scale.ts';
import { seededRandom } from '../seeded-random.ts';

/**
 * A program that writes and tells so on standard output: the line `begin` before its first write, a line of its
 * own for each write that was acknowledged, the line `end` after the last.
 */
export interface WritingProgram {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
}

export interface KilledRun {
  /** When the signal came: before the first write, between `begin` and `end`, or after. */
  readonly phase: 'before' | 'inside' | 'after';
  /** The lines between `begin` and `end`. */
  readonly acknowledged: readonly string[];
}

/**
 * Runs the program once to the end, to see how long it takes, and then `rounds` times with `kill -9` at moments
 * spread over its writes; one in ten comes while it is still starting. `afterEach` may look at what is left.
 */
export async function killWhileWriting(
  programOf: (round: number) => WritingProgram,
  rounds: number,
  afterEach: (run: KilledRun, round: number) => void | Promise<void>,
): Promise<Record<KilledRun['phase'], number>> {
  const { startMs, writeMs } = await measure(programOf(rounds));
  const counts = { before: 0, inside: 0, after: 0 };
  const name = expect.getState().currentTestName ?? '';
  const random = seededRandom(name);
  let expectedMs = writeMs;
  // On a machine that was busy at first, all kills could come too late: each late one tells how long it really takes.
  for (let round = 0; round < rounds || (counts.inside === 0 && round < 3 * rounds); round++) {
    const share = ((round % rounds) + random()) / rounds;
    const moment =
      round % 10 === 9
        ? { from: 'start', afterMs: random() * startMs }
        : { from: 'begin', afterMs: share * expectedMs };
    // The program of round `rounds` was measured.
    const run = await runAndKill(programOf(round < rounds ? round : round + 1), moment);
    counts[run.phase] += 1;
    if (run.phase === 'after') expectedMs = Math.min(expectedMs, run.writeMs);
    await afterEach(run, round);
  }
  if (IS_LONG) report(name, counts);
  return counts;
}

/** The long run says what it tried. */
const IS_LONG = scaled(1) > 1;

function report(name: string, { before, inside, after }: Record<KilledRun['phase'], number>): void {
  process.stdout.write(
    `${before + inside + after} kills, ${before} before, ${inside} inside, ${after} after: ${name}\n`,
  );
}

interface Moment {
  readonly from: string;
  readonly afterMs: number;
}

async function measure(program: WritingProgram): Promise<{ startMs: number; writeMs: number }> {
  const started = performance.now();
  let startMs = 0;
  const { lines, code } = await run(program, (child) => {
    child.stdout.once('data', () => {
      startMs = performance.now() - started;
    });
  });
  if (code !== 0 || lines.at(-1) !== 'end')
    throw new Error(`The program failed by itself: ${lines.join(' ')}`);
  return { startMs, writeMs: performance.now() - started - startMs };
}

async function runAndKill(
  program: WritingProgram,
  { from, afterMs }: Moment,
): Promise<KilledRun & { readonly writeMs: number }> {
  let begunAt = performance.now();
  const { lines, code } = await run(program, (child) => {
    let timer: NodeJS.Timeout | undefined;
    child.stdout.once('data', () => {
      begunAt = performance.now();
    });
    const arm = () => {
      timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    };
    child.on('exit', () => clearTimeout(timer));
    if (from === 'start') arm();
    else child.stdout.once('data', arm);
  });
  if (code) throw new Error(`The program failed by itself with ${code}: ${lines.join(' ')}`);
  const acknowledged = lines.filter((line) => line !== 'begin' && line !== 'end');
  const told = { acknowledged, writeMs: performance.now() - begunAt };
  if (!lines.includes('begin')) return { phase: 'before', ...told };
  return { phase: lines.includes('end') ? 'after' : 'inside', ...told };
}

type Child = ReturnType<typeof start>;

function start(program: WritingProgram) {
  return spawn(program.command, program.arguments, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...program.environment },
    ...(program.directory !== undefined && { cwd: program.directory }),
  });
}

function run(
  program: WritingProgram,
  watch: (child: Child) => void,
): Promise<{ lines: string[]; code: number | null }> {
  const child = start(program);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  watch(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // A line that the signal cut off was not said.
    child.on('close', (code) => resolve({ lines: output.split('\n').slice(0, -1), code }));
  });
}
