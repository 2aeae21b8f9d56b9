/**
 * Clients that defer tools find them by BM25 over name and description, among the tools of other servers. The descriptions
 * must find all `everyday` questions. Those of the further sets are by other persons and are only counted:
 * `development` was written for the descriptions, `heldOut` and `second` were set aside and read after they had been
 * counted, `last` is counted only: no description is fitted to it.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { stem } from '../../src/domain/words/stem.ts';
import { connect } from './connect.ts';
import { gardenWorkspace } from './garden.ts';
import questions from './tool-search-questions.json' with { type: 'json' };
import others from './tools-of-others.json' with { type: 'json' };

interface Listed {
  readonly server: string;
  readonly name: string;
  readonly description: string;
}

/** The same for every test of this file. */
let listed: Promise<readonly Listed[]> | undefined;

async function ownTools(): Promise<readonly Listed[]> {
  const { client } = await connect(gardenWorkspace());
  const { tools } = await client.listTools();
  return tools.map(({ name, description = '' }) => ({ server: 'ken', name, description }));
}

async function allTools(): Promise<readonly Listed[]> {
  listed ??= ownTools();
  return [...(await listed), ...others];
}

const FORMS = [withoutLuceneStopWords, withoutFewStopWords, stems];

it.each(FORMS)('finds search or learn for everyday questions (%o)', async (words) => {
  const ranked = ranking(await allTools(), words);
  expect(questions.everyday.filter((question) => !isFound(ranked(question)))).toEqual([]);
});

it.each(FORMS)('finds nothing of ken first for work that other tools do (%o)', async (words) => {
  const ranked = ranking(await allTools(), words);
  const { foreign, development, heldOut } = questions;
  const all = [...foreign, ...development.foreign, ...heldOut.foreign];
  expect(all.filter((question) => isOfKen(ranked(question)[0]))).toEqual([]);
});

it('counts what the documentation says of the questions of other persons', async () => {
  const tools = await allTools();
  const rowOf = (
    title: string,
    all: readonly string[],
    isCounted: (ranked: readonly Listed[]) => boolean,
  ) => {
    const counts = FORMS.map((words) => {
      const ranked = ranking(tools, words);
      return `${all.filter((question) => isCounted(ranked(question))).length} of ${all.length}`;
    });
    return `| ${title} | ${counts.join(' | ')} |`;
  };
  const personsOf = (set: keyof typeof ROWS) => Object.values(questions[set].everyday).flat();
  const rows = [
    ...setNames.map((set) => rowOf(ROWS[set], personsOf(set), isFound)),
    rowOf(
      'work that other tools do: ken first',
      [...questions.second.foreign, ...questions.last.foreign],
      ([first]) => isOfKen(first),
    ),
  ];
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/mcp.md'), 'utf8').split('\n');
  const heading = page.findIndex((line) => line.startsWith("| questions | Lucene's stop words |"));
  expect(page.slice(heading + 2, heading + 2 + rows.length)).toEqual(rows);
});

const ROWS = {
  development: 'read while they were written',
  heldOut: 'set aside, read afterwards',
  second: 'set aside again, read afterwards',
  last: 'set aside, counted once',
};
const setNames = ['development', 'heldOut', 'second', 'last'] as const;

function isOfKen(tool: Listed | undefined): boolean {
  return tool?.server === 'ken';
}

function isFound(ranked: readonly Listed[]): boolean {
  return ranked.slice(0, 3).some((tool) => isOfKen(tool) && ['search', 'learn'].includes(tool.name));
}

/** Okapi BM25 with its usual parameters. */
function ranking(
  tools: readonly Listed[],
  wordsOf: (text: string) => readonly string[],
): (question: string) => Listed[] {
  const pages = tools.map(({ name, description }) => wordsOf(`${name.replaceAll('_', ' ')} ${description}`));
  const average = pages.reduce((sum, { length }) => sum + length, 0) / pages.length;
  const scoreOf = (page: readonly string[], term: string) => {
    const having = pages.filter((each) => each.includes(term)).length;
    const rarity = Math.log(1 + (pages.length - having + 0.5) / (having + 0.5));
    const count = page.filter((word) => word === term).length;
    return (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * page.length) / average));
  };
  return (question) => {
    const terms = wordsOf(question);
    const scored = tools.map((tool, at) => ({
      tool,
      score: terms.reduce((sum, term) => sum + scoreOf(pages[at] ?? [], term), 0),
    }));
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ tool }) => tool);
  };
}

/** As Elasticsearch and others do that leave out Lucene's stop words. */
function withoutLuceneStopWords(text: string): readonly string[] {
  return words(text).filter((word) => !LUCENE_STOP_WORDS.has(word));
}

/** Some words with which questions begin are left out too. */
function withoutFewStopWords(text: string): readonly string[] {
  return words(text).filter((word) => !FEW_STOP_WORDS.has(word));
}

/** As clients do that use a library for it: all the usual stop words are left out. */
function stems(text: string): readonly string[] {
  return words(text)
    .filter((word) => !USUAL_STOP_WORDS.has(word))
    .map(stem);
}

function words(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

const LUCENE_STOP_WORDS = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to ' +
    'was will with'
  ).split(' '),
);
const FEW_STOP_WORDS = new Set(
  'a an and are as at be by do for from i in is it of on or s that the this to was what with'.split(' '),
);
const USUAL_STOP_WORDS = new Set(
  (
    'i me my myself we our ours ourselves you your yours yourself he him his himself she her hers herself it its itself ' +
    'they them their theirs themselves what which who whom this that these those am is are was were be been being have has ' +
    'had having do does did doing a an the and but if or because as until while of at by for with about against between ' +
    'into through during before after above below to from up down in out on off over under again further then once here ' +
    'there when where why how all any both each few more most other some such no nor not only own same so than too very s ' +
    't can will just don should now'
  ).split(' '),
);
