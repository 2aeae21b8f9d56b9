import path from 'node:path';
import { expect, it } from 'vitest';
import { MAY_IMPORT } from './import-table.ts';
import {
  allFiles,
  developmentFiles,
  importsOf,
  isWithin,
  lineCount,
  loadedBy,
  shippedFiles,
  textOf,
} from './source-files.ts';

/** All that domain/, config/ and base/ may take from outside: no I/O, no clock, no environment. */
const PURE_PACKAGES: Record<string, string[]> = {
  domain: ['zod'],
  config: ['smol-toml', 'toml-eslint-parser'],
  base: [],
};
const MAX_LINES = 400;
const MAX_FILES_IN_FOLDER = 20;
const MEDIAN_LINES = { least: 60, most: 110 };

const targetOf = (file: string, name: string) => path.join(path.dirname(file), name);
const partOf = (file: string) => Object.keys(MAY_IMPORT).find((part) => isWithin(file, part));

it('has every file in a part of the import table', () => {
  expect(shippedFiles.filter((file) => partOf(file) === undefined)).toEqual([]);
});

it('imports only what the table allows', () => {
  const strays = shippedFiles.flatMap((file) => {
    const part = partOf(file) ?? 'none';
    const allowed = [part, ...(MAY_IMPORT[part] ?? [])];
    return importsOf(file)
      .filter((name) => name.startsWith('.'))
      .filter((name) => !allowed.some((one) => isWithin(targetOf(file, name), one)))
      .map((name) => `${file} imports ${name}`);
  });
  expect(strays).toEqual([]);
});

it('takes only pure packages into domain, config and base', () => {
  const strays = shippedFiles.flatMap((file) => {
    const packages = PURE_PACKAGES[file.split('/')[0] ?? ''];
    return importsOf(file)
      .filter((name) => !name.startsWith('.') && packages)
      .filter((name) => !packages?.some((pure) => isWithin(name, pure)))
      .map((name) => `${file} imports ${name}`);
  });
  expect(strays).toEqual([]);
});

it('keeps each technology to its own folder of adapters', () => {
  const strays = shippedFiles
    .filter((file) => file.startsWith('adapters/'))
    .flatMap((file) => {
      const own = file.split('/').slice(0, 2).join('/');
      return importsOf(file)
        .filter((name) => name.startsWith('.'))
        .map((name) => targetOf(file, name))
        .filter((target) => target.startsWith('adapters/') && !isWithin(target, own))
        .filter((target) => !isWithin(target, 'adapters/paths'))
        .map((target) => `${file} imports ${target}`);
    });
  expect(strays).toEqual([]);
});

/** Files that open paths by themselves, each with what they open. Everything else goes through adapters/paths. */
const OPENERS: Record<string, string> = {
  'adapters/paths': 'any path, step by step',
  'adapters/wasm/broker': 'what a guest names, through adapters/paths',
  'adapters/chunkers/grammar-files.ts': 'the package',
  'adapters/documents': 'the cache directory, and standard input',
  'adapters/embedders/builtin.ts': 'the package',
  'adapters/embedders/transformers.ts': 'a model of the operator',
  'adapters/embedders/vocabulary.ts': 'the package',
  'adapters/files/active-conversations.ts': 'the state directory',
  'adapters/files/atomic-write.ts': 'a directory that is open',
  'adapters/files/backup/archives.ts': 'a file that the operator names',
  'adapters/files/backup/restore-stage.ts': 'a descriptor',
  'adapters/files/conversations/list-file.ts': 'the cache directory',
  'adapters/files/erase-files.ts': 'the data directory, and a descriptor',
  'adapters/files/references/staged-topic.ts': 'a directory made for it',
  'adapters/files/references/topic-transfer.ts': 'a directory made for it',
  'adapters/files/result-store.ts': 'the state directory',
  'adapters/git/temporary-repository.ts': 'the cache directory',
  'adapters/lock/operator-key.ts': 'the data directory',
  'adapters/sqlite/ledger/ledger-copies.ts': 'a file that adapters/paths has looked at',
  'adapters/sqlite/seam/database-file.ts':
    'a directory that is open, and databases that adapters/paths has looked at',
  'adapters/sqlite/seam/inspect-database.ts': 'memory',
  'adapters/sqlite/seam/inspection-record.ts': 'the state directory',
  'adapters/system': '/proc',
  'adapters/terminal/editor.ts': 'a temporary directory',
  'adapters/wasm/built-files.ts': 'the package',
  'adapters/wasm/author/build-tool.ts': 'a temporary directory',
  'adapters/wasm/author/compile-runner.ts': 'the package, and a temporary directory, in a process of its own',
  'adapters/wasm/author/compilers.ts': 'the package, and the cache directory',
  'adapters/wasm/author/componentize.ts': 'a compiler in the cache directory',
  'adapters/wasm/author/native-compilers.ts': 'a temporary directory',
  'adapters/wasm/author/tool-author.ts': 'the package',
  'adapters/wasm/component-cache.ts': 'the package, and the cache directory',
  'adapters/wasm/process/confinement.ts': '/proc',
  'entry/cli/commands/query/read-message.ts': 'a file that the operator names',
  'entry/cli/read-content.ts': 'a file that the operator names',
  'entry/web/assets.ts': 'the package',
  'entry/web/running-page.ts': 'the state directory',
};
const OPENING = [
  ...['open', 'openSync', 'openAsBlob', 'createReadStream', 'createWriteStream', 'DatabaseSync'],
  ...['copyFile', 'copyFileSync', 'cp', 'cpSync', 'truncate', 'truncateSync'],
  ...['readFile', 'readFileSync', 'writeFile', 'writeFileSync', 'appendFile', 'appendFileSync'],
];

/** Imports of Node with which a file opens paths; a descriptor is open already. */
function openersIn(file: string): string[] {
  const text = textOf(file);
  const imported = [...text.matchAll(/^import \{([^}]*)\} from 'node:(?:fs|fs\/promises|sqlite)';/gm)];
  const names = imported.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  return names.filter((name) => OPENING.includes(name) && text.search(callOf(name)) !== -1);
}

const callOf = (name: string) => new RegExp(`\\b${name}\\((?!descriptor\\b)`);

it('opens the paths of a workspace in one place', () => {
  const strays = shippedFiles
    .filter((file) => openersIn(file).length > 0)
    .filter((file) => !Object.keys(OPENERS).some((allowed) => isWithin(file, allowed)));
  expect(strays).toEqual([]);
});

it('has no file over 400 lines', () => {
  expect(allFiles.filter((file) => lineCount(file) > MAX_LINES)).toEqual([]);
});

it('has no folder with more than 20 files', () => {
  const folders = Map.groupBy(shippedFiles, (file) => path.dirname(file));
  const crowded = [...folders].filter(([, files]) => files.length > MAX_FILES_IN_FOLDER);
  expect(crowded.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
});

it('has files of a size that a reader takes in: a median of 60 to 110 lines', () => {
  const lines = shippedFiles.map(lineCount).sort((one, other) => one - other);
  const median = lines[Math.floor(lines.length / 2)];
  expect(median).toBeGreaterThanOrEqual(MEDIAN_LINES.least);
  expect(median).toBeLessThanOrEqual(MEDIAN_LINES.most);
});

it('neither mocks modules nor forces types', () => {
  expect(allFiles.filter((file) => /vi\.mock|as unknown as/.test(textOf(file)))).toEqual([]);
});

it('begins a doc comment with what the thing is or does, not with a question word', () => {
  const strays = [...allFiles, ...developmentFiles].flatMap((file) =>
    [...textOf(file).matchAll(/\/\*\*[\s*]*(?:What|Whatever|Who|Whoever|Whose|Of)\b.*/g)].map(
      ([comment]) => `${file}: ${comment}`,
    ),
  );
  expect(strays).toEqual([]);
});

it('lets only the command line throw cli/ faults', () => {
  const others = allFiles.filter((file) => !isWithin(file, 'entry/cli') && file !== 'base/fault.ts');
  expect(others.filter((file) => textOf(file).includes("'cli/"))).toEqual([]);
});

it('asks in one place where the package is', () => {
  expect(shippedFiles.filter((file) => textOf(file).includes('import.meta'))).toEqual([
    'base/package-files.ts',
  ]);
});

it('assigns to no export: files of the bundle hold copies of what they import from one another', () => {
  expect(shippedFiles.filter((file) => /^export (?:let|var) /m.test(textOf(file)))).toEqual([]);
});

it('has no files that load each other in a circle', () => {
  expect(firstCycle(new Map(shippedFiles.map((file) => [file, loadedBy(file)])))).toEqual([]);
});

/** The files of one circle in the order in which they import each other; empty when there is none. */
function firstCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (file: string, above: readonly string[]): string[] => {
    if (above.includes(file)) return [...above.slice(above.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...above, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
