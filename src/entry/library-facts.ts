/** The ledger for programs, with the error messages of the command line. */

import type { WorkspaceApp } from '../app.ts';
import { Fault } from '../base/fault.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { secondsOf } from '../base/time.ts';
import { type Actor, addEntry } from '../domain/ledger/add-entry.ts';
import type { CheckedCitation } from '../domain/ledger/plans/plan-verdicts.ts';
import { type FoundEntry, searchEntries } from '../domain/ledger/search/search-entries.ts';
import { isCitationUri } from '../domain/search/citations/citation.ts';
import { checkArguments } from '../domain/tools/check-arguments.ts';
import type { Tool } from '../domain/tools/tool.ts';
import { parametersOf } from '../domain/tools/unattended-tool.ts';
import type { Fact, Ken, Verdict } from './library-types.ts';

type Checked = Pick<Tool, 'name' | 'parameters'>;

/** `actor` is called for each fact. */
export function factsOf(
  app: WorkspaceApp,
  actor: () => Actor,
): Pick<Ken, 'addFact' | 'searchFacts' | 'verifyFacts' | 'claims' | 'stateClaim'> {
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
    async claims() {
      const found = await app.ledger.claims(secondsOf(app.clock.now()));
      return found.map(({ id, stated, supports, contradicts }) => ({
        id,
        text: stated?.text,
        supports,
        contradicts,
      }));
    },
    async stateClaim(id, words) {
      checkedArguments(STATE_CLAIM, { id, text: words });
      const { stateClaim } = await import('../domain/ledger/state-claim.ts');
      const { action } = await stateClaim(app, { id, text: words, actor: actor() });
      return { action };
    },
    async verifyFacts(ids = [], { fix = false } = {}) {
      checkedArguments(VERIFY_FACTS, { ids, fix });
      const { verifyEntries } = await import('../domain/ledger/evidence/verify-entries.ts');
      const pages = verifyEntries({ ...app, isCitationUri }, { ids, fix, actor: actor() });
      return (await Array.fromAsync(pages)).flat().map(verdictIn);
    },
  };
}

/** Checks at run time, since some programs have no compiler. Undefined members count as absent. */
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

const flag = { type: 'boolean' };

const ADD_FACT = checked(
  'addFact',
  {
    title: text,
    text,
    provenance: texts,
    mergeKey: text,
    onConflict: text,
    ttlPolicy: text,
    tags: texts,
    supports: text,
    contradicts: text,
  },
  ['title', 'text', 'provenance'],
);
export const ASK = checked(
  'ask',
  {
    question: { type: 'string', pattern: '\\S' },
    conversation: text,
    model: text,
    labels: texts,
    attach: texts,
    tools: { type: 'object', properties: { only: texts, without: texts }, additionalProperties: false },
    schema: { type: 'object' },
    title: text,
    local: flag,
  },
  ['question'],
);
export const CHANGE_CONVERSATION = checked(
  'changeConversation',
  { id: text, title: text, pinned: flag, archived: flag },
  ['id'],
);
export const FORK = checked(
  'forkConversation',
  { id: text, turns: { type: 'integer', minimum: 1 }, title: text, labels: texts },
  ['id'],
);
export const EXPORT = checked(
  'exportConversation',
  { id: text, format: { type: 'string', enum: ['md', 'jsonl'] } },
  ['id'],
);
export const SUBJECT = checked('addSubject', { topic: text, slug: text, text, to: text }, ['topic', 'slug']);
export const RELABEL = checked('relabel', { id: text, labels: texts }, ['id', 'labels']);
const SEARCH_FACTS = checked(
  'searchFacts',
  { query: text, limit: { type: 'integer', minimum: 1 }, asOf: text },
  ['query'],
);

const STATE_CLAIM = checked('stateClaim', { id: text, text }, ['id', 'text']);
const VERIFY_FACTS = checked('verifyFacts', { ids: texts, fix: flag }, []);

function checked(name: string, properties: JsonObject, required: readonly string[]): Checked {
  return { name, parameters: parametersOf({ properties, required }) };
}

function verdictIn({ id, provenance, verdict, movedTo, reason, isFixed }: CheckedCitation): Verdict {
  return {
    id,
    provenance,
    verdict,
    ...(movedTo !== undefined && { movedTo }),
    ...(reason !== undefined && { reason }),
    isFixed,
  };
}

function factIn({ entry, score }: FoundEntry): Fact {
  const { id, title, text: content, provenance } = entry;
  return { id, title, text: content, provenance, score };
}
