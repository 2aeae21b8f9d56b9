import { expect, it } from 'vitest';
import { optionShape } from './option-shape.ts';

it.each([
  ['--json', { name: 'json', letter: undefined, value: 'none' }],
  ['-q, --quiet', { name: 'quiet', letter: 'q', value: 'none' }],
  ['--no-color', { name: 'no-color', letter: undefined, value: 'none' }],
  ['-k, --knowledge <topic/glob>', { name: 'knowledge', letter: 'k', value: 'required' }],
  ['--since [date]', { name: 'since', letter: undefined, value: 'optional' }],
])('takes %j apart', (flags, shape) => {
  const spec = { flags, summary: '' };
  expect(optionShape(spec)).toEqual({ ...shape, spec });
});

it.each(['', '-q', '--Json', '--a <b', '-q --quiet', '--limit <n> more'])('refuses %j', (flags) => {
  expect(() => optionShape({ flags, summary: '' })).toThrow(`These flags cannot be read: ${flags}`);
});
