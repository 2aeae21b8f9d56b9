import { describe, expect, it } from 'vitest';
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
import { learnTool } from './learn/learn-tool.ts';
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

describe('a menu over 1,500 tokens', () => {
  const many = (count: number, introduction: string) =>
    Array.from({ length: count }, (_, at) => ({
      ...topic(`t${String(at).padStart(3, '0')}`),
      title: `Title ${at}`,
      introduction,
    }));
  const filesOf = (topics: readonly Topic[]) =>
    Object.fromEntries(
      topics.flatMap(({ id }, at) =>
        Array.from({ length: (at % 3) + 1 }, (_, each) => [`.ken/kb/${id}/s${each}.md`, 'x'] as const),
      ),
    );
  const menuOf = (text: string | undefined) =>
    text?.split('\n').filter((line) => line.startsWith('- ')) ?? [];

  it('names each topic with the number of its subjects, and points to search', async () => {
    const topics = many(60, 'What this is about, in many words. '.repeat(4));
    const text = await section(filesOf(topics), topics);
    expect(menuOf(text).slice(0, 3)).toEqual([
      '- t000: 1 subject',
      '- t001: 2 subjects',
      '- t002: 3 subjects',
    ]);
    expect(menuOf(text)).toHaveLength(60);
    expect(text).toContain(
      '\n\nThere are too many to describe. Use the `search` tool to find what you need, and',
    );
    expect(await section(filesOf(topics), topics)).toBe(text);
  });

  it('describes them as long as they fit', async () => {
    const topics = many(10, 'short');
    expect(menuOf(await section(filesOf(topics), topics))[0]).toBe('- t000 (**Title 0**): short');
  });

  it('counts the topics for which even that is too much', async () => {
    const topics = many(900, '');
    const menu = menuOf(await section(filesOf(topics), topics));
    expect(menu.at(-1)).toBe(`- and ${901 - menu.length} more topics`);
    expect(menu.join('\n').length / 4).toBeLessThan(1_550);
    const opened = (await preloaded(filesOf(topics), knowledgeBase(topics))).opened;
    const never = () => Promise.reject(new Error('not asked'));
    const ports = {
      topicFiles: { open: never },
      subjectRanker: { rank: never },
      learnRunner: { run: never },
    };
    const description = learnTool(ports as never, knowledgeBase(topics), opened)?.description ?? '';
    expect(description).toMatch(/\n- and \d+ more topics; `search` finds their subjects$/);
    expect(description.length / 4).toBeLessThan(1_600);
  });
});
