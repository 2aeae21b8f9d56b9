import { expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { checkArguments } from './check-arguments.ts';
import { type ParameterDefinition, parametersSchema } from './parameters.ts';
import { acceptSchema } from './server-tool.ts';

const OWNER = 'conversation.tools.find.parameters';
const find = {
  name: 'find',
  parameters: parametersSchema(OWNER, {
    pattern: { type: 'string', description: 'What to look for.', required: true },
    kind: { type: 'string', enum: ['file', 'directory'], default: 'file' },
    depth: { type: ['integer', 'null'] },
    below: { type: 'array', items: { type: 'string' }, default: ['.'] },
    other: {},
  }),
};

it('makes a JSON Schema of parameters', () => {
  expect(find.parameters).toEqual({
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'What to look for.' },
      kind: { type: 'string', enum: ['file', 'directory'], default: 'file' },
      depth: { type: ['integer', 'null'] },
      below: { type: 'array', items: { type: 'string' }, default: ['.'] },
      other: {},
    },
    required: ['pattern'],
    additionalProperties: false,
  });
});

it('makes a JSON Schema of no parameters', () => {
  expect(parametersSchema(OWNER, {})).toEqual({
    type: 'object',
    properties: {},
    additionalProperties: false,
  });
});

it.each<[string, ParameterDefinition, string]>([
  [
    'an unknown type',
    { type: 'strnig' },
    'x.type must be array, boolean, integer, null, number, object or string, or a list of them.',
  ],
  [
    'no type',
    { type: [] },
    'x.type must be array, boolean, integer, null, number, object or string, or a list of them.',
  ],
  [
    'an unknown type of elements',
    { items: { type: 'path' } },
    'x.items.type must be array, boolean, integer, null, number, object or string, or a list of them.',
  ],
  [
    'elements that are no schema',
    { items: 'string' },
    'x.items must be a JSON Schema, like { type = "string" }.',
  ],
  ['no choice', { enum: [] }, 'x.enum names no value.'],
  [
    'a default of the wrong type',
    { type: 'integer', default: 'many' },
    'x.default must be a whole number, not the text "many".',
  ],
  [
    'a default that is no choice',
    { enum: ['a', 'b'], default: 'c' },
    'x.default must be "a" or "b", not "c".',
  ],
])('refuses %s', (_, definition, message) => {
  expect(() => parametersSchema('p', { x: definition })).toThrow(
    expect.objectContaining({ code: 'config/invalid', message: `p.${message}` }),
  );
});

it('fills in what is missing, and changes nothing that is there', () => {
  expect(checkArguments(find, { kind: 'directory', pattern: 'a' })).toEqual({
    fits: true,
    arguments: { kind: 'directory', pattern: 'a', below: ['.'] },
  });
});

it('says all that is wrong at once', () => {
  expect(checkArguments(find, { patern: 'a', kind: 'dir', depth: '3', below: ['a', 1] })).toEqual({
    fits: false,
    message: [
      'The arguments of "find" do not fit its parameters:',
      '- pattern: is required (string)',
      '- patern: is not known here. Did you mean pattern?',
      '- kind: must be "file" or "directory", not "dir"',
      '- depth: must be a whole number or null, not the text "3"',
      '- below[1]: must be a text, not the number 1',
    ].join('\n'),
  });
});

it('says the first ten problems of many', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`name-${index}`, 1]));
  const result = checkArguments({ name: 'none', parameters: parametersSchema('p', {}) }, many);
  expect(result.fits).toBe(false);
  expect(!result.fits && result.message.split('\n').slice(-2)).toEqual([
    '- name-9: is not known here. Nothing may be given.',
    '- and 20 more',
  ]);
});

it.each<[string, Json, string]>([
  ['a list', ['a'], 'must be one object, not a list of 1'],
  ['a text', '{"pattern":"a"}', 'must be one object, not the text "{\\"pattern\\":\\"a\\"}"'],
  ['nothing', null, 'must be one object, not null'],
])('refuses %s for arguments', (_, given, problem) => {
  expect(checkArguments(find, given)).toEqual({
    fits: false,
    message: `The arguments of "find" do not fit its parameters:\n- ${problem}`,
  });
});

it('refuses arguments that no recursion could follow', () => {
  const deep = JSON.parse(`{"other":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  expect(checkArguments(find, deep)).toMatchObject({ fits: false });
});

it('takes a name that objects have of their own', () => {
  const parameters = parametersSchema('p', { ['__proto__']: { type: 'string', required: true } });
  expect(checkArguments({ name: 'x', parameters }, {})).toMatchObject({ fits: false });
  expect(checkArguments({ name: 'x', parameters }, JSON.parse('{"__proto__":"a"}'))).toMatchObject({
    fits: true,
  });
});

it('fills in defaults at any depth, through references', () => {
  const parameters = {
    type: 'object',
    properties: { options: { $ref: '#/$defs/options' }, list: { items: { $ref: '#/$defs/options' } } },
    $defs: { options: { type: 'object', properties: { depth: { type: 'integer', default: 3 } } } },
  };
  expect(checkArguments({ name: 'x', parameters }, { options: {}, list: [{}, { depth: 1 }] })).toEqual({
    fits: true,
    arguments: { options: { depth: 3 }, list: [{ depth: 3 }, { depth: 1 }] },
  });
});

it('comes to an end with a schema that refers to itself, twice', () => {
  const parameters = { allOf: [{ $ref: '#' }, { $ref: '#' }] };
  expect(checkArguments({ name: 'x', parameters }, { a: 1 })).toMatchObject({ fits: false });
});

it.each<[string, Json, string]>([
  ['a text', 'object', 'its schema is not an object'],
  ['a list', { type: 'array' }, 'its schema does not describe an object'],
  [
    'a large one',
    { type: 'object', description: 'x'.repeat(200_000) },
    'its schema is larger than 131072 bytes',
  ],
  [
    'a deep one',
    JSON.parse(`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`),
    'its schema is nested more than 64 levels deep',
  ],
])("refuses %s for a stranger's schema", (_, sent, refused) => {
  expect(acceptSchema(sent)).toEqual({ refused });
});

it("takes a stranger's schema, also one that forgot to say that it describes an object", () => {
  const schema = { properties: { a: { type: 'string' } }, 'x-vendor': true };
  expect(acceptSchema(schema)).toEqual({ schema: { ...schema, type: 'object' } });
});
