import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const program = path.join(import.meta.dirname, 'ledger-child.ts');

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

it('8 processes that add to the same merge keys leave one active entry for each, and the whole history', async () => {
  const home = temporaryDirectory();
  const count = scaled(40);
  const names = Array.from({ length: 8 }, (_, index) => `writer-${index}`);
  const ends = await Promise.all(names.map((name) => run(home, name, String(count))));
  expect(ends).toEqual(names.map(() => ({ code: 0, signal: null, errors: '', lines: count })));
  const connection = new DatabaseSync(path.join(home, 'knowledge/knowledge.db'));
  try {
    const one = (sql: string) => connection.prepare(sql).all();
    expect(
      one(
        "select merge_key, count(*) as active from version where until is null and status = 'active' group by 1",
      ),
    ).toEqual([0, 1, 2, 3, 4].map((key) => ({ merge_key: `key ${key}`, active: 1 })));
    expect(one("select count(*) as events from event where type = 'add'")).toEqual([{ events: 8 * count }]);
    expect(one('select entry from version group by entry having count(*) <> max(number)')).toEqual([]);
    expect(
      one(
        "select entry from version where until is null and status = 'superseded' and entry not in (select supersedes from entry where supersedes is not null)",
      ),
    ).toEqual([]);
    expect(one('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  } finally {
    connection.close();
  }
});

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
