// node scripts/build-vocabulary-index.ts: run after the vocabulary of the built-in embedder has been changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { vocabularyIndex } from '../src/adapters/embedders/vocabulary.ts';

const file = (name: string) => new URL(`../models/ken-static-1/${name}`, import.meta.url);
writeFileSync(file('vocab.index'), vocabularyIndex(readFileSync(file('vocab.txt'))));
