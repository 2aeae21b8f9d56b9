import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { architecturePage, cliPage } from '../scripts/generated-docs.ts';
import { libraryPage } from '../scripts/library-page.ts';
import { findCommand, walkCommands } from '../src/entry/cli/find-command.ts';
import { commandIndex } from '../src/entry/cli/read-words.ts';
import { COMMANDS } from '../src/entry/cli/registry.ts';
import { JSON_CALLS, jsonExamples } from './cli/json-calls.ts';
import { MAY_IMPORT } from './import-table.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const pages = [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];
const FILES = ['src', 'test', 'bench', 'scripts', 'guests'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file}`,
  ),
);
const HOW = 'run "npm run docs"';

it('has a page about the command line that is fresh', async () => {
  expect(read('docs/cli.md'), HOW).toBe(await cliPage());
});

it('has a page about the library that is fresh', () => {
  expect(read('docs/library.md'), HOW).toBe(libraryPage());
});

it('has the import graph and the import table in its page about the architecture', () => {
  const page = read('docs/architecture.md');
  expect(page, HOW).toBe(architecturePage(page, MAY_IMPORT));
});

/** Shared by commands. */
const NO_COMMANDS = ['confirm-deletion.ts', 'foreign-data.ts', 'while-trusted.ts'];

it('names every part of the domain, every adapter, way in and command in its map of features', () => {
  const page = read('docs/architecture.md');
  const folders = ['domain', 'adapters', 'entry'].flatMap((part) =>
    entriesOf(`src/${part}`)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${part}/${name}`),
  );
  const commands = entriesOf('src/entry/cli/commands')
    .map(({ name }) => name)
    .filter((name) => !name.endsWith('.test.ts') && !NO_COMMANDS.includes(name))
    .map((name) => `commands/${name}`);
  const missing = [...folders, ...commands].filter((name) => !page.includes(`\`${name}`));
  expect(missing, 'give it a row in docs/architecture.md').toEqual([]);
});

function entriesOf(folder: string) {
  return readdirSync(path.join(root, folder), { withFileTypes: true });
}

it('says of every command what it prints as JSON', async () => {
  const page = read('docs/json.md');
  const leaves = (await walkCommands(COMMANDS)).filter(({ command }) => command.run);
  const silent = leaves.map((at) => at.path.join(' ')).filter((name) => !isDescribed(page, name));
  expect(silent, 'give each a section in docs/json.md, or a place under "Without JSON"').toEqual([]);
});

function isDescribed(page: string, name: string): boolean {
  const [sections = '', without = ''] = page.split('\n## Without JSON\n');
  return sections.includes(`\n## ${name}\n`) || without.includes(`\`${name}\``);
}

it('has for every JSON example a call that makes ken print it', () => {
  const shown = [...jsonExamples()].map(([title, { length }]) => [title, length]);
  const called = Object.entries(JSON_CALLS).map(([title, { length }]) => [title, length]);
  expect(called, 'add the calls to test/cli/json-calls.ts').toEqual(shown);
});

it.each(pages.filter((page) => page !== 'CHANGELOG.md'))('%s names files of the code that exist', (page) => {
  const named = [...read(page).matchAll(/`([\w./-]+\.(?:ts|mjs|wat))`/g)].map(([, file = '']) => file);
  const gone = named.filter((file) => !FILES.some((each) => each === file || each.endsWith(`/${file}`)));
  expect([...new Set(gone)]).toEqual([]);
});

it('has an order: the index names every page, and each begins with what its reader can do after it', () => {
  const index = read('docs/README.md');
  const own = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
  expect(own.filter((page) => !index.includes(`(${path.basename(page)})`))).toEqual([]);
  expect(own.filter((page) => !/^# .*\n\nAfter this page /.test(read(page)))).toEqual([]);
});

it.each(pages)('%s has links that lead somewhere', (page) => {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
  const broken = links.filter(
    (link) => !/^[a-z]+:/.test(link) && !existsSync(path.join(root, path.dirname(page), link)),
  );
  expect(broken).toEqual([]);
});

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
}

it('names in README only commands and scripts that exist', async () => {
  const readme = read('README.md');
  const fenced = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const inline = [...readme.matchAll(/`((?:ken|npm) [^`\n]+)`/g)].map(([, code = '']) => code);
  const lines = [...fenced, ...inline].map((line) => line.trim().split(/\s+/)).filter(([program]) => program);
  expect(lines.length).toBeGreaterThan(5);
  const scripts = ['link', 'install', ...Object.keys(JSON.parse(read('package.json')).scripts)];
  for (const [program, ...words] of lines) {
    if (program === 'npm') expect(scripts).toContain(words.find((word) => word !== 'run'));
    else if (program === 'ken') await expectCommand(words);
  }
});

async function expectCommand(words: readonly string[]): Promise<void> {
  const named = words.slice(commandIndex(words) ?? 0);
  await expect(findCommand(COMMANDS, named.slice(0, 1)), words.join(' ')).resolves.toBeDefined();
}

it('numbers each decision once, in its file name and in its title', () => {
  const files = readdirSync(path.join(root, 'docs/decisions')).sort();
  expect(files.map((file) => Number.parseInt(file, 10))).toEqual(files.map((_, at) => at + 1));
  expect(files.map((file) => Number(/^# (\d+)\. /.exec(read(`docs/decisions/${file}`))?.[1]))).toEqual(
    files.map((file) => Number.parseInt(file, 10)),
  );
});

it('tells assistants what matters in ten lines', () => {
  expect(read('AGENTS.md').match(/^\d+\. /gm)).toHaveLength(10);
});
