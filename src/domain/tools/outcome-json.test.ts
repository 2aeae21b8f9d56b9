import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Json, parseJson } from '../../base/json.ts';
import { outcomeFromJson, outcomeToJson } from './outcome-json.ts';
import { failure, success, type ToolOutcome, type ToolQuestion } from './tool.ts';

const text = fc.string({ unit: 'grapheme' });
const question: fc.Arbitrary<ToolQuestion> = fc.record(
  {
    id: text,
    text,
    answerType: fc.oneof(
      fc.constantFrom('boolean', 'text'),
      fc.record({ select: fc.record({ options: fc.array(text, { minLength: 1 }) }) }),
    ),
    default: fc.json().map((json): Json => JSON.parse(json)),
  },
  { requiredKeys: ['id', 'text', 'answerType'] },
);
const outcomes: fc.Arbitrary<ToolOutcome> = fc.oneof(
  text.map(success),
  fc.record({ type: fc.constant('error'), message: text, trace: fc.array(text), transient: fc.boolean() }),
  fc.record({ type: fc.constant('needs-input'), question }),
);

it('reads what was written', () => {
  fc.assert(
    fc.property(outcomes, (outcome) => {
      expect(outcomeFromJson(parseJson(JSON.stringify(outcomeToJson(outcome))))).toEqual(outcome);
    }),
  );
});

it('writes kebab-case names', () => {
  const asked: ToolQuestion = {
    id: 'q',
    text: 'Sure?',
    answerType: { select: { options: ['a'] } },
    default: 'a',
  };
  expect(outcomeToJson({ type: 'needs-input', question: asked })).toEqual({
    type: 'needs-input',
    question: { id: 'q', text: 'Sure?', 'answer-type': { select: { options: ['a'] } }, default: 'a' },
  });
});

const yes: ToolOutcome = { type: 'needs-input', question: { id: 'q', text: 'Sure?', answerType: 'boolean' } };

it.each<[string, ToolOutcome | undefined]>([
  ['{"type":"success","content":"done"}', success('done')],
  ['{"type":"success","content":"done","seconds":3}', success('done')],
  ['{"type":"error","message":"no"}', failure('no')],
  [
    '{"type":"error","message":"no","trace":["a"],"transient":true}',
    { ...failure('no', ['a']), transient: true } as ToolOutcome,
  ],
  ['{"type":"needs_input","question":{"id":"q","text":"Sure?","answer_type":"Boolean"}}', yes],
  ['{"type":"needs-input","question":{"id":"q","text":"Sure?","answer-type":"boolean"}}', yes],
  [
    '{"type":"needs_input","question":{"id":"q","text":"Sure?","pre_amble":"x","answer_type":"Boolean","default":null}}',
    { type: 'needs-input', question: { id: 'q', text: 'Sure?', answerType: 'boolean', default: null } },
  ],
  ['{"type":"success","content":"half \\ud83d"}', success('half \ufffd')],
  ['{"type":"success"}', undefined],
  ['{"type":"success","content":3}', undefined],
  ['{"type":"error","error":{"message":"overloaded"}}', undefined],
  ['{"type":"error","message":"no","trace":"a"}', undefined],
  ['{"type":"error","message":"no","transient":"yes"}', undefined],
  ['{"type":"needs-input","question":{"id":"q","text":"Sure?"}}', undefined],
  ['{"type":"needs-input","question":{"id":"q","text":"Sure?","answer-type":"number"}}', undefined],
  ['{"type":"other","content":"done"}', undefined],
  ['["success"]', undefined],
  ['"success"', undefined],
  ['null', undefined],
])('reads %s', (json, outcome) => {
  expect(outcomeFromJson(parseJson(json))).toEqual(outcome);
});

it('does not take a default that nothing could write again', () => {
  const deep = '['.repeat(50_000) + ']'.repeat(50_000);
  const json = `{"type":"needs-input","question":{"id":"q","text":"?","answer-type":"text","default":${deep}}}`;
  expect(outcomeFromJson(parseJson(json))).toBeUndefined();
});

it('survives any JSON', () => {
  const keys = fc.constantFrom(
    'type',
    'content',
    'message',
    'trace',
    'question',
    'id',
    'text',
    'answer-type',
    'default',
  );
  const values = fc.oneof(
    fc.constantFrom('success', 'error', 'needs-input', 'boolean'),
    fc.jsonValue() as fc.Arbitrary<Json>,
  );
  fc.assert(
    fc.property(fc.dictionary(keys, fc.oneof(values, fc.dictionary(keys, values))), (value) => {
      const outcome = outcomeFromJson(value);
      if (outcome) expect(outcomeFromJson(outcomeToJson(outcome))).toEqual(outcome);
    }),
    { numRuns: 1000 },
  );
});
