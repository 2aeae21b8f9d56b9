import type { ToolShape } from '../../tools/unattended-tool.ts';

const text = (description: string) => ({ type: 'string', description });
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });
const days = {
  type: 'integer',
  minimum: 0,
  description: 'Stale after so many days; 0 is never. 30 if absent.',
};

const SUMMARY = {
  topic_id: text('Its id.'),
  title: text('What it is.'),
  status: { type: 'string', enum: ['active', 'stale', 'obsolete'] },
  is_stale: { type: 'boolean' },
  stale_since: text('ISO-8601; absent unless it is stale.'),
  fetched_at: text('ISO-8601; absent if it was never fetched.'),
  max_age_days: { type: 'integer' },
  created_by_ghost: text('Who made it.'),
  source_count: { type: 'integer' },
  file_count: { type: 'integer' },
  tags: texts('Words to find it by.'),
  trust_score: { type: 'integer', minimum: 0, maximum: 10 },
  labels: { type: 'object' },
};
const SENTENCE = text('What came of it, in a sentence.');
const TOPICS = {
  text: SENTENCE,
  topics: {
    type: 'array',
    items: { type: 'object', properties: SUMMARY, required: ['topic_id', 'title', 'status'] },
  },
};
const HITS = {
  type: 'array',
  description: 'Each with its address, its age and how far it can be trusted; its text is in a fence.',
  items: { type: 'object' },
};
const NEAR_MISSES = { ...HITS, description: 'Addresses and titles; present when nothing answers.' };

export const CREATE: ToolShape = {
  description:
    'Fetch source code or documentation for `search` to find. The operator sees the sources and approves them. Search ' +
    'for an existing topic before. To do it well, `learn` the topic "ken", subject "reference-researcher".',
  properties: {
    title: text('What it is, such as "Axum - web framework for Rust".'),
    body: text('Your own summary of it: purpose, concepts, pitfalls, version.'),
    sources: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          type: { type: 'string', enum: ['git', 'web'], description: 'A repository, or one web page.' },
          url: text('Its address.'),
          ref: text('git: a branch, a tag or a full commit id. The default branch if absent.'),
          paths: texts(
            'git: only these, such as "docs/", "README.md" or "src/**/*.rs". Everything if absent.',
          ),
        },
        required: ['type', 'url'],
        additionalProperties: false,
      },
      description: 'Whole repositories, and a source for each web page.',
    },
    tags: texts('Words to find it by.'),
    max_age_days: days,
    trust_score: {
      type: 'integer',
      minimum: 0,
      maximum: 10,
      description: 'How far the sources can be relied on; 5 if absent.',
    },
  },
  required: ['title', 'sources'],
  long: ['body'],
  output: {
    text: SENTENCE,
    topic_id: text('Its id.'),
    file_count: { type: 'integer' },
    chunk_count: { type: 'integer' },
    skipped: { type: 'object', description: 'How many files each reason kept out.' },
    warnings: texts('What went wrong with some of the sources.'),
    offers: texts('Pages that a fetched llms.txt names. None of them was fetched.'),
  },
};

export const SEARCH_TOPICS: ToolShape = {
  description: 'Find reference topics by what they are about, whatever they are called.',
  properties: { question: text('What it is about.') },
  required: ['question'],
  aliases: { query: 'question' },
  output: TOPICS,
};

export const LIST_TOPICS: ToolShape = {
  description:
    'List the manuals and source code at hand, with their age; a question narrows it to those about it.',
  properties: {
    question: text('Only topics about this, best first. All, the most recently fetched first, if absent.'),
    include_obsolete: { type: 'boolean', description: 'Obsolete ones as well; false if absent.' },
  },
  required: [],
  aliases: { query: 'question' },
  output: TOPICS,
};

export const UPDATE_TOPIC: ToolShape = {
  description:
    'Change what is said about a reference topic. Nothing is fetched; what is absent stays as it is.',
  properties: {
    topic_id: text('Its id.'),
    status: {
      type: 'string',
      enum: ['active', 'obsolete'],
      description: 'Obsolete ones are not searched any more.',
    },
    max_age_days: { ...days, description: 'Stale after so many days; 0 is never.' },
    body: text('The summary.'),
    tags: texts('Words to find it by.'),
  },
  required: ['topic_id'],
  long: ['body'],
  output: { text: SENTENCE, ...SUMMARY },
};

export const SEARCH: ToolShape = {
  description:
    'How a library, tool or API works: find source code and documentation in the reference library that answer a ' +
    'question. Each comes with its address and its age.',
  properties: {
    question: text('A whole question, with the names of things.'),
    topic: text(
      'Only this topic: its id, its title, or what it is about. All that are not obsolete if absent.',
    ),
    limit: { type: 'integer', minimum: 1, maximum: 50, description: 'At most so many; 8 if absent.' },
    paths: texts('Only these files, or directories that end with a slash.'),
    kind: {
      type: 'string',
      enum: ['docs', 'code'],
      description: 'docs: only documentation; code: only source code and data.',
    },
    details: { type: 'boolean', description: 'Also scores, digests and the topic; false if absent.' },
  },
  required: ['question'],
  aliases: { query: 'question' },
  output: {
    outcome: { type: 'string', enum: ['answers', 'nearest', 'nothing'] },
    text: text('What the fences mean, or that nothing answers.'),
    hits: HITS,
    near_misses: NEAR_MISSES,
  },
};
