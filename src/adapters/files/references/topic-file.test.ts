import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exampleTopic } from '../../../domain/references/topic/library.contract.ts';
import { fileListOf, type ReferenceTopic, type TopicSource } from '../../../domain/references/topic/topic.ts';
import { formatTopicFile, parseTopicFile } from './topic-file.ts';

const text = fc.string({ unit: 'grapheme' });
const title = text.map((given) => given.trim() || 'T');
const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });
const unknown = fc.dictionary(
  text.map((key) => `x-${key}`),
  fc.oneof(text, fc.boolean(), fc.integer(), fc.array(text), fc.dictionary(text, text)),
  { maxKeys: 3 },
);
const source: fc.Arbitrary<TopicSource> = fc.oneof(
  fc.record(
    {
      type: fc.constant('git' as const),
      url: title,
      ref: text,
      paths: fc.array(text),
      commit: text,
      unknown,
    },
    { requiredKeys: ['type', 'url', 'paths', 'unknown'] },
  ),
  fc.record(
    { type: fc.constant('web' as const), url: title, fetchedAt: instant, unknown },
    { requiredKeys: ['type', 'url', 'unknown'] },
  ),
);
const actor = fc.record({ ghost: text, model: fc.constantFrom('openai/gpt', undefined) });
const said = fc.record(
  {
    status: fc.constantFrom('active' as const, 'obsolete' as const),
    obsoleteSince: instant,
    maxAgeDays: fc.nat(),
    body: text,
    tags: fc.array(text),
    labels: fc.constantFrom(new Map(), new Map([['team', 'garden']])),
  },
  { requiredKeys: [] },
);
const change = fc.record(
  { at: instant, by: actor, before: said, undone: fc.record({ at: instant, by: actor }) },
  { requiredKeys: ['at', 'by', 'before'] },
);
const topics: fc.Arbitrary<ReferenceTopic> = fc
  .record(
    {
      title,
      body: text.map((body) => body.replace(/\r/g, '')),
      tags: fc.array(text),
      status: fc.constantFrom('active' as const, 'obsolete' as const),
      obsoleteSince: instant,
      createdAt: instant,
      fetchedAt: instant,
      maxAgeDays: fc.nat(),
      trustScore: fc.integer({ min: 0, max: 10 }),
      createdBy: fc.record({ ghost: text, model: fc.constantFrom('openai/gpt', undefined), unknown }),
      approvedBy: fc.record({ operator: text, id: text }),
      sources: fc.array(source, { maxLength: 3 }),
      changes: fc.array(change, { maxLength: 3 }),
      unknown,
    },
    { requiredKeys: [] },
  )
  .map((changes) => exampleTopic(changes as Partial<ReferenceTopic>));

it('reads back what it wrote, unknown keys included, whatever the texts are', () => {
  fc.assert(
    fc.property(topics, (topic) => {
      const read = parseTopicFile('signals', formatTopicFile(topic));
      expect(read).toEqual({ ok: true, topic });
    }),
  );
});

it('tells of any text what is wrong with it, or reads it', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('+++\n', 'title = "x"\n', '[sources]\n', '"""', '[['),
    ),
  );
  fc.assert(
    fc.property(pieces, (all) => {
      for (const whole of [all.join(''), `+++\n${all.join('')}\n+++\n`])
        expect(typeof parseTopicFile('x', whole).ok).toBe('boolean');
    }),
  );
});

const parsed = (front: string) => parseTopicFile('x', `+++\n${front}\n+++\nBody\n`);

it('takes dates without quotes, line ends of other systems, and what the lists left out', () => {
  const front =
    'title = "T"\r\nfetched_at = 2025-06-15T10:00:00Z\r\ncreated_at = 2025-06-15\r\nstatus = "stale"';
  expect(parseTopicFile('x', `\ufeff+++\r\n${front}\r\n+++\r\n\r\nBody\r\n`)).toMatchObject({
    ok: true,
    topic: {
      title: 'T',
      body: 'Body',
      status: 'active',
      fetchedAt: Date.UTC(2025, 5, 15, 10),
      createdAt: Date.UTC(2025, 5, 15),
      maxAgeDays: 30,
      trustScore: 5,
      tags: [],
      sources: [],
      createdBy: { ghost: 'unknown', model: undefined },
    },
  });
});

it.each([
  ['', 'title is missing'],
  ['title = " "', 'title is missing'],
  ['title = 1', 'title is not a text'],
  ['title = "T"\ntags = "a"', 'tags is not a list'],
  ['title = "T"\ntags = [1]', 'tags is not a text'],
  ['title = "T"\nstatus = "new"', 'status is none of active, stale and obsolete'],
  ['title = "T"\nfetched_at = "yesterday"', 'fetched_at is not a time'],
  ['title = "T"\nmax_age_days = -1', 'max_age_days is not a whole number from 0'],
  ['title = "T"\ntrust_score = 11', 'trust_score is not a whole number from 0 to 10'],
  ['title = "T"\ncreated_by = "me"', 'created_by is not a table'],
  ['title = "T"\nlabels = { "a b" = "c" }', 'labels has a key that is none: "a b"'],
  ['title = "T"\n[[sources]]\ntype = "svn"', 'sources[0].type is none of git, web and local'],
  ['title = "T"\n[[sources]]\ntype = "git"', 'sources[0].url is missing'],
  ['title = "T"\nsources = 1', 'sources is not a list'],
  ['title = "T"\nchanges = "many"', 'changes is not a list'],
  ['title = "T"\nchanges = ["one"]', 'changes[0] is not a table'],
  ['title = "T"\nchanges = [{ ghost = "x" }]', 'changes[0].at is not a time'],
  [
    'title = "T"\nchanges = [{ at = 2025-06-15, before = { status = "new" } }]',
    'changes[0].before.status is none of active and obsolete',
  ],
])('%j: %s', (front, problem) => {
  expect(parsed(front)).toEqual({ ok: false, problem: `topic.md: ${problem}` });
});

it('lists the first 200 files, and how many there are', () => {
  const paths = Array.from({ length: 250 }, (_, at) => `docs/${String(at).padStart(3, '0')}.md`);
  const read = parseTopicFile('signals', formatTopicFile(exampleTopic({ files: fileListOf(paths) })));
  expect(read).toMatchObject({ ok: true, topic: { files: { first: paths.slice(0, 200), count: 250 } } });
});

it('writes nothing that it could not read again', () => {
  const tags = Array.from({ length: 200_000 }, (_, at) => `tag ${at}`);
  expect(() => formatTopicFile(exampleTopic({ tags }))).toThrow(
    'The description of topic-signals is longer than 1 MiB.',
  );
});

it.each(['', 'no front matter', '+++\ntitle = "T"\n', '+++ title\n+++\n'])('%j is no topic', (whole) => {
  expect(parseTopicFile('x', whole)).toEqual({
    ok: false,
    problem: 'topic.md: it does not begin with a part between two lines of +++',
  });
});
