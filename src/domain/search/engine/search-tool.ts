/** The tool `search`: one question over everything ken knows, for an assistant. */

import { aboutDataFences, dataFence, neutralJson } from '../../../base/data-fence.ts';
import { Fault } from '../../../base/fault.ts';
import type { IdSource } from '../../../base/ids.ts';
import { asNumber, asText, asTexts, type JsonObject } from '../../../base/json.ts';
import { singleLine } from '../../../base/terminal-text.ts';
import { parseSelectors } from '../../labels/parse-selector.ts';
import { success, type Tool, type ToolResult } from '../../tools/tool.ts';
import { unattendedTool } from '../../tools/unattended-tool.ts';
import type { Envelope, Hit } from './hit.ts';
import type { Question } from './search-everything.ts';
import { SEARCH } from './search-tool-schema.ts';

export interface SearchToolPorts {
  readonly ids: IdSource;
  search(question: Question, signal: AbortSignal): Promise<Envelope>;
}

const LIMIT = 8;
const BUDGET_TOKENS = 2000;
const NEAREST = 3;

export function searchTool(ports: SearchToolPorts): Tool {
  return unattendedTool({
    name: 'search',
    reach: 'read',
    shape: SEARCH,
    faults: ['labels', 'search', 'tools'],
    shown: ({ question }) => `"${asText(question) ?? ''}"`,
    call: (given, signal) => answer(ports, given, signal),
  });
}

async function answer(ports: SearchToolPorts, given: JsonObject, signal: AbortSignal): Promise<ToolResult> {
  const question = questionFrom(given);
  const envelope = await ports.search(question, signal);
  const id = ports.ids.token(8);
  const text = envelopeText(envelope, { id, budget: question.budget });
  return { outcome: success(text), data: neutralJson(fencedEnvelope(envelope, id)) };
}

/** The question in arguments that fit the tool's parameters. */
export function questionFrom(given: JsonObject): Question & { readonly budget: number } {
  const text = asText(given.question) ?? '';
  if (text.trim() === '') throw new Fault('tools/bad-arguments', '"question" must say what to look for.');
  return {
    text,
    limit: asNumber(given.limit) ?? LIMIT,
    sources: asTexts(given.in),
    topic: asText(given.topic),
    paths: asTexts(given.paths) ?? [],
    labels: parseSelectors(asTexts(given.labels) ?? []),
    budget: asNumber(given.budget) ?? BUDGET_TOKENS,
    explain: false,
  };
}

/** The same envelope as everywhere, each text in its fence: there are clients that show a model the data alone. */
function fencedEnvelope(envelope: Envelope, id: string): Envelope {
  const fenced = (hit: Hit): Hit => ({
    ...hit,
    title: fencedTitle(hit),
    snippet: dataFence(id, hit.snippet),
    ...(hit.text !== undefined && { text: dataFence(id, hit.text) }),
  });
  return {
    ...envelope,
    hits: envelope.hits.map(fenced),
    near_misses: envelope.near_misses.map(fenced),
  };
}

/** Headings of what was fetched are the source's words as well, so its title is where it is. */
function fencedTitle({ kind, title, citation }: Hit): string {
  return singleLine(kind === 'chunk' ? (citation.path ?? citation.uri) : title);
}

interface Telling {
  /** Id of the fences. */
  readonly id: string;
  readonly budget: number;
}

/** Titles and texts come from files, models and the net: only ken's own words are outside of a fence. */
function envelopeText(envelope: Envelope, telling: Telling): string {
  const missing = (envelope.unavailable ?? []).map(
    ({ in: name, message }) => `${name} could not be searched: ${singleLine(message)}`,
  );
  return [...missing, foundText(envelope, telling)].join('\n\n');
}

function foundText({ hits, abstained, near_misses: near }: Envelope, { id, budget }: Telling): string {
  if (hits.length > 0) {
    const found = hits.map((hit, at) => `${at + 1}. ${standing(hit)}\n${dataFence(id, shownText(hit))}`);
    return [aboutDataFences(id), ...found].join('\n\n');
  }
  if (!abstained) return `Nothing that was found fits into ${budget} tokens.`;
  if (near.length === 0) return 'Nothing was found.';
  const nearest = near.slice(0, NEAREST).map((hit) => `- ${standing(hit)}\n${dataFence(id, hit.title)}`);
  return ['Nothing is near enough to be an answer. The nearest:', aboutDataFences(id), ...nearest].join(
    '\n\n',
  );
}

function standing({ citation, trust, freshness, superseded_by: by }: Hit): string {
  const since = freshness.stale_since === undefined ? '' : ` since ${freshness.stale_since.slice(0, 10)}`;
  const marks = [trust.tier, ...(freshness.status === 'current' ? [] : [`${freshness.status}${since}`])];
  return `${citation.uri} (${[...marks, ...(by === undefined ? [] : ['superseded'])].join(', ')})`;
}

function shownText({ title, text, snippet }: Hit): string {
  return `${title}\n\n${text ?? snippet}`;
}
