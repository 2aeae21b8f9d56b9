/** Outside collections of texts, questions and judgements, found through KEN_TEST_DATA. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface Collection {
  readonly name: string;
  readonly texts: readonly CollectionText[];
  readonly questions: readonly Question[];
}

export interface CollectionText {
  readonly id: string;
  /** A question of a group is asked of that group only. */
  readonly group?: string;
  /** The thing that judgements name: the text itself, or the file it is a part of. */
  readonly document: string;
  /** The file it is in, as ken names it. */
  readonly path: string;
  /** The title of that file, or of the topic it is in. */
  readonly title: string;
  /** The page or the symbols it stands under. */
  readonly heading: string;
  readonly text: string;
}

export interface Question {
  readonly id: string;
  readonly text: string;
  readonly group?: string;
  /** Not to be answered with. */
  readonly exclude?: readonly string[];
  /** Documents that answer it, each with how well. */
  readonly relevant: ReadonlyMap<string, number>;
}

/** The part of a collection that is evaluated, where not all of it is. */
const SPLITS: Readonly<Record<string, string>> = { scifact: 'test', cosqa: 'dev' };

const folder = process.env.KEN_TEST_DATA && path.join(process.env.KEN_TEST_DATA, 'retrieval');

/** Nothing when they are there. */
export const whyNoCollections =
  folder && existsSync(folder) ? undefined : 'KEN_TEST_DATA names no folder with retrieval collections';

export function collectionNames(): string[] {
  if (!folder || whyNoCollections) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

export function readCollection(name: string): Collection {
  const file = (each: string) => path.join(folder ?? '', name, each);
  const relevant = new Map<string, Map<string, number>>();
  for (const { qid, did, rel } of lines<{ qid: string; did: string; rel: number }>(
    readFileSync(file('qrels.jsonl')),
  )) {
    if (rel <= 0) continue;
    const judged = relevant.get(qid) ?? new Map<string, number>();
    relevant.set(qid, judged.set(did, rel));
  }
  const questions = lines<Question & { split: string }>(readFileSync(file('queries.jsonl')))
    .filter(({ split }) => SPLITS[name] === undefined || split === SPLITS[name])
    .flatMap((question) => {
      const judged = relevant.get(question.id);
      return judged ? [{ ...question, relevant: judged }] : [];
    });
  const rows = lines<Row>(gunzipSync(readFileSync(file('corpus.jsonl.gz'))));
  return { name, texts: rows.map((row) => textOf(row, name)), questions };
}

const LONGEST_NOTE = 240;

/** About the first sentence of each text, as a ledger or somebody's notes would have it. */
export function notesOf({ name, texts, questions }: Collection): Collection {
  return {
    name: `${name}${NOTES}`,
    texts: texts.map((each) => ({ ...each, text: firstSentence(each.text) })),
    questions,
  };
}

const NOTES = ' notes';

/** The collection that it is, or was made from. */
export function originOf(name: string): string {
  return name.endsWith(NOTES) ? name.slice(0, -NOTES.length) : name;
}

function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_NOTE);
  return /^.{40,}?[.!?](?= )/.exec(line)?.[0] ?? line;
}

interface Row {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
  readonly group?: string;
  readonly parent?: string;
  readonly repo?: string;
  readonly file?: string;
}

/**
 * The names that a text has in ken: those of its file where the collection has files, else its id, as somebody would
 * have it who puts each text into a file of its own.
 */
function textOf(row: Row, collection: string): CollectionText {
  const { id, title = '', text, group, parent = id, repo = group, file = parent } = row;
  const base = { id, text, document: parent, ...(group !== undefined && { group }) };
  if (repo !== undefined) {
    const inRepository = file.startsWith(`${repo}:`) ? file.slice(repo.length + 1) : file;
    const symbol = /#([\w$.]+)\.\d+$/.exec(id)?.[1];
    const heading = symbol ?? (title === inRepository ? definedNames(text) : title);
    return { ...base, path: inRepository, title: repo.split('/')[1] ?? repo, heading };
  }
  const ending = collection === 'cosqa' ? 'py' : 'md';
  return { ...base, path: `${id}.${ending}`, title, heading: ending === 'py' ? definedNames(text) : '' };
}

const DEFINITION =
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|interface|type|enum|const|def)\s+([A-Za-z_$][\w$]*)/gm;

function definedNames(text: string): string {
  return [...text.matchAll(DEFINITION)]
    .slice(0, 6)
    .map(([, name]) => name)
    .join(', ');
}

function lines<Line>(content: Buffer): Line[] {
  return content
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line));
}
