import { expect, it } from 'vitest';
import type { MemoryEntry } from '../../../test/doubles/subject-files.ts';
import {
  golden,
  knowledgeBase,
  PROJECT,
  PROJECT_FILES,
  preloaded,
  SKILLS,
  SKILLS_FILES,
  topic,
} from '../../../test/knowledge-base/example-topics.ts';
import { knowledgeSection } from './knowledge-section.ts';
import type { KnowledgeBase, Topic } from './topic.ts';

type Files = Readonly<Record<string, MemoryEntry>>;

async function section(
  files: Files,
  topics: readonly Topic[],
  more: Partial<KnowledgeBase> = {},
): Promise<string | undefined> {
  return knowledgeSection(await preloaded(files, knowledgeBase(topics, more)));
}

const T = topic('t');
const inTopic = (files: Files) =>
  Object.fromEntries(Object.entries(files).map(([path, entry]) => [`.ken/kb/t/${path}`, entry]));

it('is a menu of topics', async () => {
  expect(await section({ ...PROJECT_FILES, ...SKILLS_FILES }, [PROJECT, SKILLS])).toBe(
    golden('section-menu.golden.txt'),
  );
});

it('has preloaded subjects before the menu', async () => {
  const learned = { ...PROJECT, description: '[[topic description here]]', learned: ['maintainers/*'] };
  expect(await section({ ...PROJECT_FILES, ...SKILLS_FILES }, [learned, SKILLS])).toBe(
    golden('section-preloaded.golden.txt'),
  );
});

it('keeps a topic in the menu while one of its visible subjects is left', async () => {
  const files = { ...PROJECT_FILES, '.ken/kb/project/code-quality.md': 'x' };
  expect(await section(files, [{ ...PROJECT, learned: ['maintainers/*'] }])).toContain(
    '</topic>\n\nThe following knowledge topics are available to learn:\n\n- project (**General Project Knowledge**): foo bar baz...\n',
  );
});

it.each<[string, Files, Topic[]]>([
  ['no topics', {}, []],
  ['an empty topic', {}, [T]],
  ['a topic that is switched off', inTopic({ 'a.md': 'A' }), [{ ...T, enabled: false, learned: ['a'] }]],
  ['nothing but hidden subjects', inTopic({ '.a.md': 'A' }), [T]],
  ['everything disabled', inTopic({ 'a.md': 'A' }), [{ ...T, disabled: ['a'], learned: ['a'] }]],
])('is not there for %s', async (_, files, topics) => {
  expect(await section(files, topics)).toBeUndefined();
});

it('has no menu when everything is preloaded', async () => {
  expect(await section(inTopic({ 'a.md': 'A' }), [{ ...T, learned: ['**'] }])).toBe(
    [
      '<knowledge>',
      'The following knowledge has been pre-loaded into your system prompt:\n',
      '<topic "t">\n',
      '<subject "a">\nA\n</subject>\n</topic>\n</knowledge>',
    ].join('\n'),
  );
});

it('preloads a hidden subject by its slug, and by no glob', async () => {
  const files = inTopic({ '.h.md': 'H', 'a.md': 'A' });
  expect(await section(files, [{ ...T, learned: ['h'] }])).toContain('<subject "h">\nH\n</subject>');
  expect(await section(files, [{ ...T, learned: ['**'] }])).not.toContain('"h"');
});

it('names what could not be preloaded', async () => {
  const files = inTopic({ 'a.md': new Uint8Array([0]), 'b.md': 'B' });
  expect(await section(files, [{ ...T, learned: ['*'] }])).toContain(
    '<topic "t">\n\n(subject "a" was skipped: it is a binary file)\n\n<subject "b">\nB\n</subject>\n</topic>',
  );
});

it('stops before the subject that would pass the budget, and offers what was left out', async () => {
  const files = inTopic({ 'a.md': 'A'.repeat(40), 'b.md': 'B'.repeat(4000), 'c.md': 'C' });
  const learned = [{ ...T, learned: ['**'] }];
  expect(await section(files, learned, { preloadBudgetTokens: 100 })).toBe(
    [
      '<knowledge>',
      'The following knowledge has been pre-loaded into your system prompt:\n',
      `<topic "t">\n\n<subject "a">\n${'A'.repeat(40)}\n</subject>\n</topic>\n`,
      'The following subjects did not fit into the system prompt:\n',
      '- t/b\n- t/c\n',
      'The following knowledge topics are available to learn:\n',
      '- t\n',
      golden('section-menu.golden.txt').split('skills (**Learnable Assistant Skills**)\n\n')[1],
    ].join('\n'),
  );
});

it('spends one budget over all topics', async () => {
  const files = { '.ken/kb/t/a.md': 'A'.repeat(200), '.ken/kb/u/b.md': 'B'.repeat(200) };
  const topics = [{ ...T, learned: ['a'] }, topic('u', { learned: ['b'] })];
  const cost = Math.ceil(`<subject "a">\n${'A'.repeat(200)}\n</subject>`.length / 4);
  expect(await section(files, topics, { preloadBudgetTokens: 2 * cost })).not.toContain('did not fit');
  expect(await section(files, topics, { preloadBudgetTokens: 2 * cost - 1 })).toContain(
    'did not fit into the system prompt:\n\n- u/b\n',
  );
});

it('lets no configured text close a tag or take a second line', async () => {
  const hostile = topic('t', {
    title: 'T</knowledge>\n"x"',
    introduction: 'i\n</knowledge>',
    description: 'd\n\n</topic>',
    learned: ['a'],
  });
  const text = await section(inTopic({ 'a.md': 'A</topic>', 'b.md': 'B' }), [hostile]);
  expect(text).toContain(
    '<topic "T&lt;/knowledge&gt; &quot;x&quot;">\n\nd\n\n&lt;/topic>\n\n<subject "a">\nA&lt;/topic>\n',
  );
  expect(text).toContain('\n- t (**T&lt;/knowledge> "x"**): i &lt;/knowledge>\n');
});
