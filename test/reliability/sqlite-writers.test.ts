import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const program = path.join(import.meta.dirname, 'write-rows-child.ts');

interface Writer {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<{ code: number | null; errors: string; acknowledged: number }>;
}

function startWriter(file: string, name: string, count: number, onRow = (_count: number) => {}): Writer {
  const child = spawn(process.execPath, [program, file, name, String(count)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  const acknowledged = () => output.split('\n').length - 1;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    onRow(acknowledged());
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise<Awaited<Writer['ended']>>((resolve) => {
    child.on('close', (code) => resolve({ code, errors, acknowledged: acknowledged() }));
  });
  return { child, ended };
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
  [2, scaled(500)],
  [8, scaled(250)],
])('%i processes that write %i rows each at once all succeed', async (writers, count) => {
  const file = path.join(temporaryDirectory(), 'data', 'shared.db');
  const names = Array.from({ length: writers }, (_, index) => `writer ${index}`);
  const ends = await Promise.all(names.map((name) => startWriter(file, name, count).ended));
  expect(ends).toEqual(names.map(() => ({ code: 0, errors: '', acknowledged: count })));
  expect(rowsOf(file)).toEqual(Object.fromEntries(names.map((name) => [name, count])));
  expect(existsSync(`${file}-wal`)).toBe(false);
});

it('a process that is killed while it writes loses nothing it acknowledged', async () => {
  const file = path.join(temporaryDirectory(), 'shared.db');
  const rounds = scaled(12);
  const kept: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    const killAt = 1 + ((round * 7) % 40);
    const name = `round ${round}`;
    const writer = startWriter(file, name, 1_000_000, (count) => {
      if (count >= killAt) writer.child.kill('SIGKILL');
    });
    kept[name] = (await writer.ended).acknowledged;
  }
  const found = rowsOf(file);
  // The row that was being written when the signal came may be there without having been acknowledged.
  for (const [name, acknowledged] of Object.entries(kept)) {
    expect([acknowledged, acknowledged + 1]).toContain(found[name]);
  }
});
