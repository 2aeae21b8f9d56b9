import { expect, it } from 'vitest';
import { grepRanking } from './measure-questions.ts';

const texts = ['Gulls steal.', 'gulls steal sandwiches', 'a seagull', 'nothing'].map((text) => ({ text }));

it('ranks by how many of the words are there, as written, and keeps the order of the rest', () => {
  const found = (question: string, limit = 9) => grepRanking(texts)(question, limit).map(({ text }) => text);
  expect(found('sandwiches that gulls steal')).toEqual(['gulls steal sandwiches', 'Gulls steal.']);
  expect(found('gull')).toEqual(['Gulls steal.', 'gulls steal sandwiches', 'a seagull']);
  expect(found('gull', 1)).toEqual(['Gulls steal.']);
  expect(found('tern')).toEqual([]);
  expect(found('')).toEqual([]);
});
