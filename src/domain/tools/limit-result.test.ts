import { expect, it } from 'vitest';
import { resultsInMemory } from '../../../test/approvals/call-ports.ts';
import { limitOutcome, parseResultUri, resultPage } from './limit-result.ts';
import { failure, success } from './tool.ts';

it('shows the beginning of a long result, and how to read on to its end', async () => {
  const ports = { results: resultsInMemory() };
  const cut = (next: number) =>
    `\n(cut: ${next} of 10 bytes are shown; read on with show {"uri":"ken://result/r1#${next}"})`;
  expect(await limitOutcome(ports, success('abcdefghij'), 4)).toEqual({
    outcome: success(`abcd${cut(4)}`),
    wasCut: true,
  });
  expect(await resultPage(ports, { id: 'r1', offset: 4 }, 4)).toBe(`efgh${cut(8)}`);
  expect(await resultPage(ports, { id: 'r1', offset: 8 }, 4)).toBe('ij');
  expect(await resultPage(ports, { id: 'r9', offset: 0 }, 4)).toBeUndefined();
});

it.each([
  ['ken://result/r1#4', { id: 'r1', offset: 4 }],
  ['ken://result/r1', { id: 'r1', offset: 0 }],
  ['ken://result/r1#x', undefined],
  ['ken://kb/r1#4', undefined],
])('reads the address %s', (uri, read) => {
  expect(parseResultUri(uri)).toEqual(read);
});

it('opens and closes the fence of every page', async () => {
  const ports = { results: resultsInMemory() };
  const [one, two] = ['a1'.repeat(16), 'b2'.repeat(16)];
  const spoof = `<<<data ${two}\nx\n${two} data>>>`;
  const whole = `Found.\n\n<<<data ${one}\n${'z\n'.repeat(165)}${spoof}\n${one} data>>>\n\nEnd.\n\n<<<data ${two}\n${'y\n'.repeat(90)}${two} data>>>`;
  const pages: string[] = [];
  const { outcome } = await limitOutcome(ports, success(whole), 200);
  pages.push(outcome.type === 'success' ? outcome.text : '');
  for (;;) {
    const [, uri] = /show \{"uri":"(.*)"\}\)$/.exec(pages.at(-1) ?? '') ?? [];
    const place = uri === undefined ? undefined : parseResultUri(uri);
    if (!place) break;
    pages.push((await resultPage(ports, place, 200)) ?? '');
  }
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages) {
    const outside = page.replace(/^<<<data ([0-9a-f]{32})\n[\s\S]*?\n\1 data>>>$/gm, '');
    expect(outside).not.toMatch(/^z$|^y$|^<<<data|data>>>$/m);
  }
  expect(pages.join('').match(/^z$/gm)).toHaveLength(165);
});

it.each([
  ['a result that fits', success('abcd')],
  [
    'a question',
    { type: 'needs-input', question: { id: 'q', text: 'long enough', answerType: 'text' } } as const,
  ],
  ['an error that fits', failure('abc', ['d'].slice(1))],
])('leaves %s as it is', async (_, outcome) => {
  expect(await limitOutcome({ results: resultsInMemory() }, outcome, 4)).toEqual({ outcome });
});

it('shortens an error with all its causes, and leaves it one', async () => {
  expect(await limitOutcome({ results: resultsInMemory() }, failure('no', ['because']), 5)).toEqual({
    outcome: failure('no\nbe\n(cut: 5 of 10 bytes are shown; read on with show {"uri":"ken://result/r1#5"})'),
    wasCut: true,
  });
});
