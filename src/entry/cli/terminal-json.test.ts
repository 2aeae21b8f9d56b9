import fc from 'fast-check';
import { expect, it } from 'vitest';
import { neutralise } from '../../base/terminal-text.ts';
import { terminalJson } from './terminal-json.ts';

it.each([
  ['plain', '"plain"'],
  ['ä 漢 🎉\n', '"ä 漢 🎉\\n"'],
  ['\u001b[31m\u009b1m', '"\\u001b[31m\\u009b1m"'],
  ['a\u202eb\u{e0041}', '"a\\u202eb\\udb40\\udc41"'],
])('writes %j', (value, json) => {
  expect(terminalJson(value)).toBe(json);
});

it('says the same as JSON does, in characters that are safe to show', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = terminalJson(value, indent);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(neutralise(text)).toBe(text);
    }),
  );
});
