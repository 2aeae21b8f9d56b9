import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson } from '../../base/json.ts';
import { answerTypeFromJson } from './outcome-json.ts';
import { answerSchema, isAnswer } from './questioner.ts';
import { checkValue } from './schema/check-value.ts';
import type { AnswerType } from './tool.ts';

const select = (...options: string[]): AnswerType => ({ select: { options } });
const answerTypes = fc.oneof(
  fc.constantFrom<AnswerType>('boolean', 'text'),
  fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }).map((options) => select(...options)),
);

it.each<[string, AnswerType | undefined]>([
  ['boolean', 'boolean'],
  ['text', 'text'],
  ['{"select":{"options":["a","b"]}}', select('a', 'b')],
  ['Boolean', 'boolean'],
  ['"Text"', 'text'],
  ['{"Select":{"options":["a"]}}', select('a')],
  ['{"select":{"options":[]}}', undefined],
  ['{"select":{"options":["a",1]}}', undefined],
  ['{"select":["a"]}', undefined],
  ['number', undefined],
  ['', undefined],
  ['{', undefined],
])('reads %s', (text, answerType) => {
  expect(answerTypeFromJson(parseJson(text) ?? text)).toEqual(answerType);
});

it('reads what was written', () => {
  fc.assert(
    fc.property(answerTypes, (answerType) => {
      expect(answerTypeFromJson(parseJson(JSON.stringify(answerType)))).toEqual(answerType);
    }),
  );
});

it('takes the answers that its schema describes, and no others', () => {
  const answers = fc.oneof(
    fc.boolean(),
    fc.string(),
    fc.constant(null),
    fc.integer(),
    fc.constantFrom('a', 'b'),
  );
  fc.assert(
    fc.property(fc.oneof(answerTypes, fc.constant(select('a', 'b'))), answers, (answerType, answer) => {
      expect(isAnswer(answerType, answer)).toBe(checkValue(answerSchema(answerType), answer).length === 0);
    }),
  );
});
