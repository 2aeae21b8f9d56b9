/**
 * The power fails while a command writes: what no sync has made durable is lost, in any combination. What was
 * acknowledged is still there then, the next command works, and doctor finds nothing that it did not find before.
 */

import { createHash } from 'node:crypto';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runEnvironment, type Sandbox } from '../../cli/ken.ts';
import { sandboxHere } from '../../cli/ken-here.ts';
import { LAUNCHER } from '../../cli/launcher.ts';
import { writeOwnConfig } from '../../cli/own-config.ts';
import { scaled } from '../../scale.ts';
import { seededRandom } from '../../seeded-random.ts';
import { Disk } from './disk.ts';
import { recordCalls, recordingProblem } from './recorded-calls.ts';

const FACT = ['--title', 'Tea', '--text', 'Green tea is steeped at 80 degrees.', '--provenance', 'cmd:x'];

interface Writer {
  readonly before?: readonly (readonly string[])[];
  readonly words: readonly string[];
  /** Words that show what was written, and a part of the answer. */
  readonly shows: readonly [words: readonly string[], part: string];
}

const KEPT = ['k', 'add', '--id', 'kept', ...FACT];

const WRITERS: Readonly<Record<string, Writer>> = {
  'a first entry': { words: ['k', 'add', '--id', 'new', ...FACT], shows: [['k', 'list'], 'new'] },
  'a next entry': {
    before: [KEPT],
    words: ['k', 'add', '--id', 'new', ...FACT],
    shows: [['k', 'list'], 'new'],
  },
  'a retired entry': {
    before: [KEPT, ['k', 'add', '--id', 'old', ...FACT]],
    words: ['k', 'deprecate', 'old'],
    shows: [['k', 'show', 'old'], 'deprecated'],
  },
  'a promotion': {
    before: [KEPT],
    words: ['k', 'promote', 'kept', '--evidence-ref', 'cmd:x', '--reason', 'r', '--as', 'procedural/tea'],
    shows: [['k', 'show', 'procedural/tea'], 'steeped'],
  },
  'a question': { before: [KEPT], words: ['q', '-n', 'How hot?'], shows: [['c', 'ls'], 'How hot?'] },
  'one more question': {
    before: [KEPT, ['q', '-n', 'What?']],
    words: ['q', '--id', '@last', 'How hot?'],
    shows: [['c', 'print', '@last'], 'How hot?'],
  },
  'a label': {
    before: [KEPT, ['q', '-n', 'What?']],
    words: ['c', 'label', 'add', '--id', '@last', 'drink=tea'],
    shows: [['c', 'label', 'ls', '--id', '@last'], 'tea'],
  },
  'a setting': {
    before: [KEPT],
    words: ['config', 'set', 'assistant.name', 'ada'],
    shows: [['config', 'get', 'assistant.name'], 'ada'],
  },
  'a topic': { before: [KEPT], words: ['kb', 'new', 'drinks'], shows: [['kb', 'ls'], 'drinks'] },
};

interface Seen {
  readonly bad: readonly string[];
  readonly hasKept: boolean;
}

async function look({ ken }: Sandbox): Promise<Seen> {
  const { stdout, code } = await ken(['doctor', '--json']);
  const checks: { id: string; status: string }[] = code === 70 ? [] : JSON.parse(stdout).checks;
  // Lines that a crash left out are added by the next use of the ledger.
  const bad = checks.filter(({ id, status }) => status === 'problem' && id !== 'repairs').map(({ id }) => id);
  const hasKept = (await ken(['k', 'list', '--json'])).stdout.includes('"kept"');
  return { bad: code === 70 ? ['bug'] : bad, hasKept };
}

/** Steps that are kept, for a cut after `end`: all that is durable by then, and some of the rest. */
function cuts(disk: Disk, end: number, random: () => number): ReadonlySet<number>[] {
  const durable = new Set<number>();
  for (let at = 0; at < end; at++) if (isDurable(disk, at, end)) durable.add(at);
  const others = Array.from({ length: end }, (_, at) => at).filter((at) => !durable.has(at));
  const keeping = (more: readonly number[]) => new Set([...durable, ...more]);
  return [
    durable,
    keeping(others),
    keeping(others.filter((at) => disk.steps[at]?.kind === 'names')),
    keeping(others.filter((at) => disk.steps[at]?.kind === 'bytes')),
    keeping(others.slice(0, Math.floor(random() * others.length))),
    keeping(others.filter(() => random() < 0.5)),
    keeping(others.filter((at) => at !== others[Math.floor(random() * others.length)])),
  ];
}

function isDurable({ steps }: Disk, at: number, end: number): boolean {
  const { of = [], kind } = steps[at] ?? {};
  if (kind === 'sync' || kind === 'said') return true;
  return steps
    .slice(at + 1, end)
    .some((step) => step.kind === 'sync' && step.of.some((node) => of.includes(node)));
}

const problem = recordingProblem();
const CHOSEN = Object.entries(WRITERS).slice(0, scaled(1, Object.keys(WRITERS).length));
const STATES = scaled(6, 120);

it.skipIf(problem !== undefined).each(CHOSEN)(
  `%s outlives a power cut${problem ? ` (${problem})` : ''}`,
  async (name, { before = [], words, shows }) => {
    const place = sandboxHere('');
    writeOwnConfig(place.home, 'approvals.noninteractive = "allow"\n');
    for (const each of before) expect(await place.ken(each)).toMatchObject({ code: 0 });
    const usual = await look(place);
    const isDerived = (file: string) =>
      file.startsWith(path.join(place.home, 'cache')) || file.endsWith('-shm');
    const disk = new Disk([place.root, place.home], isDerived);
    const recording = recordCalls([process.execPath, LAUNCHER, ...words], {
      cwd: place.root,
      env: runEnvironment(place.home),
    });
    expect(recording).toMatchObject({ code: 0 });
    disk.record(recording.calls);
    const ends = disk.steps.length;
    expect(disk.steps.filter(({ kind }) => kind === 'bytes').length).toBeGreaterThan(0);

    const random = seededRandom(`power cut: ${name}`);
    const tried = new Set<string>();
    const failures: unknown[] = [];
    for (let count = 0; count < STATES; ) {
      const end = count % 3 === 0 ? ends : Math.floor(random() * ends);
      for (const kept of cuts(disk, end, random)) {
        count += 1;
        const key = createHash('sha256')
          .update([...kept].sort((a, b) => a - b).join())
          .digest('hex');
        if (tried.has(`${key} ${end === ends}`)) continue;
        tried.add(`${key} ${end === ends}`);
        disk.restore((at) => kept.has(at));
        const [command, part] = shows;
        const shown = await place.ken(command);
        const seen = await look(place);
        const lost = Array.from({ length: end }, (_, at) => at).filter((at) => !kept.has(at));
        if (end === ends && !shown.stdout.includes(part)) failures.push({ lost, shown });
        if (JSON.stringify(seen) !== JSON.stringify(usual)) failures.push({ end, lost, seen });
      }
    }
    expect({ failures: failures.slice(0, 5), count: failures.length }).toEqual({ failures: [], count: 0 });
  },
  scaled(120_000, 900_000),
);
