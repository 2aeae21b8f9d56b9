/**
 * Shows how much the tests notice: breaks lines of src/, one at a time, and counts how many of them a test catches.
 *
 *     node scripts/break-lines.ts --base REV --before DIR [--count 40] [--seed 1] [--output FILE]
 *
 * REV is an earlier commit and DIR a checkout of it with its packages installed. Only lines that stand exactly once in
 * both trees are broken, so both runs try the same changes. For each line the unit tests run first that import its file
 * over the fewest files, then the end-to-end folders of its feature. Run it in a clone: it changes files and puts them
 * back.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const MUTATIONS: readonly (readonly [RegExp, string])[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ <= /, ' > '],
  [/ >= /, ' < '],
  [/ < /, ' >= '],
  [/ > /, ' <= '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/\breturn true;/, 'return false;'],
  [/\breturn false;/, 'return true;'],
  [/ \+ 1\b/, ' + 2'],
  [/ - 1\b/, ' - 2'],
  [/\bif \(!/, 'if (!!'],
  [/^(\s*)(?:await )?[a-z][\w.]*\([^{}]*\);$/, '$1;'],
];

/** End-to-end folders by the feature that a path names; the first that fits counts. */
const FEATURES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/wasm/, ['test/wasm', 'test/tools']],
  [/mcp-client|domain\/tools|commands\/tools/, ['test/tools']],
  [/entry\/mcp|setup/, ['test/mcp']],
  [/library/, ['test/library']],
  [/ledger|knowledge\//, ['test/ledger']],
  [/references|commands\/ref/, ['test/references']],
  [/git/, ['test/git', 'test/references']],
  [/http|domain\/web|html/, ['test/web', 'test/references']],
  [/approvals|trust|jobs/, ['test/approvals', 'test/conversations']],
  [/conversation|turns|models|query|labels/, ['test/conversations', 'test/recorded']],
  [/knowledge-base|kb|learn/, ['test/knowledge-base']],
  [/search|words|chunk|embedder|sqlite/, ['test/search', 'test/chunks']],
  [/./, ['test/cli']],
];

interface BrokenLine {
  readonly line: string;
  readonly broken: string;
}

interface Verdict {
  readonly file: string;
  readonly caughtBy: 'unit' | 'end to end' | 'nothing';
}

const { values } = parseArgs({
  options: {
    base: { type: 'string', default: 'HEAD' },
    before: { type: 'string' },
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    output: { type: 'string' },
  },
});
const here = path.join(import.meta.dirname, '..');

function trackedFiles(tree: string, ...folders: string[]): string[] {
  return execFileSync('git', ['ls-files', ...folders], { cwd: tree, encoding: 'utf8' }).split('\n');
}

function sourceFiles(tree: string): string[] {
  return trackedFiles(tree, 'src').filter(
    (file) => /\.ts$/.test(file) && !/\.(test|test-d|contract)\.ts$/.test(file),
  );
}

/** Each line that stands exactly once in the tree, with its file. */
function singleLines(tree: string): Map<string, string> {
  const found = new Map<string, string | undefined>();
  for (const file of sourceFiles(tree))
    for (const line of readFileSync(path.join(tree, file), 'utf8').split('\n'))
      found.set(line, found.has(line) ? undefined : file);
  return new Map([...found].filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function brokenForm(line: string): string | undefined {
  if (/^\s*(\/?\*|\/\/|import|export type|type )/.test(line)) return undefined;
  for (const [pattern, replacement] of MUTATIONS) {
    const match = pattern.exec(line);
    if (match && !isInText(line.slice(0, match.index))) return line.replace(pattern, replacement);
  }
  return undefined;
}

function isInText(before: string): boolean {
  return ["'", '`'].some((quote) => (before.split(quote).length - 1) % 2 === 1);
}

/** A generator of numbers below 1 that the seed decides (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function chooseLines(trees: readonly string[]): BrokenLine[] {
  const [first = new Map<string, string>(), ...others] = trees.map(singleLines);
  const common = [...first.keys()].filter((line) => others.every((lines) => lines.has(line)));
  const candidates = common.sort().flatMap((line) => {
    const broken = brokenForm(line);
    return broken === undefined ? [] : [{ line, broken }];
  });
  const random = seeded(Number(values.seed));
  const keyed = candidates.map((candidate) => ({ candidate, key: random() }));
  keyed.sort((one, other) => one.key - other.key);
  return keyed.slice(0, Number(values.count)).map(({ candidate }) => candidate);
}

/** The unit tests that import the file, or if there are none, those that import one of its importers, and so on. */
function nearestTests(tree: string, file: string): string[] {
  const importers = importersIn(tree);
  const seen = new Set([file]);
  let level = [file];
  while (level.length > 0) {
    level = [...new Set(level.flatMap((each) => importers.get(each) ?? []))].filter(
      (each) => !seen.has(each),
    );
    for (const each of level) seen.add(each);
    const tests = level.filter((each) => UNIT_TEST.test(each));
    if (tests.length > 0) return tests;
  }
  return [];
}

const UNIT_TEST = /^(?:src\/.*|test\/[^/]*)\.test\.ts$/;
/** Imports of values, static or not. */
const IMPORT = /(?:^|[\s}])from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g;

function importersIn(tree: string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of trackedFiles(tree, 'src', 'test').filter((each) => each.endsWith('.ts'))) {
    const text = readFileSync(path.join(tree, file), 'utf8').replaceAll(/^import type [^;]*;/gm, '');
    for (const [, from, late] of text.matchAll(IMPORT)) {
      const imported = path.join(path.dirname(file), from ?? late ?? '');
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

/** A run that does not end has noticed something, too. */
const LONGEST_MS = 15 * 60 * 1000;

function passes(tree: string, args: readonly string[]): boolean {
  const programs = path.join(tree, 'node_modules/.bin');
  const { status } = spawnSync(path.join(programs, 'vitest'), args, {
    cwd: tree,
    stdio: 'ignore',
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
    env: { ...process.env, PATH: `${programs}${path.delimiter}${process.env.PATH}` },
  });
  return status === 0;
}

function verdictOn(tree: string, { line, broken }: BrokenLine): Verdict {
  const file = singleLines(tree).get(line) ?? '';
  const place = path.join(tree, file);
  const whole = readFileSync(place, 'utf8');
  const lines = whole.split('\n');
  lines[lines.indexOf(line)] = broken;
  writeFileSync(place, lines.join('\n'));
  try {
    const options = ['--bail', '1'];
    const tests = nearestTests(tree, file);
    if (tests.length > 0 && !passes(tree, ['run', ...tests, '--project', 'unit', ...options]))
      return { file, caughtBy: 'unit' };
    const folders = FEATURES.find(([pattern]) => pattern.test(file))?.[1] ?? [];
    if (!passes(tree, ['run', ...folders, '--project', 'e2e', ...options]))
      return { file, caughtBy: 'end to end' };
    return { file, caughtBy: 'nothing' };
  } finally {
    writeFileSync(place, whole);
  }
}

const before = values.before === undefined ? undefined : path.resolve(values.before);
if (before !== undefined) {
  const revision = (tree: string, name: string) =>
    execFileSync('git', ['rev-parse', name], { cwd: tree, encoding: 'utf8' });
  if (revision(before, 'HEAD') !== revision(here, values.base))
    throw new Error(`${values.before} is not a checkout of ${values.base}.`);
}
const trees = before === undefined ? [here] : [here, before];
const broken = chooseLines(trees);
const report = trees.map((tree) => {
  const verdicts = broken.map((each) => {
    const verdict = verdictOn(tree, each);
    console.log(`${verdict.caughtBy}  ${verdict.file}\n  - ${each.line.trim()}\n  + ${each.broken.trim()}`);
    return { ...each, ...verdict };
  });
  const caught = verdicts.filter(({ caughtBy }) => caughtBy !== 'nothing').length;
  console.log(`${tree === here ? 'now' : 'before'}: ${caught} of ${verdicts.length} caught\n`);
  return { tree: tree === here ? 'now' : values.base, caught, verdicts };
});
if (values.output !== undefined) writeFileSync(values.output, `${JSON.stringify(report, null, 2)}\n`);
