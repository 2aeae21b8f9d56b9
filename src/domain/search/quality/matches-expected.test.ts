import { expect, it } from 'vitest';
import { parseCitation } from '../citations/citation.ts';
import type { StoredChunk } from '../index/index-item.ts';
import { matchesExpected } from './measure-questions.ts';

const subject: StoredChunk = {
  number: 1,
  ordinal: 0,
  source: 'kb',
  id: 'project/deploy',
  kind: 'subject',
  topic: 'project',
  path: 'kb/deploy.md',
  title: 'Deploy',
  meta: {},
  hash: '',
  heading: '',
  body: '',
  firstLine: 5,
  lastLine: 9,
};
const chunk: StoredChunk = { ...subject, kind: 'chunk', topic: 'topic-roses', id: 'x', path: 'docs/a.md' };
const entry: StoredChunk = { ...subject, kind: 'entry', id: 'ports', firstLine: 1, lastLine: 1 };
const turn: StoredChunk = {
  ...subject,
  kind: 'turn',
  id: '1abc',
  heading: 'turn 2',
  firstLine: 0,
  lastLine: 0,
};

const CASES: [string, StoredChunk, boolean][] = [
  ['ken://kb/project/deploy', subject, true],
  ['ken://kb/project/deploy#L9-L12', subject, true],
  ['ken://kb/project/deploy#L1-L5', subject, true],
  ['ken://kb/project/deploy#L1-L4', subject, false],
  ['ken://kb/project/deploy#L10', subject, false],
  ['ken://kb/project/other', subject, false],
  ['ken://kb/project/deploy', chunk, false],
  ['ken://ref/topic-roses@c0ffee/docs/a.md', chunk, true],
  ['ken://ref/topic-tulips@c0ffee/docs/a.md', chunk, false],
  ['ken://ref/topic-roses@c0ffee/docs/b.md', chunk, false],
  ['ken://entry/ports@v3', entry, true],
  ['ken://entry/doors', entry, false],
  ['ken://conversation/1abc', turn, true],
  ['ken://conversation/1abc#turn-2', turn, true],
  ['ken://conversation/1abc#turn-3', turn, false],
  ['kb/deploy.md', subject, true],
  ['kb/deploy', subject, false],
];

it.each(CASES)('%s', (text, found, isExpected) => {
  const citation = parseCitation(text);
  expect(matchesExpected(found, { text, ...(citation && { citation }) })).toBe(isExpected);
});
