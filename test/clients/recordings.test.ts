import { expect, it } from 'vitest';
import { problemsOf, recordings } from './recordings.ts';

it.each(recordings().map((recording) => [recording.npm, recording] as const))(
  'what matters reached the model of %s',
  (_, recording) => {
    expect(problemsOf(recording)).toEqual([]);
  },
);

it('is recorded from clients that read the data and from clients that read the text', () => {
  const firsts = recordings().map(({ results }) => results[0]?.seen ?? '');
  expect(firsts.some((seen) => seen.includes('{"outcome":"answers"'))).toBe(true);
  expect(firsts.some((seen) => !seen.includes('{"outcome"'))).toBe(true);
});

it('holds what hooks told Claude Code and Codex, after a compaction too', () => {
  const hooked = recordings().filter(({ hooks }) => hooks);
  expect(hooked.map(({ name, hooks }) => ({ name, ...hooks }))).toEqual([
    { name: 'Claude Code', atStart: true, afterCompaction: true },
    { name: 'Codex', atStart: true, afterCompaction: true },
  ]);
});

it('finds what is missing', () => {
  const [first] = recordings();
  const empty = first && { ...first, results: [], hasRule: false };
  expect(empty && problemsOf(empty)).toContain('a search without an answer: no /Nothing/');
  expect(empty && problemsOf(empty)).toContain('the rule did not reach the model');
});
