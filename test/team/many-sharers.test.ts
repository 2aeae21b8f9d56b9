import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/adapters/postgres/seam/open-database.ts';
import { childProgram } from '../child-program.ts';
import { scaled } from '../scale.ts';
import { databaseUrl, newTenant, postgresProblem } from './postgres.ts';

const SHARERS = scaled(3, 16);
const ROUNDS = scaled(6, 60);
const FILES = 30;

describe.skipIf(postgresProblem() !== undefined)('many who share one topic', () => {
  it('leave it whole whenever it is seen, also when some are killed', async () => {
    const url = await databaseUrl();
    const { team } = newTenant();
    const database = await openDatabase(url);
    onTestFinished(() => database.close());
    const words = [String(ROUNDS), String(FILES)];
    const sharers = Array.from({ length: SHARERS }, (_, at) => {
      const child = spawn(process.execPath, [childProgram('team/sharer'), url, team, `s${at}`, ...words], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines: string[] = [];
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line);
        // The first one is killed in the middle of its next round.
        if (at === 0 && lines.length === 2) child.kill('SIGKILL');
      });
      return { lines, ended: once(child, 'exit') };
    });
    let isOver = false;
    const seen = new Set<string>();
    const watching = (async () => {
      while (!isOver) for (const state of await wholeStates()) seen.add(state);
    })();
    const codes = (await Promise.all(sharers.map(({ ended }) => ended))).map(
      ([code, signal]) => code ?? signal,
    );
    isOver = true;
    await watching;
    expect(codes).toEqual(['SIGKILL', ...sharers.slice(1).map(() => 0)]);
    for (const { lines } of sharers.slice(1))
      expect(lines.map((line) => line.split(' ')[0])).toEqual(Array(ROUNDS).fill('shared'));
    expect([...seen].filter((state) => state !== 'nothing yet' && !/^s\d+ \d+$/.test(state))).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
    // Nothing is kept but what a set names; the killed one may have left one that was never finished.
    const { contents, used, sets } = await database.read(async (sql) => ({
      contents: (await sql`select c.sha256 from ken.content c where c.team = ${team}`).length,
      used: (await sql`select distinct f.sha256 from ken.file f where f.team = ${team}`).length,
      sets: (await sql`select 1 from ken.file_set s where s.team = ${team}`).length,
    }));
    expect(contents).toBe(used);
    expect(sets).toBeLessThanOrEqual(2);

    /** The states that one look sees: all files of the topic must be of one. */
    async function wholeStates(): Promise<string[]> {
      return database.read(async (sql) => {
        const rows = await sql`
          select convert_from(t.description, 'UTF8') as title, f.path, convert_from(c.bytes, 'UTF8') as text
          from ken.reference_topic t
          join ken.file f on f.team = t.team and f.workspace = t.workspace and f.file_set = t.file_set
          join ken.content c on c.team = f.team and c.sha256 = f.sha256
          where t.team = ${team}`;
        if (rows.length === 0) return ['nothing yet'];
        const strays = rows.filter(({ title, path: file, text }) => {
          const at = Number(String(file).replace('.md', ''));
          return text !== (at % 2 === 0 ? `always ${at}` : `${title} ${at}`);
        });
        return rows.length === FILES && strays.length === 0
          ? [String(rows[0]?.title)]
          : [`${rows.length} files, ${strays.length} of another state`];
      });
    }
  });
});
