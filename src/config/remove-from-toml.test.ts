import fc from 'fast-check';
import { expect, it } from 'vitest';
import { setInToml } from './edit-toml.ts';
import { parseToml } from './parse-toml.ts';
import { removeFromToml } from './remove-from-toml.ts';

const PATH = ['servers', 'ken'];

it.each([
  ['with the empty line before it', 'a = 1\n\n[servers.ken]\nx = 1\n', 'a = 1\n'],
  ['with what is below it', '[servers.ken]\nx = 1\n\n[servers.ken.env]\nK = "v"\n\n[b]\n', '\n[b]\n'],
  [
    'from between others',
    '[servers.a]\n\n[servers.ken]\nx = [\n  1,\n]\n[servers.b]\n',
    '[servers.a]\n[servers.b]\n',
  ],
  ['where there is none', 'a = 1 # kept\n', 'a = 1 # kept\n'],
])('takes a table out %s', (_, before, after) => {
  expect(removeFromToml(before, PATH)).toBe(after);
});

it('refuses what it could not take out alone', () => {
  for (const text of [
    'servers.ken.x = 1\n',
    'servers = { ken = { x = 1 }, a = {} }\n',
    '[servers]\nken.x = 1\n',
  ]) {
    expect(() => removeFromToml(text, PATH)).toThrow(
      'servers.ken cannot be removed here without touching more.',
    );
  }
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
