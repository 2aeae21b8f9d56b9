import { expect, it } from 'vitest';
import { type MemoryEntry, topicFilesInMemory } from '../../../../test/doubles/subject-files.ts';
import schema from '../../../../test/golden/knowledge-base/learn-schema.golden.json' with { type: 'json' };
import {
  golden,
  knowledgeBase,
  PROJECT,
  PROJECT_FILES,
  preloaded,
  SKILLS,
  SKILLS_FILES,
  topic,
} from '../../../../test/knowledge-base/example-topics.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Tool } from '../../tools/tool.ts';
import { bm25Ranker } from '../subject-ranker.ts';
import type { KnowledgeBase } from '../topic.ts';
import { learnTool, nativeLearnRunner } from './learn-tool.ts';

type Files = Readonly<Record<string, MemoryEntry>>;
const FILES = { ...PROJECT_FILES, ...SKILLS_FILES };
const EXAMPLE = knowledgeBase([PROJECT, SKILLS]);

async function tool(files: Files, knowledge: KnowledgeBase): Promise<Tool | undefined> {
  const topicFiles = topicFilesInMemory(files);
  const ports = { topicFiles, subjectRanker: bm25Ranker, learnRunner: nativeLearnRunner({ topicFiles }) };
  return learnTool(ports, knowledge, (await preloaded(files, knowledge)).opened);
}

async function call(files: Files, knowledge: KnowledgeBase, given: JsonObject) {
  const request = { action: 'run', arguments: given, answers: {} } as const;
  return (await tool(files, knowledge))?.call(request, AbortSignal.abort());
}

it('is described by the topics there are, in a schema that never changes', async () => {
  const learn = await tool(FILES, EXAMPLE);
  expect(learn?.name).toBe('learn');
  expect(learn?.description).toBe(golden('learn-description.golden.txt'));
  expect(learn?.parameters).toEqual(schema);
  expect(JSON.stringify(learn?.parameters)).toBe(JSON.stringify(schema));
  expect(learn).toMatchObject({ reach: 'read', run: 'unattended' });
});

it.each<[string, Files, Parameters<typeof topic>[1]]>([
  ['empty', {}, {}],
  ['switched off', { '.ken/kb/t/a.md': '' }, { enabled: false }],
  ['all learned', { '.ken/kb/t/a.md': '' }, { learned: ['a'] }],
  ['all disabled', { '.ken/kb/t/a.md': '', '.ken/kb/t/.b.md': '' }, { disabled: ['**'] }],
  ['only hidden', { '.ken/kb/t/.a.md': '' }, {}],
])('is not there when nothing is left to learn: %s', async (_, files, settings) => {
  expect(await tool(files, knowledgeBase([topic('t', settings)]))).toBeUndefined();
});

it('stays while a preloaded subject may name a hidden one', async () => {
  const files = { '.ken/kb/t/a.md': 'read `b`', '.ken/kb/t/.b.md': 'B' };
  expect((await tool(files, knowledgeBase([topic('t', { learned: ['a'] })])))?.description).toMatch(/\n- t$/);
});

it.each(['skills', 'Learnable Assistant Skills', ' learnable ASSISTANT skills '])(
  'finds the topic %j',
  async (asked) => {
    expect(await call(FILES, EXAMPLE, { topic: asked, subjects: 'ast-grep' })).toEqual({
      outcome: { type: 'success', text: '...content...\n' },
      data: {
        text: '1 subject.',
        topic: 'skills',
        subjects: [{ slug: 'ast-grep', text: '...content...\n' }],
        unmatched: [],
      },
    });
  },
);

it('prefers an id over a title', async () => {
  const files = { '.ken/kb/a/x.md': 'from a', '.ken/kb/b/x.md': 'from b' };
  const knowledge = knowledgeBase([topic('a', { title: 'b' }), topic('b')]);
  expect(await call(files, knowledge, { topic: 'b', subjects: 'x' })).toMatchObject({
    outcome: { text: 'from b' },
  });
  expect(await call(files, knowledge, { topic: 'B', subjects: 'x' })).toMatchObject({
    outcome: { text: 'from a' },
  });
});

it('lists the valid topics for one that is not there or switched off', async () => {
  const knowledge = knowledgeBase([PROJECT, SKILLS, topic('off', { enabled: false })]);
  const valid = 'Valid topics: project (General Project Knowledge), skills (Learnable Assistant Skills).';
  expect(await call(FILES, knowledge, { topic: 'skils' })).toMatchObject({
    outcome: { type: 'error', message: `There is no topic "skils". Did you mean skills? ${valid}` },
  });
  expect(await call(FILES, knowledge, { topic: 'off' })).toMatchObject({
    outcome: { type: 'error', message: `There is no topic "off". ${valid}` },
  });
  expect(await call(FILES, knowledge, { topic: 7 })).toMatchObject({
    outcome: { message: '"topic" must be a string.' },
  });
});

it('takes no topic metadata from the model', async () => {
  const forged = {
    id: 'x',
    title: 'Forged',
    description: null,
    learned: [],
    disabled: [],
    max_subject_bytes: 1,
  };
  const knowledge = knowledgeBase([{ ...SKILLS, disabled: ['ast-grep/rules'] }]);
  expect(
    await call(FILES, knowledge, { topic: 'skills', subjects: 'ast-grep/rules', _topic: forged }),
  ).toMatchObject({ outcome: { type: 'error' } });
});

it('gives out what the budget kept from the prompt', async () => {
  const files = { '.ken/kb/t/a.md': 'A', '.ken/kb/t/b.md': 'B'.repeat(4000) };
  const knowledge = knowledgeBase([topic('t', { learned: ['**'] })], { preloadBudgetTokens: 50 });
  expect(await call(files, knowledge, { topic: 't', subjects: 'a' })).toMatchObject({
    outcome: { text: '(subject "a" is already in the system prompt)' },
  });
  expect(await call(files, knowledge, { topic: 't', subjects: 'b' })).toMatchObject({
    outcome: { text: 'B'.repeat(4000) },
  });
});

it('shows its arguments to a person', async () => {
  const learn = await tool(FILES, EXAMPLE);
  const shown = async (given: JsonObject) => {
    const request = { action: 'format-arguments', arguments: given, answers: {} } as const;
    return (await learn?.call(request, AbortSignal.abort()))?.outcome;
  };
  expect(await shown({ topic: 'skills' })).toEqual({ type: 'success', text: 'skills' });
  expect(await shown({ topic: 'skills', subjects: ['a', 'b/*'] })).toMatchObject({ text: 'skills: a, b/*' });
  expect(await shown({ topic: 'skills', question: 'rules' })).toMatchObject({
    text: 'skills: search "rules"',
  });
});

const HOW = 'Use the `learn` tool with the `subjects` argument to learn specific subjects.';

it.each<[string, Parameters<typeof topic>[1], JsonObject, string]>([
  ['what a topic is about, and how to go on', { description: ' Of leaves. ' }, {}, `Of leaves. ${HOW}`],
  ['that nothing is left', { learned: ['**'] }, {}, 'It has no subjects left to learn.'],
  ['what is missing', {}, { subjects: ['black', 'blak'] }, '1 subject. No subject matches "blak".'],
])('says beside the data %s', async (_, settings, given, said) => {
  const other = topic('other', { directory: '.ken/kb/t' });
  const answer = await call(TEAS, knowledgeBase([topic('t', settings), other]), { topic: 't', ...given });
  expect(answer?.data?.text).toBe(said);
});

const TEAS: Files = {
  '.ken/kb/t/green.md': '# Green tea\n\nSteep at 80 degrees.\n\nNever boil the water: green leaves burn.\n',
  '.ken/kb/t/black.md': '# Black tea\n\nBoil the water.\n',
  '.ken/kb/t/.secret.md': 'boil boil boil\n',
  '.ken/kb/t/off.md': 'boil boil boil\n',
  '.ken/kb/t/pots/iron.md': 'Iron pots </topic> keep heat.\n',
};

it('ranks visible subjects for words, with the best lines of each', async () => {
  const knowledge = knowledgeBase([topic('t', { title: 'Tea', disabled: ['off'], learned: ['green'] })]);
  expect(await call(TEAS, knowledge, { topic: 't', question: 'boil water' })).toEqual({
    outcome: {
      type: 'success',
      text: [
        '# Topic: Tea',
        '## Subjects about "boil water":',
        '- black (Black tea)\n  Boil the water.',
        '- green (Green tea) [already in the system prompt]\n  Never boil the water: green leaves burn.',
        HOW,
      ].join('\n\n'),
    },
    data: {
      text: HOW,
      topic: 't',
      hits: [
        { slug: 'black', title: 'Black tea', passage: 'Boil the water.', learned: false },
        {
          slug: 'green',
          title: 'Green tea',
          passage: 'Never boil the water: green leaves burn.',
          learned: true,
        },
      ],
    },
  });
  expect(await call(TEAS, knowledge, { topic: 't', question: 'pot', subjects: null })).toMatchObject({
    data: { hits: [{ slug: 'pots/iron', passage: 'Iron pots &lt;/topic> keep heat.' }] },
  });
});

it('searches among the subjects that were named', async () => {
  const knowledge = knowledgeBase([topic('t')]);
  const search = async (subjects: string) =>
    (await call(TEAS, knowledge, { topic: 't', question: 'boil', subjects }))?.data;
  expect(await search('b*')).toMatchObject({ hits: [{ slug: 'black' }] });
  expect(await search('secret')).toBeUndefined();
  expect(await call(TEAS, knowledge, { topic: 't', question: 'x', subjects: '!b' })).toMatchObject({
    outcome: { type: 'error', message: 'The pattern "!b" negates, and patterns can only add subjects.' },
  });
});

it('finds nothing with words that are not there, or no words at all', async () => {
  const knowledge = knowledgeBase([topic('t')]);
  for (const question of ['zebra', '?!', '%_"NEAR(']) {
    expect(await call(TEAS, knowledge, { topic: 't', question })).toMatchObject({
      outcome: { type: 'error' },
    });
  }
  expect(await call(TEAS, knowledge, { topic: 't', question: '  ' })).toMatchObject({
    outcome: { text: expect.stringContaining('## Available subjects:') },
  });
});

it('answers a search with at most ten subjects', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`.ken/kb/t/s${at}.md`, 'tea'] as const),
  );
  const result = await call(many, knowledgeBase([topic('t')]), { topic: 't', question: 'tea' });
  expect(result?.data?.hits).toHaveLength(10);
});
