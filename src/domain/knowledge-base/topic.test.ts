import { expect, it } from 'vitest';
import { knowledgeBase, topic } from '../../../test/knowledge-base/example-topics.ts';
import { parseKnowledgeFlag, withKnowledgeFlags } from './knowledge-flag.ts';
import { checkTopicId, knowledgeBaseFrom } from './topic.ts';

const SETTINGS = { enable: true, subjects: 'kb', learned: [], disabled: [], follow_symlinks: false };

it('is what the configuration says, in its order', () => {
  const settings = {
    max_subject_bytes: 9,
    preload_budget_tokens: 7,
    topic: { z: SETTINGS, a: { ...SETTINGS, title: 'A', enable: false } },
  };
  expect(knowledgeBaseFrom(settings)).toMatchObject({
    maxSubjectBytes: 9,
    preloadBudgetTokens: 7,
    topics: [
      { id: 'z', enabled: true, directory: 'kb', followSymlinks: false },
      { id: 'a', enabled: false, title: 'A' },
    ],
  });
});

it.each([
  ['./docs//kb/', 'docs/kb'],
  ['.', '.'],
  ['./', '.'],
])('the directory %j is %j', (subjects, directory) => {
  const settings = {
    max_subject_bytes: 9,
    preload_budget_tokens: 0,
    topic: { a: { ...SETTINGS, subjects } },
  };
  expect(knowledgeBaseFrom(settings).topics[0]?.directory).toBe(directory);
});

it('keeps one id for what ships with ken', () => {
  const settings = { max_subject_bytes: 9, preload_budget_tokens: 0, topic: { ken: SETTINGS } };
  expect(() => knowledgeBaseFrom(settings)).toThrow(
    'The topic id "ken" is reserved for what ships with ken.',
  );
});

it.each(['', 'a b', 'a/b', '..', 'a.b', 'é'])('%j is no id', (id) => {
  expect(() => checkTopicId(id)).toThrow('cannot be the id of a topic');
});

it.each([
  ['project', 'project', '**'],
  ['project/', 'project', '**'],
  ['project/maintainers/*', 'project', 'maintainers/*'],
  ['skills/{a,b}', 'skills', '{a,b}'],
  ['skills/a,b', 'skills', 'a,b'],
  ['skills/a=b:c+=d', 'skills', 'a=b:c+=d'],
  ['skills/ast-grep/rules', 'skills', 'ast-grep/rules'],
])('-k %s', (value, topicId, pattern) => {
  expect(parseKnowledgeFlag(value)).toEqual({ topicId, pattern });
});

it.each(['', '/a', '/'])('-k %j names no topic', (value) => {
  expect(() => parseKnowledgeFlag(value)).toThrow('names no topic');
});

it('adds to what is learned, once', () => {
  const knowledge = knowledgeBase([topic('a', { learned: ['x'] }), topic('b')]);
  const flags = ['a/y', 'a/x', 'a', 'a/y'].map(parseKnowledgeFlag);
  expect(withKnowledgeFlags(knowledge, flags).topics).toMatchObject([
    { learned: ['x', 'y', '**'] },
    { learned: [] },
  ]);
});

it.each(['off', 'A', 'nope'])('does not know the topic %s', (id) => {
  const knowledge = knowledgeBase([topic('a', { title: 'A' }), topic('off', { enabled: false })]);
  expect(() => withKnowledgeFlags(knowledge, [{ topicId: id, pattern: '**' }])).toThrow(
    expect.objectContaining({
      code: 'kb/unknown-topic',
      hint: expect.stringContaining('Valid topics: a (A).'),
    }),
  );
});
