// node training/dump-lists.ts FOLDER [COLLECTION...]: writes what ken finds for the questions of the development
// collections, for models that order or judge it: a line for each question, and another file with all texts. A hit is the
// line of its text. The Python beside this reads the files packed with xz.

import { createWriteStream } from 'node:fs';
import { askCut } from '../bench/retrieval/ask-cut.ts';
import {
  type Collection,
  collectionNames,
  readCollection,
  whyNoCollections,
} from '../bench/retrieval/collections.ts';
import { type Cut, cutsOf, SIZES } from '../bench/retrieval/cuts.ts';
import type { StoredChunk } from '../src/domain/search/index/index-item.ts';

/** So many questions with an answer are asked of each cut that is not whole. */
const MOST_OWN = 120;

const [folder, ...wanted] = process.argv.slice(2);
if (whyNoCollections || folder === undefined) {
  console.error(whyNoCollections ?? 'Usage: node training/dump-lists.ts FOLDER [COLLECTION...]');
  process.exit(1);
}

/** The texts of a collection as they are indexed, and the line that each has in the file of texts. */
function writeTexts({ name, texts }: Collection): (chunk: StoredChunk) => number {
  const file = createWriteStream(`${folder}/${name}.texts.jsonl`);
  const numbers = new Map<string, number>();
  for (const [at, { path, heading, text, document, group }] of texts.entries()) {
    file.write(`${JSON.stringify({ path, heading, body: text, document, group })}\n`);
    numbers.set(JSON.stringify([path, heading, text]), at);
  }
  file.end();
  return ({ path, heading, body }) => numbers.get(JSON.stringify([path, heading, body])) ?? -1;
}

function sampled(cut: Cut): Cut {
  if (cut.size === 'whole') return cut;
  let own = 0;
  return { ...cut, asked: cut.asked.filter(({ sort }) => sort !== 'own' || own++ < MOST_OWN) };
}

/** As large as whole collections are, one of 5,000 texts says little more. */
const MEASURED = SIZES.filter((size) => size !== 5000);

const all = collectionNames().map(readCollection);
for (const collection of all.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const numberOf = writeTexts(collection);
  const lists = createWriteStream(`${folder}/${collection.name}.lists.jsonl`);
  for (const size of MEASURED) {
    process.stderr.write(`${collection.name} ${size}\n`);
    for (const cut of cutsOf(collection, size, all)) {
      for (const { question, result, documents } of await askCut(sampled(cut), ['hybrid'])) {
        const hits = [...result.hits, ...result.nearMisses];
        const list = {
          size,
          sort: question.sort,
          question: question.text,
          relevant: Object.fromEntries(question.relevant),
          exclude: question.exclude ?? [],
          documents,
          texts: hits.map(({ chunk }) => numberOf(chunk)),
          scores: hits.map(({ score }) => Number(score.toFixed(5))),
          chances: hits.map(({ chance }) => Number(chance.toFixed(4))),
        };
        lists.write(`${JSON.stringify(list)}\n`);
      }
    }
  }
  lists.end();
}
