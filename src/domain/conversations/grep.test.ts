import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ConversationEvent } from './event.ts';
import { eventLine } from './event-line.ts';
import { fragmentOf, type GrepLine, type GrepPattern, grepEvents, linesTest, type Patterns } from './grep.ts';

const at = '2026-01-01T00:00:00.000Z';
const plain = (pattern: string) => ({ pattern, isRegex: false, ignoreCase: false });

const patterns: Patterns = { test: async (expression, lines) => lines.map((line) => expression.test(line)) };

async function grep(events: ConversationEvent[], pattern: GrepPattern, context: number): Promise<GrepLine[]> {
  return Array.fromAsync(grepEvents(patterns, events, { matches: linesTest(pattern), context }));
}

it.each([
  ['connection refused', 'connection'],
  ['a/long/path', 'long'],
  ['"name":"x"', 'name'],
  ['404', '404'],
  ['naïve 日本語', '日本語'.length > 'naïve'.length ? '日本語' : 'naïve'],
  ['\\', undefined],
  [' ', undefined],
  ['', undefined],
  ['\ud83d', undefined],
])('looks for a part of %j that is written one way', (pattern, fragment) => {
  expect(fragmentOf(plain(pattern))).toBe(fragment);
});

it('cannot tell a part of what may be written in many ways', () => {
  expect(fragmentOf({ ...plain('abc'), ignoreCase: true })).toBeUndefined();
  expect(fragmentOf({ ...plain('abc'), isRegex: true })).toBeUndefined();
});

const text = fc.string({
  unit: fc.constantFrom('a', 'b', '"', '\\', '/', '\n', ' ', 'é', '😀', '\u001b', '{', ':', ','),
  maxLength: 12,
});
const event: fc.Arbitrary<ConversationEvent> = fc.oneof(
  text.map((said): ConversationEvent => ({ type: 'user_message', at, text: said })),
  fc
    .tuple(text, fc.dictionary(text, fc.oneof(text, fc.integer())))
    .map(([name, given]): ConversationEvent => ({ type: 'tool_call', at, id: 'c', name, arguments: given })),
);

it('never looks for a part that a matching line does not have', async () => {
  await fc.assert(
    fc.asyncProperty(event, text, async (said, pattern) => {
      const found = await grep([said], plain(pattern), 0);
      const fragment = fragmentOf(plain(pattern));
      const line = eventLine(said);
      if (found.length > 0 && fragment !== undefined && !line.includes('\\u'))
        expect(line).toContain(fragment);
    }),
    { numRuns: 2000 },
  );
});

it('shows each line once with so many around it, and stays within its text', async () => {
  const said: ConversationEvent[] = [
    { type: 'turn_start', at, turn: 3 },
    { type: 'user_message', at, text: 'a\nb\nhit 1\nc\nhit 2\nd\ne' },
    { type: 'assistant_message', at, text: 'hit 3\nf', model: 'x/y', finish: 'stop' },
  ];
  const lines = async (context: number) =>
    (await grep(said, plain('hit'), context)).map(
      ({ turn, kind, text: shown, isMatch }) => `${turn} ${kind} ${isMatch ? '+' : '-'} ${shown}`,
    );
  expect(await lines(0)).toEqual(['3 user + hit 1', '3 user + hit 2', '3 assistant + hit 3']);
  expect(await lines(1)).toEqual([
    '3 user - b',
    '3 user + hit 1',
    '3 user - c',
    '3 user + hit 2',
    '3 user - d',
    '3 assistant + hit 3',
    '3 assistant - f',
  ]);
});
