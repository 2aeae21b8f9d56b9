import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { searchDatabase } from '../../src/adapters/sqlite/index/index-schema.ts';
import { sqliteIndexStore } from '../../src/adapters/sqlite/index/index-store.ts';
import { plainChunker } from '../../src/domain/chunks/plain-chunks.ts';
import { fileItem } from '../../src/domain/search/index/file-chunks.ts';
import type { IndexItem } from '../../src/domain/search/index/index-item.ts';
import { indexItems } from '../../src/domain/search/index/index-items.ts';
import type { Bench } from '../bench.ts';
import { buildRepository } from '../repository.ts';
import type { Row, Side } from '../row.ts';

interface Repository {
  readonly root: string;
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
    root,
    files,
    read: (file) => readFileSync(path.join(root, file), 'utf8'),
    emptyFile() {
      for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true });
      return database;
    },
  };
}

async function* itemsByLines({ files, read }: Repository): AsyncGenerator<IndexItem> {
  for (const path of files) {
    const shared = { source: 'refs', kind: 'chunk', topic: 'repository', title: 'Repository' } as const;
    const item = { ...shared, id: `repository/${path}`, path, hash: path, meta: {}, labels: new Map() };
    const loaded = await fileItem(plainChunker, { item, bytes: 0, text: async () => read(path) }).load(
      'lines',
    );
    if (loaded) yield loaded;
  }
}

/** Until every file is found by its lines. There is no process that ends there. */
function indexingByLines(repository: Repository): Side {
  return async () => {
    const file = repository.emptyFile();
    const database = searchDatabase(file, () => {});
    const started = performance.now();
    await indexItems({ store: sqliteIndexStore(database) }, { items: itemsByLines(repository) });
    const milliseconds = performance.now() - started;
    await database.close();
    return milliseconds;
  };
}

const ROW_CHARACTERS = 2000;

/** Reads every file and puts it, in rows of the size of a chunk, into a table with a full-text index. */
function plainInsert({ files, read, emptyFile }: Repository): Side {
  return () => {
    const database = new DatabaseSync(emptyFile());
    const started = performance.now();
    database.exec('pragma journal_mode = wal; pragma synchronous = normal');
    database.exec('create virtual table chunk using fts5 (path, body)');
    const insert = database.prepare('insert into chunk values (?, ?)');
    database.exec('begin');
    for (const file of files) {
      const text = read(file);
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

/** Nobody answers there: words alone are indexed. */
const NO_EMBEDDER = 'search.embedder = "ollama/none"\nsearch.embedder_url = "http://127.0.0.1:9"\n';

/** As a topic of the library. */
async function imported(bench: Bench): Promise<Repository> {
  const repository = repositoryIn(bench);
  mkdirSync(path.join(bench.home, 'config'), { recursive: true });
  writeFileSync(path.join(bench.home, 'config/config.toml'), NO_EMBEDDER);
  await bench.ken(['ref', 'import', repository.root, '--title', 'Repository'])();
  return repository;
}

/** As a topic of its own workspace, whose index is gone before each run. */
async function ownTopic(bench: Bench): Promise<{ readonly repository: Repository; readonly search: Side }> {
  const repository = repositoryIn(bench);
  mkdirSync(path.join(bench.home, 'config'), { recursive: true });
  writeFileSync(path.join(bench.home, 'config/config.toml'), NO_EMBEDDER);
  await bench.ken(['init', '--index-repo'], { directory: repository.root })();
  const search = bench.ken(['search', 'parse a schema with safeParse'], { directory: repository.root });
  return {
    repository,
    search: () => {
      rmSync(path.join(bench.home, 'cache/workspaces'), { recursive: true, force: true });
      return search();
    },
  };
}

/** A process that starts with no database. */
function floorProcess({ node }: Bench, { root, emptyFile }: Repository): Side {
  const run = node([path.join(import.meta.dirname, '../index-floor.ts'), root, emptyFile()]);
  return () => {
    emptyFile();
    return run();
  };
}

export const rows: readonly Row[] = [
  {
    name: 'index-repository',
    subject: 'ken ref reindex, a repository of over 3,000 files: by lines, then by symbols',
    floor: 'node reading it, parsing it with web-tree-sitter, inserting it into FTS5',
    bar: 1.8,
    async prepare(bench) {
      const repository = await imported(bench);
      return { subject: bench.ken(['ref', 'reindex']), floor: floorProcess(bench, repository) };
    },
  },
  {
    name: 'index-own-repository',
    subject: 'the first ken search after ken init --index-repo, over 3,000 files',
    floor: 'node reading it, parsing it with web-tree-sitter, inserting it into FTS5',
    bar: 1.8,
    async prepare(bench) {
      const { repository, search } = await ownTopic(bench);
      return { subject: search, floor: floorProcess(bench, repository) };
    },
  },
  {
    name: 'index-repository-first',
    subject: 'the same in a running process, until all of it is searchable',
    floor: 'read it, insert it into FTS5',
    bar: 2,
    prepare(bench) {
      const repository = repositoryIn(bench);
      return { subject: indexingByLines(repository), floor: plainInsert(repository) };
    },
  },
];
