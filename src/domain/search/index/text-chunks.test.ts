import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textChunks } from './text-chunks.ts';

const line = fc.constantFrom('', ' ', '# A', '# B', '## A', '## ', '#', 'one', 'two\r', '~~~', '### C');

it('has in each body exactly its lines', () => {
  const texts = fc.array(line, { maxLength: 20 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(texts, (text) => {
      const lines = text.split('\n');
      for (const { body, firstLine, lastLine } of textChunks(text))
        expect(body).toBe(lines.slice(firstLine - 1, lastLine).join('\n'));
    }),
  );
});

it('leaves out nothing but headings over something, and blank lines', () => {
  const texts = fc.array(line, { maxLength: 20 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(texts, (text) => {
      const chunks = textChunks(text);
      const inBodies = new Set(
        chunks.flatMap(({ firstLine, lastLine }) =>
          Array.from({ length: lastLine - firstLine + 1 }, (_, at) => firstLine + at),
        ),
      );
      const left = text.split('\n').filter((each, at) => !inBodies.has(at + 1) && each.trim() !== '');
      const headings = chunks.flatMap(({ heading }) => heading.split(' › '));
      for (const each of left) {
        expect(each).toMatch(/^#+ /);
        expect(['', ...headings]).toContain(each.replace(/^#+ /, '').trim());
      }
    }),
  );
});
