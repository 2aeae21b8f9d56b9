import { aboutDataFences, dataFence, neutralJson } from '../../../base/data-fence.ts';
import { Fault } from '../../../base/fault.ts';
import type { IdSource } from '../../../base/ids.ts';
import { asNumber, asText, asTexts, type JsonObject } from '../../../base/json.ts';
import { singleLine } from '../../../base/terminal-text.ts';
import { parseSelectors } from '../../labels/parse-selector.ts';
import { success, type Tool, type ToolResult } from '../../tools/tool.ts';
import { unattendedTool } from '../../tools/unattended-tool.ts';
import { strengthOf } from '../ranking/outcome.ts';
import type { Envelope, Hit } from './hit.ts';
import type { Question } from './search-everything.ts';
import { SEARCH } from './search-tool-schema.ts';

export interface SearchToolPorts {
  readonly ids: IdSource;
  search(question: Question, signal: AbortSignal): Promise<Envelope>;
}

const LIMIT = 8;
const BUDGET_TOKENS = 2000;

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
  const text = envelopeText(envelope, id);
  return { outcome: success(text), data: neutralJson(fencedEnvelope(envelope, id)) };
}

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

/** Fences each text in the data too, since some clients show a model only that. */
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

/** Headings of fetched files are foreign text, so the title is the citation. */
function fencedTitle({ kind, title, citation }: Hit): string {
  return singleLine(kind === 'chunk' ? (citation.path ?? citation.uri) : title);
}

/** Titles and texts come from files, models and the net: only ken's own words are outside of a fence. */
function envelopeText(envelope: Envelope, id: string): string {
  const missing = (envelope.unavailable ?? []).map(
    ({ in: name, message }) => `${name} could not be searched: ${singleLine(message)}`,
  );
  return [...missing, foundText(envelope, id)].join('\n\n');
}

function foundText({ outcome, hits, near_misses: near }: Envelope, id: string): string {
  if (outcome === 'nothing') return 'Nothing was found.';
  const shown = outcome === 'answers' ? hits : near;
  const listed = shown.map((hit, at) => `${at + 1}. ${standing(hit)}\n${dataFence(id, shownText(hit))}`);
  const first = outcome === 'answers' ? [] : ['Nothing answers this. The nearest:'];
  return [...first, aboutDataFences(id), ...listed].join('\n\n');
}

function standing({ citation, trust, freshness, score, superseded_by: by }: Hit): string {
  const since = freshness.stale_since === undefined ? '' : ` since ${freshness.stale_since.slice(0, 10)}`;
  const marks = [
    strengthOf(score),
    trust.tier,
    ...(freshness.status === 'current' ? [] : [`${freshness.status}${since}`]),
  ];
  return `${citation.uri} (${[...marks, ...(by === undefined ? [] : ['superseded'])].join(', ')})`;
}

function shownText({ title, text, snippet }: Hit): string {
  return `${title}\n\n${text ?? snippet}`;
}
