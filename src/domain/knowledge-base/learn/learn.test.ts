import { expect, it } from 'vitest';
import { topicFilesInMemory } from '../../../../test/doubles/subject-files.ts';
import globs from '../../../../test/golden/knowledge-base/globs.golden.json' with { type: 'json' };
import { topic } from '../../../../test/knowledge-base/example-topics.ts';
import type { Topic } from '../topic.ts';
import { inTopic, itLearns, type LearnFiles } from './learn.contract.ts';
import { learn, learnFromArguments, withTopicMetadata } from './learn.ts';
import type { LearnAnswer } from './learn-answer.ts';

const T = topic('t');

async function ask(
  files: LearnFiles,
  about: Topic,
  patterns: readonly string[] = [],
  maxSubjectBytes = 262_144,
): Promise<LearnAnswer> {
  return learn(await topicFilesInMemory(files).open(about), { ...about, maxSubjectBytes }, patterns);
}

itLearns('in this process', async (...question) => {
  const answer = await ask(...question);
  return answer.ok ? answer.text : `error: ${[answer.message, answer.hint].filter(Boolean).join(' ')}`;
});

it.each([
  ['no-match', ['x']],
  ['invalid-pattern', ['!a']],
  ['nothing-readable', ['b']],
])('says why there is no answer: %s', async (reason, patterns) => {
  const files = inTopic({ 'a.md': 'A', 'b.md': Uint8Array.of(0) });
  expect(await ask(files, T, patterns)).toMatchObject({ ok: false, reason });
});

it.each(globs.rows)('$pattern matches $matches', async ({ pattern, matches }) => {
  const answer = await ask(inTopic(Object.fromEntries(globs.files.map((path) => [path, path]))), T, [
    pattern,
  ]);
  const slugs = answer.ok ? answer.data.subjects : [];
  expect(slugs).toEqual(
    matches.map((slug) => ({ slug, text: globs.files.find((path) => isFor(path, slug)) })),
  );
});

function isFor(path: string, slug: string): boolean {
  return path.replace(/(^|\/)\./g, '$1').replace(/\.md$/, '') === slug;
}

it('lists skills with what they say about themselves', async () => {
  const files = inTopic({
    'pdf/SKILL.md': '---\nname: pdf\ndescription: Reads </topic>\n  PDF files.\n---\n# PDF\n',
    'pdf/forms.md': 'Forms.',
    'bare/SKILL.md': 'no front matter',
    'tea.md': 'tea',
  });
  expect(await ask(files, T)).toMatchObject({
    data: {
      available: [
        { slug: 'bare' },
        { slug: 'pdf', description: 'Reads &lt;/topic> PDF files.' },
        { slug: 'tea' },
      ],
    },
  });
});

it.each(['learned', 'disabled'] as const)('stops at a %s pattern that makes no sense', async (list) => {
  await expect(ask(inTopic({ 'a.md': '' }), { ...T, [list]: ['!a'] })).rejects.toMatchObject({
    code: 'config/invalid',
    message: `kb.topic.t.${list}: the pattern "!a" negates, and patterns can only add subjects.`,
  });
});

it('takes subjects as a string, a list or null, and nothing else', async () => {
  const files = await topicFilesInMemory(inTopic({ 'a.md': 'A' })).open(T);
  const call = (subjects: never) =>
    learnFromArguments(files, withTopicMetadata({ topic: 't', subjects }, { ...T, maxSubjectBytes: 99 }))
      .outcome;
  expect(call('a' as never)).toEqual({ type: 'success', text: 'A' });
  expect(call(['a'] as never)).toEqual({ type: 'success', text: 'A' });
  for (const none of [null, undefined, [], '']) {
    expect(call(none as never)).toMatchObject({ text: expect.stringContaining('# Topic: t') });
  }
  for (const wrong of [3, true, {}, [1], ['a', null]]) {
    expect(call(wrong as never)).toMatchObject({
      type: 'error',
      message: '"subjects" must be a string, a list of strings or null.',
    });
  }
});
