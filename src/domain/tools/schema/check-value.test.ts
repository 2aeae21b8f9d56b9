import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Json, JsonObject } from '../../../base/json.ts';
import { checkValue } from './check-value.ts';
import { problemText } from './problem.ts';

function problems(schema: JsonObject, value: Json): string[] {
  return checkValue(schema, value).map(problemText);
}

const file: JsonObject = {
  type: 'object',
  properties: { path: { type: 'string' }, depth: { type: 'integer' } },
  required: ['path'],
  additionalProperties: false,
};
const tree: JsonObject = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      required: ['name'],
    },
  },
};

it.each<[string, JsonObject, Json, string[]]>([
  ['anything', {}, [1, { a: null }], []],
  ['a text', { type: 'string' }, 3, ['must be a text, not the number 3']],
  ['a number', { type: 'number' }, '3', ['must be a number, not the text "3"']],
  ['a whole number', { type: 'integer' }, 1.5, ['must be a whole number, not the number 1.5']],
  ['a whole number written with a point', { type: 'integer' }, 2.0, []],
  ['one of several types', { type: ['string', 'null'] }, null, []],
  [
    'none of several types',
    { type: ['string', 'array', 'null'] },
    true,
    ['must be a text, a list or null, not true'],
  ],
  ['null where it is allowed besides', { type: 'string', nullable: true }, null, []],
  ['a type that nobody knows', { type: 'file' }, 3, []],
  ['an object', { type: 'object' }, [], ['must be an object, not an empty list']],
  ['a list', { type: 'array' }, {}, ['must be a list, not an object']],
  ['nothing at all', { properties: { a: false } }, { a: 1 }, ['a: is not allowed']],

  ['what is missing', file, {}, ['path: is required (string)']],
  ['a slip of the hand', file, { path: 'a', dept: 3 }, ['dept: is not known here. Did you mean depth?']],
  ['a stray name', file, { path: 'a', colour: 3 }, ['colour: is not known here. There is path or depth.']],
  [
    'a name where none is allowed',
    { additionalProperties: false },
    { a: 1 },
    ['a: is not known here. Nothing may be given.'],
  ],
  [
    'what objects inherit',
    file,
    { path: 'a', constructor: 1 },
    ['constructor: is not known here. There is path or depth.'],
  ],
  ['a required name that objects inherit', { required: ['toString'] }, {}, ['toString: is required']],
  [
    'other members by schema',
    { additionalProperties: { type: 'number' } },
    { a: 1, b: 'x' },
    ['b: must be a number, not the text "x"'],
  ],
  [
    'members by pattern',
    { patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
    { 'x-a': 1, 'x-b': '' },
    ['x-b: must be a number, not the text ""'],
  ],
  ['too few members', { minProperties: 1 }, {}, ['must have at least 1 members, not 0']],
  ['too many members', { maxProperties: 0 }, { a: 1 }, ['must have at most 0 members, not 1']],

  ['elements', { items: { type: 'string' } }, ['a', 2], ['[1]: must be a text, not the number 2']],
  [
    'elements by place',
    { prefixItems: [{ type: 'string' }], items: false },
    ['a', 2],
    ['[1]: is not allowed'],
  ],
  [
    'elements by place, as older schemas say it',
    { items: [{ type: 'string' }], additionalItems: false },
    [1, 2],
    ['[0]: must be a text, not the number 1', '[1]: is not allowed'],
  ],
  ['an empty list', { minItems: 1 }, [], ['must not be empty']],
  ['a long list', { maxItems: 1 }, [1, 2], ['must have at most 1 elements, not 2']],
  [
    'the same twice',
    { uniqueItems: true },
    [{ a: 1, b: 2 }, 1, { b: 2, a: 1 }],
    ['must not hold the same twice: elements 0 and 2 are equal'],
  ],

  ['a choice', { enum: ['red', 'green', 3] }, 3, []],
  [
    'no choice',
    { enum: ['red', 'green'] },
    'gren',
    ['must be "red" or "green", not "gren". Did you mean green?'],
  ],
  ['a choice of objects', { enum: [{ a: 1, b: [2] }] }, { b: [2], a: 1 }, []],
  ['a constant', { const: 'x' }, 'y', ['must be "x"']],
  ['null as a constant', { const: null }, 0, ['must be null']],

  ['small numbers', { minimum: 1, exclusiveMinimum: 1 }, 1, ['must be above 1, not 1']],
  [
    'large numbers',
    { maximum: 3, exclusiveMaximum: 4 },
    5,
    ['must be at most 3, not 5', 'must be below 4, not 5'],
  ],
  ['multiples', { multipleOf: 0.1 }, 0.3, []],
  ['no multiples', { multipleOf: 2 }, 3, ['must be a multiple of 2, not 3']],
  ['short texts', { minLength: 1 }, '', ['must not be empty']],
  ['long texts, by characters', { maxLength: 2 }, '👍👍👍', ['must have at most 2 characters, not 3']],
  ['long texts that are short', { maxLength: 3 }, '👍👍👍', []],
  ['patterns', { pattern: '^[a-z]+$' }, 'Abc', ['must match the pattern "^[a-z]+$"']],
  ['patterns anywhere in the text', { pattern: 'b' }, 'abc', []],
  ['patterns that are none', { pattern: '(' }, 'abc', []],
  ['patterns that could take for ever', { pattern: '^(a+)+$' }, `${'a'.repeat(50)}b`, []],

  [
    'all of',
    { allOf: [{ minimum: 3 }, { maximum: 1 }] },
    2,
    ['must be at least 3, not 2', 'must be at most 1, not 2'],
  ],
  [
    'any of',
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    3,
    ['must be a text or null, not the number 3'],
  ],
  [
    'any of: the form that was meant',
    { anyOf: [{ type: 'string' }, file] },
    { pth: 'a' },
    ['path: is required (string)', 'pth: is not known here. Did you mean path or depth?'],
  ],
  [
    'one of',
    { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
    3,
    ['must fit exactly one of its 2 forms, but fits 2'],
  ],
  ['one of, fitting', { oneOf: [{ minimum: 1 }, { minimum: 5 }] }, 3, []],
  ['not', { not: { type: 'string' } }, 'a', ['has a form that is not allowed']],

  [
    'references',
    tree,
    { name: 'a', children: [{ name: 'b', children: [{}] }] },
    ['children[0].children[0].name: is required (string)'],
  ],
  ['references to elsewhere', { $ref: 'https://example.com/schema.json' }, 3, []],
  ['references to nowhere', { $ref: '#/$defs/none' }, 3, []],
  [
    'odd names in the path',
    { additionalProperties: { items: { type: 'string' } } },
    { 'a b': [1] },
    ['["a b"][0]: must be a text, not the number 1'],
  ],
])('checks %s', (_, schema, value, expected) => {
  expect(problems(schema, value)).toEqual(expected);
});

it.each<[string, JsonObject]>([
  ['itself', { $ref: '#' }],
  ['itself twice', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }],
  ['itself through a list', { allOf: [{ $ref: '#/allOf/0' }] }],
])('gives up on a schema that refers to %s', (_, schema) => {
  expect(problems(schema, 1)).toContain('is too involved to be checked');
});

it('keeps messages short, whatever the value', () => {
  const [text = ''] = problems({ type: 'number' }, 'x'.repeat(1_000_000));
  expect(text.length).toBeLessThan(200);
  const [choice = ''] = problems(
    { enum: Array.from({ length: 1000 }, (__, index) => `choice-${index}`) },
    'x',
  );
  expect(choice.length).toBeLessThan(600);
});

const plainText = fc.string({ maxLength: 6, unit: fc.constantFrom('a', 'b', 'c', '-') });
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -9, max: 9 }),
  fc.double({ min: -9, max: 9, noNaN: true }),
  plainText,
);
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(plainText, tie('value'), { maxKeys: 3 }),
  ),
}));
const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<JsonObject>(
      {},
      { type: 'string' },
      { type: 'integer' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'null' },
    ),
    fc.record({ type: fc.constant('string'), minLength: fc.nat(3), maxLength: fc.nat(6) }),
    fc.record({
      type: fc.constant('number'),
      minimum: fc.integer({ min: -9, max: 9 }),
      exclusiveMaximum: fc.integer({ min: -9, max: 9 }),
    }),
    fc.record({ type: fc.constant(['string', 'integer', 'null']) }),
    fc.record({
      enum: fc.array(fc.oneof(fc.boolean(), fc.integer({ min: -9, max: 9 }), plainText), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    fc.record({ const: fc.oneof(fc.boolean(), plainText) }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2), maxItems: fc.nat(3) }),
    fc
      .record({
        type: fc.constant('object'),
        properties: fc.dictionary(plainText, tie('schema'), { maxKeys: 3 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      })
      // The other implementation knows required members only where they are described too.
      .map((schema) => ({ ...schema, required: Object.keys(schema.properties).slice(1) })),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
  ),
}));

it('agrees with an independent implementation', () => {
  fc.assert(
    fc.property(anySchema, anyValue, (schema, value) => {
      const expected = z.fromJSONSchema(schema).safeParse(value).success;
      expect({ schema, value, fits: problems(schema, value).length === 0 }).toEqual({
        schema,
        value,
        fits: expected,
      });
    }),
    { numRuns: 2000 },
  );
});

it('survives any schema and any value', () => {
  const keyword = fc.constantFrom(
    'type',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'enum',
    'const',
    'minimum',
    'pattern',
    'anyOf',
    'oneOf',
    'allOf',
    'not',
    '$ref',
    'prefixItems',
    'patternProperties',
    'uniqueItems',
    'nullable',
    '__proto__',
  );
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
  const { wild } = fc.letrec<{ wild: Json }>((tie) => ({
    wild: fc.oneof(
      { depthSize: 'small' },
      json,
      fc.dictionary(keyword, tie('wild')),
      fc.array(tie('wild'), { maxLength: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(keyword, wild), json, (schema, value) => {
      expect(problems(schema, value)).toBeInstanceOf(Array);
    }),
    { numRuns: 500 },
  );
});
