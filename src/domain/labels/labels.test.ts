import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeLabels, formatLabel, type LabelChange, labelChanges } from './label.ts';
import {
  formatLabelDirective,
  type LabelDirective,
  parseLabelDirective,
  pasteableDirectives,
} from './label-directive.ts';
import { isLabelKey } from './label-value.ts';

const key = fc.stringMatching(/^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,8}[A-Za-z0-9_])?$/);
const oneLine = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', ' ', '=', "'", '\t', '\u202e', '\x1b') }),
  )
  .map((text) => text.replace(/[\n\r\v\f\u0085\u2028\u2029]/g, ''));
const set = fc.record({ kind: fc.constant('set' as const), key, value: oneLine });
const remove = fc.record({ kind: fc.constant('remove' as const), key });
const alias = fc.record({ kind: fc.constant('alias' as const), name: key });
const directive: fc.Arbitrary<LabelDirective> = fc.oneof(set, remove, alias);
const labels = fc.array(fc.tuple(key, oneLine)).map((pairs) => new Map(pairs));

it.each<[string, LabelDirective]>([
  ['team=platform', { kind: 'set', key: 'team', value: 'platform' }],
  ['wip', { kind: 'set', key: 'wip', value: '' }],
  ['wip=', { kind: 'set', key: 'wip', value: '' }],
  ['url=http://a?b=c', { kind: 'set', key: 'url', value: 'http://a?b=c' }],
  ['branch=feat, exploration', { kind: 'set', key: 'branch', value: 'feat, exploration' }],
  ['branch="a,b"', { kind: 'set', key: 'branch', value: 'a,b' }],
  ['say="\\"hi\\" \\\\ \\u{1B}[0m"', { kind: 'set', key: 'say', value: '"hi" \\ \x1b[0m' }],
  ['path=C:\\x', { kind: 'set', key: 'path', value: 'C:\\x' }],
  [':branch', { kind: 'alias', name: 'branch' }],
  ['wip-', { kind: 'remove', key: 'wip' }],
  ['a-b-', { kind: 'remove', key: 'a-b' }],
  ['k=v-', { kind: 'set', key: 'k', value: 'v-' }],
  ['constructor=x', { kind: 'set', key: 'constructor', value: 'x' }],
])('reads %j', (text, expected) => {
  expect(parseLabelDirective(text)).toEqual(expected);
});

it.each([
  ['', '"" is not a label key.'],
  ['=x', '"" is not a label key.'],
  ['a b=c', '"a b" is not a label key.'],
  ['_a', '"_a" is not a label key.'],
  ['a-=b', '"a-" is not a label key.'],
  ['a--', '"a--" is not a label key.'],
  ['-', '"-" is not a label key.'],
  ['team.platform=x', '"team.platform" is not a label key.'],
  ['é', '"é" is not a label key.'],
  [':', '"" is not a label key.'],
  ['a\x1b[2Jb', '"a\\u{1B}[2Jb" is not a label key.'],
  ['a\n=b', '"a\\u{A}" is not a label key.'],
  ['k=a\nb', 'A label value is one line of text; this one has several.'],
  ['k="a\\u{A}b"', 'A label value is one line of text; this one has several.'],
  ['k="a', 'A quoted label value is not closed.'],
  ['k="a"b', '"\\"a\\"b" goes on after its closing quote.'],
  ['k="\\n"', 'A quoted label value has a "\\" that means nothing.'],
  ['k="\\u{110000}"', 'A quoted label value has a "\\" that means nothing.'],
  [`${'x'.repeat(100)}!`, `"${'x'.repeat(60)}"… is not a label key.`],
])('refuses %j', (text, message) => {
  expect(() => parseLabelDirective(text)).toThrow(
    expect.objectContaining({ code: 'labels/invalid', message }),
  );
});

it('reads back every directive it writes', () => {
  fc.assert(
    fc.property(directive, (given) => {
      expect(parseLabelDirective(formatLabelDirective(given))).toEqual(given);
    }),
  );
});

it('writes nothing that a terminal would obey or hide', () => {
  fc.assert(
    fc.property(key, oneLine, (name, value) => {
      expect(formatLabel(name, value)).not.toMatch(
        /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u,
      );
    }),
  );
});

it('answers or refuses any text, and never anything else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      try {
        const read = parseLabelDirective(text);
        expect(parseLabelDirective(formatLabelDirective(read))).toEqual(read);
      } catch (error) {
        expect(error).toMatchObject({ code: 'labels/invalid' });
      }
    }),
  );
});

it('reads a very long value without delay', () => {
  const value = '\\"'.repeat(200_000);
  expect(parseLabelDirective(`k="${value}"`)).toEqual({ kind: 'set', key: 'k', value: '"'.repeat(200_000) });
  expect(isLabelKey(`${'-'.repeat(200_000)}!`)).toBe(false);
});

it('lets the last value win and keeps keys in order', () => {
  const changes: LabelChange[] = [
    { kind: 'set', key: 'branch', value: 'main' },
    { kind: 'set', key: 'wip', value: '' },
    { kind: 'set', key: 'branch', value: 'feat' },
    { kind: 'remove', key: 'team' },
    { kind: 'remove', key: 'nothing' },
  ];
  expect([...changeLabels(new Map([['team', 'a']]), changes)]).toEqual([
    ['branch', 'feat'],
    ['wip', ''],
  ]);
});

it('leaves out what stays as it is', () => {
  const before = new Map([
    ['a', '1'],
    ['b', ''],
    ['c', '2'],
  ]);
  const after = new Map([
    ['c', '3'],
    ['a', '1'],
  ]);
  expect(labelChanges(before, after)).toEqual([
    { kind: 'remove', key: 'b' },
    { kind: 'set', key: 'c', value: '3' },
  ]);
});

it('finds the changes that lead from one set to another', () => {
  fc.assert(
    fc.property(labels, labels, (before, after) => {
      const changes = labelChanges(before, after);
      expect(changeLabels(before, changes)).toEqual(changeLabels(after, []));
      expect(new Set(changes.map((change) => change.key)).size).toBe(changes.length);
    }),
  );
});

it('quotes for a shell what it could take for something else', () => {
  expect(
    pasteableDirectives([
      { kind: 'set', key: 'branch', value: 'feat/x' },
      { kind: 'set', key: 'say', value: `it's "a, b"` },
      { kind: 'set', key: 'cost', value: '$HOME' },
      { kind: 'remove', key: 'wip' },
      { kind: 'alias', name: 'host' },
    ]),
  ).toBe(`branch=feat/x 'say="it'\\''s \\"a, b\\""' 'cost=$HOME' wip- :host`);
});
