import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Citation, formatCitation, parseCitation, requireCitation } from './citation.ts';

it.each<[string, Citation]>([
  ['ken://kb/project/deploy', { kind: 'subject', topic: 'project', slug: 'deploy' }],
  [
    'ken://kb/project/people/who%20to%20ask#L10-L24',
    { kind: 'subject', topic: 'project', slug: 'people/who to ask', lines: { first: 10, last: 24 } },
  ],
  [
    'ken://ref/topic-dioxus@a1b2c3/docs/index.md#L3',
    {
      kind: 'reference',
      topicId: 'topic-dioxus',
      version: 'a1b2c3',
      path: 'docs/index.md',
      lines: { first: 3, last: 3 },
    },
  ],
  ['ken://entry/procedural/x@v3', { kind: 'entry', id: 'procedural/x', version: 3 }],
  ['ken://entry/01K', { kind: 'entry', id: '01K' }],
  ['ken://conversation/1m7ezjkjqnxq#turn-4', { kind: 'turn', conversation: '1m7ezjkjqnxq', turn: 4 }],
  [
    'ken://kb/project/deploy?sha256=0123456789abcdef#L3',
    {
      kind: 'subject',
      topic: 'project',
      slug: 'deploy',
      lines: { first: 3, last: 3 },
      sha256: '0123456789abcdef',
    },
  ],
  [
    'ken://conversation/1m7e?sha256=0123456789ab',
    { kind: 'turn', conversation: '1m7e', sha256: '0123456789ab' },
  ],
])('%s', (uri, citation) => {
  expect(parseCitation(uri)).toEqual(citation);
  expect(formatCitation(citation)).toBe(uri);
});

const text = fc.string({ unit: 'grapheme', minLength: 1 });
const lines = fc.option(
  fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.nat(999))
    .map(([first, more]) => ({ first, last: first + more })),
  { nil: undefined },
);
const segment = text.filter((each) => !each.includes('/'));
const digest = fc.option(
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 12, maxLength: 64 }),
  { nil: undefined },
);
const some = fc
  .oneof(
    fc.record({ kind: fc.constant('subject' as const), topic: segment, slug: text, lines }),
    fc.record({
      kind: fc.constant('reference' as const),
      topicId: segment,
      version: segment,
      path: text,
      lines,
    }),
    fc.record({
      kind: fc.constant('entry' as const),
      id: text,
      version: fc.option(fc.nat(999), { nil: undefined }),
    }),
    fc.record({
      kind: fc.constant('turn' as const),
      conversation: segment,
      turn: fc.option(fc.nat(999), { nil: undefined }),
    }),
  )
  .chain((citation) => digest.map((sha256) => ({ ...citation, sha256 })))
  .map((citation) => JSON.parse(JSON.stringify(citation)) as Citation);

it('reads back what it writes', () => {
  fc.assert(
    fc.property(some, (citation) => {
      expect(parseCitation(formatCitation(citation))).toEqual(citation);
    }),
  );
});

it.each([
  '',
  'ken://',
  'ken://kb/x',
  'ken://kb/x/y#L0',
  'ken://kb/x/y#L5-L3',
  'http://x',
  'ken://kb/%/y',
  'ken://conversation/a/b',
  'ken://other/x/y',
])('%j is none', (uri) => {
  expect(parseCitation(uri)).toBeUndefined();
  expect(() => requireCitation(uri)).toThrow(expect.objectContaining({ code: 'search/bad-citation' }));
});

it('tells what a citation of a reference lacks', () => {
  expect(() => requireCitation('ken://ref/topic-signals/docs/guide.md#L3')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('with its commit') }),
  );
});

it('any text is read or refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (tail) => {
      const citation = parseCitation(`ken://kb/${tail}`);
      if (citation) expect(parseCitation(formatCitation(citation))).toEqual(citation);
    }),
  );
});
