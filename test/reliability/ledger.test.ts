import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { strangeRows } from '../../src/adapters/sqlite/ledger/inspect-ledger.ts';
import { childProgram } from '../child-program.ts';
import { sandbox } from '../cli/ken.ts';
import { LAUNCHER as launcher } from '../cli/launcher.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { killWhileWriting } from './kill-while-writing.ts';
import { onSmallDisk, smallDiskProblem } from './small-disk.ts';

const program = childProgram('reliability/ledger');

function run(
  ...words: string[]
): Promise<{ code: number | null; signal: string | null; errors: string; lines: number }> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) =>
      resolve({ code, signal, errors, lines: output.split('\n').length - 1 }),
    );
  });
}

/** Invariants of every ledger, whatever happened to its writers. */
function expectSound(home: string): void {
  const connection = new DatabaseSync(path.join(home, 'knowledge/knowledge.db'));
  try {
    const rows = (sql: string) => connection.prepare(sql).all();
    const active = "until is null and status = 'active'";
    expect(rows(`select merge_key from version where ${active} group by 1 having count(*) > 1`)).toEqual([]);
    expect(rows('select entry from version group by entry having count(*) <> max(number)')).toEqual([]);
    expect(
      rows(
        `select entry from version where until is null and status = 'superseded'
           and entry not in (select supersedes from entry where supersedes is not null)`,
      ),
    ).toEqual([]);
    expect(strangeRows(connection)).toBeUndefined();
    expect(rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  } finally {
    connection.close();
  }
}

function idsOfEvents(home: string): Set<string> {
  const connection = new DatabaseSync(path.join(home, 'knowledge/knowledge.db'));
  try {
    return new Set(
      connection
        .prepare('select id from event')
        .all()
        .map(({ id }) => String(id)),
    );
  } finally {
    connection.close();
  }
}

/** Lines of the ledger file of uses, in order; each must be whole. */
function usesIn(home: string): string[] {
  const text = readFileSync(path.join(home, 'knowledge/knowledge.retrieval.events.jsonl'), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event_id);
}

it(
  '8 processes that add to the same merge keys leave one active entry for each, and the whole history',
  async () => {
    const home = temporaryDirectory();
    const count = scaled(250);
    const names = Array.from({ length: 8 }, (_, index) => `writer-${index}`);
    const ends = await Promise.all(names.map((name) => run(home, name, String(count))));
    const uses = Math.floor(count / 5);
    expect(ends.map(({ code, errors, lines }) => [code, errors, lines])).toEqual(
      names.map(() => [0, '', count + uses + 2]),
    );
    expectSound(home);
    expect(idsOfEvents(home).size).toBe(8 * (count + uses));
    const told = usesIn(home);
    expect([told.length, new Set(told).size]).toEqual([8 * uses, 8 * uses]);
  },
  scaled(120_000),
);

it(
  '8 commands at once, over and over, on one merge key: one active entry, every text in the history',
  async () => {
    const place = sandbox('');
    const count = scaled(3);
    const add = (name: string) => `ken k add --title T --text "$n ${name}" --provenance cmd:x --merge-key k`;
    const script = (name: string) => `for n in $(seq ${count}); do ${add(name)} || exit 1; done`;
    const names = Array.from({ length: 8 }, (_, index) => `writer${index}`);
    const ends = await Promise.all(names.map((name) => place.shell(script(name))));
    expect(ends.filter(({ code }) => code !== 0)).toEqual([]);
    const { entries } = JSON.parse((await place.ken(['k', 'list', '--status', 'all', '--json'])).stdout);
    expect(entries.length).toBe(1);
    const { versions } = JSON.parse((await place.ken(['k', 'history', entries[0].id, '--json'])).stdout);
    const texts = versions.map(({ content }: { content: string }) => content);
    const expected = names.flatMap((name) => Array.from({ length: count }, (_, at) => `${at + 1} ${name}`));
    expect(texts.toSorted()).toEqual(expected.toSorted());
    expectSound(path.join(place.root, '.ken'));
  },
  scaled(120_000),
);

it(
  'a process that is killed at any moment loses nothing it acknowledged, and the ledger files are completed',
  async (context) => {
    const home = temporaryDirectory();
    const acknowledged: string[] = [];
    const phases = await killWhileWriting(
      (round) => ({ command: process.execPath, arguments: [program, home, `round-${round}`, '40'] }),
      scaled(5, 100),
      (killed) => void acknowledged.push(...killed.acknowledged),
    );
    await context.annotate(`killed: ${JSON.stringify(phases)}`);
    expect(phases.inside).toBeGreaterThan(0);
    // The next process completes what the killed ones left out.
    expect(await run(home, 'last', '5')).toMatchObject({ code: 0, errors: '' });
    expectSound(home);
    const happened = idsOfEvents(home);
    expect(acknowledged.filter((id) => !happened.has(id))).toEqual([]);
    const told = usesIn(home);
    expect(told.length).toBe(new Set(told).size);
    expect(new Set(told)).toEqual(new Set([...happened].filter((id) => id.startsWith('use-'))));
  },
  scaled(120_000),
);

it.each(['before', 'inside', 'after'])(
  'a process that is killed %s the write to a ledger file: the next one completes it, and nothing is doubled',
  async (moment) => {
    const place = sandbox('');
    const home = path.join(place.root, '.ken');
    expect(await run(home, 'die', moment)).toMatchObject({ signal: 'SIGKILL', errors: '' });
    for (const _ of ['first', 'second']) {
      expect(await place.ken(['k', 'list'])).toMatchObject({ code: 0, stdout: '' });
    }
    const text = readFileSync(path.join(home, 'knowledge/knowledge.decay.events.jsonl'), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    const events = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { ts: '1000Z', policy: 'default', dry_run: true, actor: 'die', run_id: 'r' },
    ]);
  },
);

it('a full disk is a clear error; what was acknowledged is there, and the next change works once there is room', (context) => {
  const problem = smallDiskProblem();
  if (problem) return context.skip(problem);
  const [directory, home] = [temporaryDirectory(), temporaryDirectory()];
  const script = `
    export KEN_HOME=${home}
    mkdir .ken && touch .ken/config.toml
    head -c 100000 /dev/zero > spare
    ken() { "${process.execPath}" "${launcher}" "$@"; }
    text=$(head -c 20000 /dev/zero | tr '\\0' x)
    for n in $(seq 60); do
      ken -q k add --id "e$n" --title T --text "$text $n" --provenance cmd:x >/dev/null 2>"$KEN_HOME/error" || break
    done
    cat "$KEN_HOME/error"; rm spare
    echo "failed at $n"
    ken k list --status all --limit 99 --json | tr , '\\n' | grep -c '^{"id"\\|"entries":\\[{"id"'
    dd if=/dev/zero of=filler bs=1k 2>/dev/null
    ken -q k deprecate e1 2>&1
    rm filler
    ken -q k decay --dry-run --json >/dev/null && wc -l < .ken/knowledge/knowledge.decay.events.jsonl`;
  const { stdout, stderr } = onSmallDisk(directory, '700k', ['bash', '-c', script]);
  const file = path.join(directory, '.ken/knowledge/knowledge.db');
  const full = [
    `ken: The disk is full; nothing was changed in ${file}.`,
    'hint: Free some space and try again.',
  ];
  const [, failedAt = '0'] = /failed at (\d+)/.exec(stdout) ?? [];
  expect(stderr).toBe('');
  expect(Number(failedAt)).toBeGreaterThan(3);
  expect(stdout.split('\n')).toEqual([
    ...full,
    `failed at ${failedAt}`,
    String(Number(failedAt) - 1),
    ...full,
    '1',
    '',
  ]);
});
