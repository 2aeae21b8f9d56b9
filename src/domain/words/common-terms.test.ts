import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageFile } from '../../base/package-files.ts';
import { COMMON_TERMS, informationOf } from './common-terms.ts';
import { stem } from './stem.ts';

it('has the terms of the most frequent words, in order', () => {
  const words = readFileSync(packageFile('models/ken-static-1/vocab.txt'), 'utf8')
    .split('\n')
    .filter((word) => /^[a-z]{2,}$/.test(word))
    .slice(0, 2000);
  expect(COMMON_TERMS.split(' ')).toEqual([...new Set(words.map(stem))]);
});

it('says that a frequent word says little', () => {
  const [the, file, quokka] = ['the', 'file', 'quokka'].map(informationOf);
  expect(the).toBe(0);
  expect(file).toBeGreaterThan(0);
  expect(file).toBeLessThan(0.6);
  expect(quokka).toBe(1);
});

it('says more the rarer a term is', () => {
  const terms = COMMON_TERMS.split(' ');
  const expected = terms.map((_, rank) => Math.log(1 + rank) / Math.log(1 + terms.length));
  expect(terms.map(informationOf)).toEqual(expected);
  expect(terms.map(informationOf)).toEqual(expected);
  expect(['', ' ', 'the to', 'thee', 'xhtml5'].map(informationOf)).toEqual([1, 1, 1, 1, 1]);
});
