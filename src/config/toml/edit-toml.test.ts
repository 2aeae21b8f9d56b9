import fc from 'fast-check';
import { expect, it } from 'vitest';
import { removeFromToml, setInToml } from './edit-toml.ts';
import { parseToml } from './parse-toml.ts';

const PATH = ['servers', 'ken'];

it.each([
  ['with the empty line before it', 'a = 1\n\n[servers.ken]\nx = 1\n', 'a = 1\n'],
  ['with what is below it', '[servers.ken]\nx = 1\n\n[servers.ken.env]\nK = "v"\n\n[b]\n', '\n[b]\n'],
  [
    'from between others',
    '[servers.a]\n\n[servers.ken]\nx = [\n  1,\n]\n[servers.b]\n',
    '[servers.a]\n[servers.b]\n',
  ],
  ['that dotted keys make', 'a = 1\nservers.ken.x = 1 # mine\nservers.b = 2\n', 'a = 1\nservers.b = 2\n'],
  ['that stands inline, first', 'servers = { ken = { x = 1 }, a = {} }\n', 'servers = { a = {} }\n'],
  ['that stands inline, last', 'servers = { a = {}, ken = { x = 1 } } # c\n', 'servers = { a = {} } # c\n'],
  ['that stands inline, alone', 'servers = { ken = { x = 1 } }\nb = 2\n', 'servers = {  }\nb = 2\n'],
  [
    'that stands inline, in several keys',
    'servers = { ken.x = 1, ken.y = [1, 2], a = 1 }\n',
    'servers = { a = 1 }\n',
  ],
  ['in a table of its own', '[servers]\na = 1\nken.x = 1\nken.y = 2\n', '[servers]\na = 1\n'],
  ['that is an array', '[[servers.ken]]\nx = 1\n[[servers.ken]]\n[b]\n', '[b]\n'],
  ['behind a byte-order mark', '\uFEFFa = 1\r\n\r\n[servers.ken]\r\nx = 1\r\n', '\uFEFFa = 1\r\n'],
  ['where there is none', 'a = 1 # kept\n', 'a = 1 # kept\n'],
])('takes a table out %s', (_, before, after) => {
  expect(removeFromToml(before, PATH)).toBe(after);
});

const line = fc.constantFrom(
  '# note',
  '',
  'a = 1',
  '[servers.x]',
  'b = "[servers.ken]"',
  '[other]',
  'c = """\n[servers.ken]\n"""',
);

it('undoes what setting did, to the last byte', () => {
  fc.assert(
    fc.property(fc.uniqueArray(line), (lines) => {
      const text = `${lines.join('\n')}\n`;
      const set = setInToml(text, [...PATH, 'command'], 'ken');
      const without = removeFromToml(set, PATH);
      expect(parseToml(without)).toEqual(parseToml(text));
      expect(without.trimEnd()).toBe(text.trimEnd());
    }),
  );
});

it('leaves a file alone that holds a text which is too long for the parser of edits', () => {
  const text = `[assistant]\nsystem_prompt = "${'x'.repeat(2_000_000)}"\n`;
  expect(() => setInToml(text, ['assistant', 'name'], 'ada')).toThrow('too long or too deep');
});
