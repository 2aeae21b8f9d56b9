import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { childProgram } from '../child-program.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { killWhileWriting } from './kill-while-writing.ts';

const program = childProgram('reliability/write-rows');

interface Ending {
  readonly code: number | null;
  readonly errors: string;
  readonly acknowledged: number;
}

function write(file: string, name: string, count: number, ...rest: string[]): Promise<Ending> {
  const child = spawn(process.execPath, [program, file, name, String(count), ...rest], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const acknowledged = output.split('\n').filter((line) => /^\d+$/.test(line)).length;
      resolve({ code, errors, acknowledged });
    });
  });
}

/** For each writer its numbers, with both halves; anything torn is an error. */
function rowsOf(file: string): Record<string, number> {
  const connection = new DatabaseSync(file);
  try {
    expect(
      connection
        .prepare('pragma integrity_check')
        .all()
        .map((row) => row.integrity_check),
    ).toEqual(['ok']);
    const torn = connection
      .prepare('select writer, number from row group by 1, 2 having count(*) <> 2')
      .all();
    expect(torn).toEqual([]);
    const counts = connection.prepare('select writer, count(*) / 2 as rows from row group by writer').all();
    return Object.fromEntries(counts.map(({ writer, rows }) => [String(writer), Number(rows)]));
  } finally {
    connection.close();
  }
}

it.each([
  [2, scaled(500), 'trusted'],
  [8, scaled(250), 'trusted'],
  [8, scaled(250), 'inspected'],
])('%i processes that write %i rows each at once all succeed (%s)', async (writers, count, kind) => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'data', 'shared.db');
  const rest = kind === 'inspected' ? ['truth', path.join(directory, 'records')] : [];
  const names = Array.from({ length: writers }, (_, index) => `writer ${index}`);
  const ends = await Promise.all(names.map((name) => write(file, name, count, ...rest)));
  expect(ends).toEqual(names.map(() => ({ code: 0, errors: '', acknowledged: count })));
  expect(rowsOf(file)).toEqual(Object.fromEntries(names.map((name) => [name, count])));
  expect(existsSync(`${file}-wal`)).toBe(false);
});

it.each(Array.from({ length: scaled(3, 100) }, (_, round) => round))(
  '8 processes that find a damaged derived database at once make it again, once (round %i)',
  async () => {
    const file = path.join(temporaryDirectory(), 'shared.db');
    writeFileSync(file, 'This was a database once. '.repeat(500));
    const names = Array.from({ length: 8 }, (_, index) => `writer ${index}`);
    const ends = await Promise.all(names.map((name) => write(file, name, 20, 'derived')));
    expect(ends).toEqual(names.map(() => ({ code: 0, errors: '', acknowledged: 20 })));
    expect(rowsOf(file)).toEqual(Object.fromEntries(names.map((name) => [name, 20])));
    expect(readFileSync(`${file}.corrupt`, 'utf8')).toBe('This was a database once. '.repeat(500));
  },
);

it('a process that is killed while it writes loses nothing it acknowledged', async (context) => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'shared.db');
  const acknowledged: number[] = [];
  // Looked at only in the end, so that each process finds the log that the one before it left.
  const phases = await killWhileWriting(
    (round) => ({
      command: process.execPath,
      arguments: [program, file, `round ${round}`, '600', 'truth', path.join(directory, 'records')],
    }),
    scaled(6, 120),
    (run) => void acknowledged.push(run.acknowledged.length),
  );
  await context.annotate(`killed: ${JSON.stringify(phases)}`);
  expect(phases.inside).toBeGreaterThan(0);
  const found = rowsOf(file);
  for (const [round, count] of acknowledged.entries()) {
    // The row that was being written when the signal came may be there without having been acknowledged.
    expect([count, count + 1]).toContain(found[`round ${round}`] ?? 0);
  }
});
