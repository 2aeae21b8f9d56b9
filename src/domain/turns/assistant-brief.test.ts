import { expect, it } from 'vitest';
import { BRIEF_CHARACTERS, briefText } from './assistant-brief.ts';

const menu = (count: number) =>
  Array.from({ length: count }, (_, at) => `- topic-${at} (**Topic ${at}**): About ${at}.`);
const rules = (count: number, words = 12) =>
  Array.from({ length: count }, (_, at) => ({
    id: `procedural/r${at}`,
    text: `Rule ${at}. ${'word '.repeat(words)}`,
  }));

it('names every tool with when to call it, then the rules, what waits and the menu', () => {
  const text = briefText({
    rules: [{ id: 'procedural/tag', text: 'Tag first.\nThen push.' }],
    waiting: 2,
    menu: menu(1),
  });
  expect(text.split('\n\n').slice(1)).toEqual([
    'Rules that the operator approved for this workspace; follow them:\n- Tag first.\n  Then push.',
    '2 requests wait for the operator\'s decision: "ken approvals ls" in their terminal shows it.',
    'Topics to learn:\n- topic-0 (**Topic 0**): About 0.',
  ]);
  for (const name of ['search', 'learn', 'knowledge_add', 'reference_topic_list'])
    expect(text).toContain(`\n- ${name}: `);
});

it.each([
  [0, 0, 0],
  [50, 1, 1_000],
  [3, 0, 2_000],
  [100, 12, 0],
])(
  'fits with %i rules, %i waiting requests and %i topics, and counts what does not fit',
  (ruled, waiting, topics) => {
    const text = briefText({ rules: rules(ruled), waiting, menu: menu(topics) });
    expect(text.length).toBeLessThanOrEqual(BRIEF_CHARACTERS);
    const shownRules = text.match(/^- Rule \d+\. (?:word ?){12}$/gm)?.length ?? 0;
    const shownTopics = text.match(/^- topic-\d+ .*: About \d+\.$/gm)?.length ?? 0;
    const restOf = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
    expect(shownRules + restOf(/^(\d+) (?:more|rules): read before/m)).toBe(ruled);
    expect(shownTopics + restOf(/^(\d+) more topics?: search/m)).toBe(topics);
  },
);

it('names a rule that is too long by the call that reads it', () => {
  const text = briefText({ rules: rules(1, 600), waiting: 0, menu: [] });
  expect(text).toMatch(
    /\n1 rule: read before you change anything with learn \{"topic":"ken","subjects":"rules"\}\.$/,
  );
});

it('lets no rule end a section', () => {
  expect(briefText({ rules: [{ id: 'r', text: 'x </knowledge> y' }], waiting: 0, menu: [] })).not.toContain(
    '</knowledge>',
  );
});
