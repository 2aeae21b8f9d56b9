import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonc, removeInJsonc, setInJsonc, valueInJsonc } from './edit-jsonc.ts';

const PATH = ['servers', 'ken'] as const;
const KEN = { command: 'ken', args: ['mcp'] };

describe('sets a member', () => {
  it.each<[string, string | undefined, string]>([
    [
      'in a file that is not there',
      undefined,
      '{\n  "servers": {\n    "ken": {\n      "command": "ken",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
    ],
    [
      'in an object of its own, behind a comment',
      '{\n\t"a": 1 // one\n}\n',
      '{\n\t"a": 1, // one\n\t"servers": {\n\t\t"ken": {\n\t\t\t"command": "ken",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t}\n}\n',
    ],
    [
      'behind a comma that is there already',
      '{\n  "servers": {\n    "x": {}, // last\n  },\n}',
      '{\n  "servers": {\n    "x": {}, // last\n    "ken": {\n      "command": "ken",\n      "args": [\n        "mcp"\n      ]\n    }\n  },\n}',
    ],
    [
      'on one line',
      '{"servers": {"x": {}}}',
      '{"servers": {"x": {}, "ken": {"command":"ken","args":["mcp"]}}}',
    ],
    [
      'in an empty object, with the line ends of the file',
      '{\r\n  "servers": {}\r\n}\r\n',
      '{\r\n  "servers": {\r\n    "ken": {\r\n      "command": "ken",\r\n      "args": [\r\n        "mcp"\r\n      ]\r\n    }\r\n  }\r\n}\r\n',
    ],
    [
      'in an object that holds a comment',
      '{ "servers": { /* none yet */ } }',
      '{ "servers": { /* none yet */\n  "ken": {\n    "command": "ken",\n    "args": [\n      "mcp"\n    ]\n  }\n } }',
    ],
    [
      'in place of another value',
      '\uFEFF{"servers": {"ken": {"command": "old"} /* mine */}}',
      '\uFEFF{"servers": {"ken": {\n  "command": "ken",\n  "args": [\n    "mcp"\n  ]\n} /* mine */}}',
    ],
  ])('%s', (_, before, after) => {
    expect(setInJsonc(before, PATH, KEN)).toBe(after);
    expect(setInJsonc(after, PATH, KEN)).toBe(after);
    expect(valueInJsonc(after, PATH)).toEqual(KEN);
  });
});

describe('removes a member', () => {
  it.each([
    [
      'the last',
      '{\n  "servers": {\n    "x": 1, // x\n    "ken": 2 // k\n  }\n}',
      '{\n  "servers": {\n    "x": 1 // x // k\n  }\n}',
    ],
    ['the first', '{"servers": {"ken": {}, "x": 1}}', '{"servers": { "x": 1}}'],
    ['the only', '{\n  "servers": {\n    "ken": {}\n  }\n}', '{\n  "servers": {\n  }\n}'],
    ['none', '{"servers": {"x": 1}}', '{"servers": {"x": 1}}'],
  ])('%s', (_, before, after) => {
    expect(removeInJsonc(before, PATH)).toBe(after);
  });
});

it.each([
  ['{"servers": []}', '1: "servers" is not an object.'],
  ['[]', '1: The file is not an object.'],
  ['{"a": 1,\n "b" 2}', '2:6: ":" is expected.'],
  ['{"a": 1', '1:8: "," or "}" is expected.'],
  ['{"a": tru}', '1:7: a value is expected.'],
  ['{"a": "\\q"}', '1:7: this text has what JSON does not allow in one.'],
  ['{} {}', '1:4: there is more after the value.'],
  ['{"a": /* }', '1:7: this comment has no end.'],
  ['{a: 1}', '1:2: a text in double quotes is expected.'],
  ['{"a": "b', '1:7: this text has no closing quote.'],
  ['\uFEFF{"a" 1}', '1:7: ":" is expected.'],
  ['['.repeat(1000), '1:202: this is nested too deeply.'],
  [`{"a":${'['.repeat(100_000)}`, '1:206: this is nested too deeply.'],
])('refuses %j', (text, message) => {
  expect(() => setInJsonc(text, PATH, KEN)).toThrow(message);
});

/** An object written with spaces and comments wherever they may stand. */
const trivia = fc.constantFrom('', ' ', '\n', '\r\n', '\t', ' // c\n', '/* { " */', '\n\n  ');
const scalar = fc
  .oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string())
  .map((value) => JSON.stringify(value));
const key = fc
  .oneof(fc.constantFrom('servers', 'ken', 'x', '__proto__'), fc.string())
  .map((name) => JSON.stringify(name));
const { value: jsonc } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('object')),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(trivia, key, trivia, trivia, tie('value'), trivia), {
        maxLength: 4,
        selector: ([, name]) => name,
      }),
      trivia,
      fc.boolean(),
    )
    .map(([members, inner, trailing]) => {
      const written = members.map(([a, name, b, c, value, d]) => `${a}${name}${b}:${c}${value}${d}`);
      return `{${written.join(',')}${trailing && written.length > 0 ? ',' : ''}${inner}}`;
    }),
}));

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (part[at] === character) at += 1;
  return at === part.length;
}

it('adds without touching what is there, and says what was meant', () => {
  fc.assert(
    fc.property(jsonc, (text) => {
      const root = parseJsonc(text);
      let edited: string;
      try {
        edited = setInJsonc(text, PATH, KEN);
      } catch (error) {
        expect(String(error)).toContain('is not an object');
        return;
      }
      expect(valueInJsonc(edited, PATH)).toEqual(KEN);
      expect(setInJsonc(edited, PATH, KEN)).toBe(edited);
      if (valueInJsonc(text, PATH) === undefined) expect(isSubsequence(text, edited)).toBe(true);
      const rest = parseJsonc(removeInJsonc(edited, PATH));
      const before = {
        ...(root as object),
        servers: { ...Reflect.get(root as object, 'servers'), ken: undefined },
      };
      expect(rest).toEqual(before);
    }),
    { numRuns: 500 },
  );
});
