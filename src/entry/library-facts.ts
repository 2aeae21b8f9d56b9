/** The ledger for programs. What is wrong with a fact is told as the command line tells it. */

import type { WorkspaceApp } from '../app.ts';
import { Fault } from '../base/fault.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { type Actor, addEntry } from '../domain/ledger/add-entry.ts';
import { type FoundEntry, searchEntries } from '../domain/ledger/search/search-entries.ts';
import { isCitationUri } from '../domain/search/citations/citation.ts';
import { checkArguments } from '../domain/tools/check-arguments.ts';
import type { Tool } from '../domain/tools/tool.ts';
import type { Fact, Ken } from './library-types.ts';

type Checked = Pick<Tool, 'name' | 'parameters'>;

/** `actor` is asked for anew with each fact. */
export function factsOf(app: WorkspaceApp, actor: () => Actor): Pick<Ken, 'addFact' | 'searchFacts'> {
  return {
    async addFact(fact) {
      checkedArguments(ADD_FACT, { ...fact });
      const { unfound: _, ...added } = await addEntry({ ...app, isCitationUri }, { ...fact, actor: actor() });
      return added;
    },
    async searchFacts(query, options = {}) {
      checkedArguments(SEARCH_FACTS, { query, ...options });
      const found = await searchEntries(app, { limit: DEFAULT_LIMIT, ...options, query });
      return found.map(factIn);
    },
  };
}

/** Not every program is checked by a compiler. What is undefined is not given. */
export function checkedArguments(
  called: Checked,
  given: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  const checked = checkArguments(called, withoutUndefined(given));
  if (!checked.fits) throw new Fault('tools/bad-arguments', checked.message);
  return checked.arguments;
}

export function withoutUndefined(given: Readonly<Record<string, Json | undefined>>): JsonObject {
  const members = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(members);
}

const DEFAULT_LIMIT = 10;

const text = { type: 'string' };
const texts = { type: 'array', items: text };

const ADD_FACT: Checked = {
  name: 'addFact',
  parameters: {
    type: 'object',
    properties: {
      title: text,
      text,
      provenance: texts,
      mergeKey: text,
      onConflict: text,
      ttlPolicy: text,
      tags: texts,
    },
    required: ['title', 'text', 'provenance'],
    additionalProperties: false,
  },
};

const flag = { type: 'boolean' };

export const ASK: Checked = {
  name: 'ask',
  parameters: {
    type: 'object',
    properties: {
      question: { type: 'string', pattern: '\\S' },
      conversation: text,
      model: text,
      labels: texts,
      attach: texts,
      tools: {
        type: 'object',
        properties: { only: texts, without: texts },
        additionalProperties: false,
      },
      schema: { type: 'object' },
      title: text,
      local: flag,
    },
    required: ['question'],
    additionalProperties: false,
  },
};

const SEARCH_FACTS: Checked = {
  name: 'searchFacts',
  parameters: {
    type: 'object',
    properties: { query: text, limit: { type: 'integer', minimum: 1 }, asOf: text },
    required: ['query'],
    additionalProperties: false,
  },
};

function factIn({ entry, score }: FoundEntry): Fact {
  const { id, title, text: content, provenance } = entry;
  return { id, title, text: content, provenance, score };
}
