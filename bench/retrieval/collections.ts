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
  readonly title?: string;
  readonly text: string;
  /** A question of a group is asked of that group only. */
  readonly group?: string;
  /** Judgements name the parent, which is as good as the best of its parts. */
  readonly parent?: string;
}

export interface Question {
  readonly id: string;
  readonly text: string;
  readonly group?: string;
  /** Not to be answered with. */
  readonly exclude?: readonly string[];
  /** Ids that answer it, each with how well. */
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
  const texts = lines<CollectionText>(gunzipSync(readFileSync(file('corpus.jsonl.gz'))));
  return { name, texts, questions };
}

function lines<Line>(content: Buffer): Line[] {
  return content
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line));
}
