import type { JsonObject } from '../../../base/json.ts';
import type { ToolShape } from '../../tools/unattended-tool.ts';

const DESCRIPTION =
  'Search everything that is known here: the knowledge base, reference libraries, kept facts and earlier ' +
  'conversations. Ranks by words and by meaning. Each hit has its citation, how far it is trusted and how fresh it ' +
  'is; when nothing answers it says so and gives what is nearest. Words in quotes must stand together, -word must not occur.';

const PROPERTIES: JsonObject = {
  question: { type: 'string', minLength: 1, description: 'A question or words.' },
  in: {
    type: 'array',
    items: { type: 'string', enum: ['kb', 'refs', 'ledger', 'conversations'] },
    description: 'Only in these; everything if absent.',
  },
  topic: { type: 'string', description: 'Only in the topic of this id.' },
  paths: {
    type: 'array',
    items: { type: 'string' },
    description: 'Only these files, or what is below directories, which end with a slash.',
  },
  labels: {
    type: 'array',
    items: { type: 'string' },
    description: 'Only what has these labels: KEY=VALUE.',
  },
  limit: { type: 'integer', minimum: 1, maximum: 50, description: 'At most so many hits; 8 if absent.' },
  budget: {
    type: 'integer',
    minimum: 50,
    maximum: 20_000,
    description: 'Whole chunks, up to this many estimated tokens; 2000 by default.',
  },
};

const HIT: JsonObject = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['subject', 'chunk', 'entry', 'turn'] },
    id: { type: 'string' },
    title: { type: 'string' },
    snippet: { type: 'string' },
    line: { type: 'integer' },
    text: { type: 'string' },
    score: { type: 'number' },
    citation: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
    freshness: { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] },
    trust: { type: 'object', properties: { tier: { type: 'string' } }, required: ['tier'] },
    superseded_by: { type: 'string' },
    labels: { type: 'object' },
    entry: { type: 'object' },
    topic: { type: 'object' },
  },
  required: ['kind', 'id', 'title', 'snippet', 'score', 'citation', 'freshness', 'trust'],
};

export const SEARCH: ToolShape = {
  description: DESCRIPTION,
  properties: PROPERTIES,
  required: ['question'],
  output: {
    outcome: { type: 'string', enum: ['answers', 'nearest', 'nothing'] },
    hits: { type: 'array', items: HIT },
    abstained: { type: 'boolean' },
    near_misses: { type: 'array', items: HIT },
    unavailable: {
      type: 'array',
      items: {
        type: 'object',
        properties: { in: { type: 'string' }, message: { type: 'string' }, hint: { type: 'string' } },
        required: ['in', 'message'],
      },
    },
  },
  always: ['outcome', 'hits', 'abstained', 'near_misses'],
};
