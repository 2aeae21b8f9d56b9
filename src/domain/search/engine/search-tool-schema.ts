import type { JsonObject } from '../../../base/json.ts';
import type { ToolShape } from '../../tools/unattended-tool.ts';

/** Clients that defer tools find them by its words, so it has the words that questions begin with. */
const DESCRIPTION =
  'Answers questions about this project, our team and our work: what it is, which one we use, who owns it, who knows it, ' +
  'where it is, when it was, why we choose it, what we decided, what was said last time, how we do it, how I can. ' +
  'Answers questions about a library too: what it does, which options it has. Searches guides, internal docs, ' +
  'conventions, decisions, facts, earlier conversations, and the documentation, API reference and source code of ' +
  'libraries. Each hit has its citation; when nothing answers, it says so.';

const PROPERTIES: JsonObject = {
  question: {
    type: 'string',
    minLength: 1,
    description: 'A question or words. Words in quotes stand together, -word does not occur.',
  },
  in: {
    type: 'array',
    items: { type: 'string', enum: ['kb', 'refs', 'ledger', 'conversations'] },
    description:
      'Only in these: kb (subjects of the knowledge base), refs (fetched source code and documentation), ledger (kept ' +
      'facts), conversations (earlier ones). Everything if absent.',
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
    description: 'Most estimated tokens of the answer; 2000 if absent. The best hit is cut, never left out.',
  },
  details: { type: 'boolean', description: 'Also scores, digests, ages and labels; false if absent.' },
};

const HIT: JsonObject = {
  type: 'object',
  properties: {
    uri: { type: 'string', description: 'The citation; `show` opens it, `knowledge_feedback` takes it.' },
    strength: { type: 'string', enum: ['strong', 'fair', 'weak'] },
    trust: { type: 'string' },
    freshness: { type: 'string', description: 'stale or expired; absent when it is current.' },
    stale_since: { type: 'string' },
    superseded_by: { type: 'string', description: 'Id of the entry that replaces it.' },
    cut: { type: 'boolean' },
    text: { type: 'string', description: 'Title and text, in a fence.' },
    details: { type: 'object', description: 'Only if asked for.' },
  },
  required: ['uri', 'strength', 'trust', 'text'],
};

const NEAR_MISS: JsonObject = {
  type: 'object',
  properties: { uri: { type: 'string' }, title: { type: 'string', description: 'In a fence.' } },
  required: ['uri', 'title'],
};

export const SEARCH: ToolShape = {
  description: DESCRIPTION,
  properties: PROPERTIES,
  required: ['question'],
  aliases: { query: 'question' },
  output: {
    outcome: { type: 'string', enum: ['answers', 'nearest', 'nothing'] },
    text: {
      type: 'string',
      description: 'What the fences mean, what is nearest, what could not be searched.',
    },
    hits: { type: 'array', items: HIT },
    near_misses: { type: 'array', items: NEAR_MISS, description: 'Present when nothing answers.' },
  },
  always: ['outcome', 'text'],
};
