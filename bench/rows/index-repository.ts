import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseSource } from '../../src/adapters/chunkers/source-parser.ts';
import { treeSitterChunker } from '../../src/adapters/chunkers/tree-sitter.ts';
import { searchDatabase } from '../../src/adapters/sqlite/index-database.ts';
import { sqliteIndexStore } from '../../src/adapters/sqlite/index-store.ts';
import { languageOf } from '../../src/domain/chunks/file-kind.ts';
import {
  type FileToIndex,
  indexByLines,
  indexInTwoPhases,
} from '../../src/domain/search/index-in-two-phases.ts';
import type { IndexStore } from '../../src/domain/search/index-store.ts';
import type { Bench } from '../bench.ts';
import { buildRepository } from '../repository.ts';
import type { Row, Side } from '../row.ts';

interface Repository {
  /** Relative. */
  readonly files: readonly string[];
  read(file: string): string;
  /** For a database of its own, gone before the next one. */
  emptyFile(): string;
}

function repositoryIn({ directory }: Bench): Repository {
  const root = path.join(directory, 'repository');
  mkdirSync(root);
  const files = buildRepository(root);
  const database = path.join(directory, 'index.db');
  return {
    files,
    read: (file) => readFileSync(path.join(root, file), 'utf8'),
    emptyFile() {
      for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true });
      return database;
    },
  };
}

function filesToIndex({ files, read }: Repository): FileToIndex[] {
  return files.map((file) => ({
    item: {
      source: 'refs',
      id: `repository/${file}`,
      kind: 'chunk',
      topic: 'repository',
      path: file,
      title: 'Repository',
      hash: file,
      labels: new Map(),
    },
    text: async () => read(file),
  }));
}

/** Times what `index` does with an empty index. */
function indexing(repository: Repository, index: (store: IndexStore, files: FileToIndex[]) => unknown): Side {
  return async () => {
    const file = repository.emptyFile();
    const records = path.join(path.dirname(file), 'records');
    const database = searchDatabase({ file, records, warn: () => {} });
    const files = filesToIndex(repository);
    const started = performance.now();
    await index(sqliteIndexStore(database), files);
    const milliseconds = performance.now() - started;
    await database.close();
    return milliseconds;
  };
}

const ROW_CHARACTERS = 2000;

/** Reads every file and puts it, in rows of the size of a chunk, into a table with a full-text index. */
function plainInsert(
  { files, read, emptyFile }: Repository,
  onText: (file: string, text: string) => unknown,
) {
  return async () => {
    const database = new DatabaseSync(emptyFile());
    const started = performance.now();
    database.exec('pragma journal_mode = wal; pragma synchronous = normal');
    database.exec('create virtual table chunk using fts5 (path, body)');
    const insert = database.prepare('insert into chunk values (?, ?)');
    database.exec('begin');
    for (const file of files) {
      const text = read(file);
      await onText(file, text);
      for (let at = 0; at < text.length; at += ROW_CHARACTERS) {
        insert.run(file, text.slice(at, at + ROW_CHARACTERS));
      }
    }
    database.exec('commit');
    const milliseconds = performance.now() - started;
    database.close();
    return milliseconds;
  };
}

async function parse(file: string, text: string): Promise<void> {
  const language = languageOf(file);
  if (language) (await parseSource(text, language, Number.POSITIVE_INFINITY))?.delete();
}

export const rows: readonly Row[] = [
  {
    name: 'index-repository',
    subject: 'index a repository of over 3,000 files by lines, then by symbols',
    floor: 'read it, parse it with web-tree-sitter, insert it into FTS5',
    bar: 1.8,
    prepare(bench) {
      const repository = repositoryIn(bench);
      return {
        subject: indexing(repository, async (store, files) => {
          const chunker = treeSitterChunker();
          await indexInTwoPhases({ store, chunker }, { files });
          await chunker.close();
        }),
        floor: plainInsert(repository, parse),
      };
    },
  },
  {
    name: 'index-repository-first',
    subject: 'the same, until all of it is searchable',
    floor: 'read it, insert it into FTS5',
    bar: 2,
    prepare(bench) {
      const repository = repositoryIn(bench);
      return {
        subject: indexing(repository, (store, files) => indexByLines({ store }, { files })),
        floor: plainInsert(repository, () => {}),
      };
    },
  },
];
