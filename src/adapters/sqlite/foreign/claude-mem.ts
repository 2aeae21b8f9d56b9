import type { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import type { ForeignDatabases } from '../../../domain/ledger/exchange/foreign-memories.ts';
import { columnsOf, isDatabase, isPlainTable, withForeignDatabase } from './foreign-database.ts';

export const claudeMemDatabases: ForeignDatabases = {
  async read(file, project) {
    if (!isDatabase(file)) return undefined;
    const rows = withForeignDatabase(file, ['sdk_sessions', 'observations'], (connection) => {
      requireProject(connection, file, project);
      const budget = { left: MAX_CHARACTERS };
      const tables = TABLES.filter(({ name }) => isPlainTable(connection, name));
      return Object.fromEntries(
        tables.map((table) => [table.name, rowsOf({ connection, file, project, budget }, table)]),
      );
    });
    if (rows) return rows;
    throw new Fault('files/unreadable', `${file} is not a database of claude-mem.`, {
      hint: 'It is at ~/.claude-mem/claude-mem.db. "ken ref import" reads an index of qmd.',
    });
  },
};

const MAX_ROWS = 200_000;
const MAX_CHARACTERS = 256 * 1024 * 1024;

interface Table {
  readonly name: string;
  /** Older versions of claude-mem have fewer. */
  readonly columns: readonly string[];
  readonly where: string;
}

const OF_PROJECT = 'project = $project';

const TABLES: readonly Table[] = [
  {
    name: 'sdk_sessions',
    columns: ['content_session_id', 'memory_session_id', 'custom_title', 'started_at_epoch'],
    where: OF_PROJECT,
  },
  {
    name: 'observations',
    columns:
      `memory_session_id content_hash type title subtitle text narrative facts concepts files_read files_modified
      created_at_epoch`.split(/\s+/),
    where: OF_PROJECT,
  },
  {
    name: 'session_summaries',
    columns: `memory_session_id prompt_number request investigated learned completed next_steps notes
      created_at_epoch`.split(/\s+/),
    where: OF_PROJECT,
  },
  {
    name: 'user_prompts',
    columns: ['content_session_id', 'prompt_number', 'prompt_text', 'created_at_epoch'],
    where: `content_session_id in (select content_session_id from sdk_sessions where ${OF_PROJECT})`,
  },
];

function requireProject(connection: DatabaseSync, file: string, project: string): void {
  const found = connection
    .prepare('select project, count(*) as count from sdk_sessions group by project')
    .all();
  if (found.some((each) => each.project === project)) return;
  const names = found.map((each) => `"${String(each.project)}" (${String(each.count)})`);
  throw new Fault('files/not-found', `${file} holds no session of the project "${project}".`, {
    hint: `Name one with --project: ${names.slice(0, MOST_NAMED).join(', ') || 'it holds none'}.`,
  });
}

const MOST_NAMED = 20;

interface Reading {
  readonly connection: DatabaseSync;
  readonly file: string;
  readonly project: string;
  readonly budget: { left: number };
}

function rowsOf(
  { connection, file, project, budget }: Reading,
  { name, columns, where }: Table,
): JsonObject[] {
  const stored = columnsOf(connection, name, columns);
  const statement = connection.prepare(
    `select ${stored.join(', ')} from ${name} where ${where} order by id limit ${MAX_ROWS + 1}`,
  );
  const rows: JsonObject[] = [];
  for (const row of statement.iterate({ project })) {
    const made = Object.fromEntries(stored.map((column) => [column, plain(row[column])]));
    for (const value of Object.values(made)) budget.left -= typeof value === 'string' ? value.length : 0;
    if (rows.push(made) > MAX_ROWS || budget.left < 0)
      throw new Fault('files/unreadable', `${file} holds more than ken imports at once.`);
  }
  return rows;
}

function plain(value: unknown): Json {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
