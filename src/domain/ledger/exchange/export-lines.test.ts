import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Content, exportLines } from './export-lines.ts';

const HEAD = '{"format":"ken-ledger","version":1}';
const MEBIBYTE = 1024 * 1024;

/** Bytes that are read part by part, with the largest part that was asked for. */
function readInParts(text: string): { readonly content: Content; largest(): number } {
  const bytes = new TextEncoder().encode(text);
  let largest = 0;
  const subarray = (start: number, end: number) => {
    largest = Math.max(largest, end - start);
    return bytes.slice(start, end);
  };
  return { content: { length: bytes.length, subarray }, largest: () => largest };
}

function valuesOf(content: Content) {
  const lines = exportLines(content);
  return Array.from({ length: lines.count }, (_, at) => [lines.at(at).number, lines.at(at).json()]);
}

it('numbers the lines as they stand, and leaves out blank ones', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom('', ' ', '\t\r'), fc.nat().map(String))), (texts) => {
      const { content } = readInParts([HEAD, ...texts].join('\n'));
      const expected = texts.flatMap((text, at) => (text.trim() === '' ? [] : [[at + 2, Number(text)]]));
      expect(valuesOf(content)).toEqual(expected);
    }),
  );
});

it('never holds more than a block or a line of a large export', () => {
  const numbers = Array.from({ length: 400_000 }, (_, at) => at);
  const { content, largest } = readInParts(`${HEAD}\n${numbers.join('\n')}\n`);
  expect(content.length).toBeGreaterThan(2 * MEBIBYTE);
  expect(valuesOf(content)).toEqual(numbers.map((number, at) => [at + 2, number]));
  expect(largest()).toBe(MEBIBYTE);
});

it('takes a line that no entry can be for no JSON, without reading it', () => {
  const { content, largest } = readInParts(`${HEAD}\n"${'x'.repeat(65 * MEBIBYTE)}"\n1\n`);
  expect(valuesOf(content)).toEqual([
    [2, null],
    [3, 1],
  ]);
  expect(largest()).toBe(MEBIBYTE);
});
