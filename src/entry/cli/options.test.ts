import { expect, it } from 'vitest';
import { optionShape, optionsFrom } from './options.ts';

const limited = (value: string) => optionsFrom([{ name: 'limit', value }]);

it('gives the last value, and all of them', () => {
  const options = optionsFrom([
    { name: 'keep', value: 'a' },
    { name: 'quiet', value: undefined },
    { name: 'keep', value: '' },
  ]);
  expect(options.text('keep')).toBe('');
  expect(options.texts('keep')).toEqual(['a', '']);
  expect([options.has('quiet'), options.text('quiet'), options.texts('quiet')]).toEqual([
    true,
    undefined,
    [],
  ]);
  expect([options.has('other'), options.text('other'), options.count('other')]).toEqual([
    false,
    undefined,
    undefined,
  ]);
});

it.each([
  ['0', 0],
  ['25', 25],
  ['999999999999999', 999_999_999_999_999],
])('reads the count %j', (value, count) => {
  expect(limited(value).count('limit')).toBe(count);
});

it.each(['', '-1', '1.5', '1e3', '٣', ' 1', '0x10', '9999999999999999'])('refuses the count %j', (value) => {
  expect(() => limited(value).count('limit')).toThrow(`--limit takes a whole number from 0, not "${value}".`);
});

it('refuses a count below the least', () => {
  expect(() => limited('0').count('limit', 1)).toThrow('--limit takes a whole number from 1, not "0".');
});

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
