/**
 * The minimum that indexing a repository takes, as a process of its own:
 *   DIRECTORY DATABASE   reads every file, parses it with web-tree-sitter, and inserts it into a table with a
 *                        full-text index, in rows of the size of a chunk
 */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseSource } from '../src/adapters/chunkers/source-parser.ts';
import { languageOf } from '../src/domain/chunks/file-kind.ts';

const ROW_CHARACTERS = 2000;
const [root = '', file = ''] = process.argv.slice(2);

const database = new DatabaseSync(file);
database.exec('pragma journal_mode = wal; pragma synchronous = normal');
database.exec('create virtual table chunk using fts5 (path, body)');
const insert = database.prepare('insert into chunk values (?, ?)');
database.exec('begin');
for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const name = path.join(entry.parentPath, entry.name);
  const text = readFileSync(name, 'utf8');
  const language = languageOf(name);
  if (language) (await parseSource(text, language, Number.POSITIVE_INFINITY))?.delete();
  for (let at = 0; at < text.length; at += ROW_CHARACTERS)
    insert.run(name, text.slice(at, at + ROW_CHARACTERS));
}
database.exec('commit');
database.close();
