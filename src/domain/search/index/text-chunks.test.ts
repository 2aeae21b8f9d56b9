import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textChunks, turnChunks } from './text-chunks.ts';

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

it('has the answers of a conversation with their questions, and neither questions nor quotations by themselves', () => {
  const at = '2030-01-01T00:00:00.000Z';
  const said = (text: string, model: string) =>
    ({ type: 'assistant_message', at, text, model, finish: 'stop' }) as const;
  const chunks = turnChunks([
    { type: 'turn_start', at, turn: 1 },
    { type: 'user_message', at, text: 'Where is the kettle?' },
    said('In the pantry.', 'lab/model'),
    { type: 'turn_start', at, turn: 2 },
    { type: 'user_message', at, text: 'And the tea?' },
    said('Quoted from what ken knows', 'ken/extractive'),
  ]);
  expect(chunks).toEqual([
    {
      heading: 'turn 1',
      body: 'In the pantry.',
      firstLine: 0,
      lastLine: 0,
      question: 'Where is the kettle?',
    },
  ]);
});
