import { aboutDataFences, dataFence, nearestAnswer, neutralJson } from '../../../base/data-fence.ts';
import { Fault } from '../../../base/fault.ts';
import type { IdSource } from '../../../base/ids.ts';
import { asNumber, asText, asTexts, type JsonObject, withoutNulls } from '../../../base/json.ts';
import { singleLine } from '../../../base/terminal-text.ts';
import { CUT_MARK, cutText, estimateTokens, isCut } from '../../../base/text.ts';
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
  const envelope = await ports.search({ ...question, budget: textBudget(question.budget) }, signal);
  const id = ports.ids.token(8);
  const missing = (envelope.unavailable ?? []).map(
    ({ in: name, message }) => `${name} could not be searched: ${shortened(singleLine(message))}`,
  );
  const { text, data } = answerFrom(envelope, {
    id,
    most: mostTokens(question.budget) - estimateTokens(missing.join('  ')),
    hasDetails: given.details === true,
  });
  if (missing.length === 0) return { outcome: success(text), data };
  const said = [...missing, data.text].join(' ');
  return { outcome: success([...missing, text].join('\n\n')), data: { ...data, text: said } };
}

/** The rest of the budget is for addresses and fences. */
function textBudget(budget: number): number {
  return Math.floor(budget * 0.85);
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

const MOST_REASON = 200;

function shortened(text: string): string {
  return text.length > MOST_REASON ? `${text.slice(0, MOST_REASON).toWellFormed()}…` : text;
}

interface AnswerInput {
  readonly id: string;
  /** Estimated tokens. */
  readonly most: number;
  readonly hasDetails: boolean;
}

/** Text and data say the same, since some clients show a model only one of them. */
function answerFrom(
  { outcome, hits, near_misses: near }: Envelope,
  { id, most, hasDetails }: AnswerInput,
): { readonly text: string; readonly data: JsonObject } {
  if (outcome === 'nothing') return { text: NOTHING, data: { outcome, text: NOTHING } };
  if (outcome === 'nearest') {
    const found = near.map(({ citation, title }) => ({ uri: citation.uri, title }));
    return nearestAnswer(id, 'Nothing answers this. These are the nearest;', found);
  }
  const found = hits.map((hit) => ({ hit, text: hitText(hit) }));
  const formsOf = (shown: readonly ShownHit[]) => {
    const lead = leadOf(shown, id);
    const data = { outcome, text: lead, hits: shown.map((hit) => leanHit(hit, { id, hasDetails })) };
    return { text: textOf(shown, lead, id), data };
  };
  return formsOf(withinTokens(found, most, (shown) => costOf(formsOf(shown))));
}

const NOTHING = 'Nothing was found.';

/** An answer may exceed its budget by this share, or by this many tokens. */
function mostTokens(budget: number): number {
  return Math.floor(budget + Math.max(0.15 * budget, 150));
}

interface ShownHit {
  readonly hit: Hit;
  /** Title and text, before the fence. */
  readonly text: string;
}

/** The first line of a text is often its title. */
function hitText({ title, text, snippet }: Hit): string {
  const body = text ?? snippet;
  const [first = ''] = body.trimStart().split('\n', 1);
  return first.replace(/^#+\s*/, '').trim() === title.trim() ? body : `${title}\n\n${body}`;
}

function leadOf(hits: readonly ShownHit[], id: string): string {
  const about = aboutDataFences(id);
  if (!hits.some(({ text }) => isCut(text))) return about;
  return `${about} ${CUT_MARK} stands where a text is cut; show {"uri":…} opens the whole.`;
}

/** Titles and texts come from files, models and the net: only ken's own words are outside of a fence. */
function textOf(hits: readonly ShownHit[], lead: string, id: string): string {
  const listed = hits.map(
    ({ hit, text }, at) =>
      `${at + 1}. ${hit.citation.uri} (${marksOf(hit).join(', ')})\n${dataFence(id, text)}`,
  );
  return [lead, ...listed].join('\n\n');
}

function marksOf({ trust, freshness, score, superseded_by: by }: Hit): string[] {
  const since = freshness.stale_since === undefined ? '' : ` since ${freshness.stale_since.slice(0, 10)}`;
  return [
    strengthOf(score),
    trust.tier,
    ...(freshness.status === 'current' ? [] : [`${freshness.status}${since}`]),
    ...(by === undefined ? [] : ['superseded']),
  ];
}

interface LeanInput {
  readonly id: string;
  readonly hasDetails: boolean;
}

function leanHit({ hit, text }: ShownHit, { id, hasDetails }: LeanInput): JsonObject {
  const { trust, freshness, score, superseded_by: by, citation } = hit;
  return {
    uri: citation.uri,
    strength: strengthOf(score),
    trust: trust.tier,
    ...(freshness.status !== 'current' && { freshness: freshness.status }),
    ...(freshness.stale_since !== undefined && { stale_since: freshness.stale_since.slice(0, 10) }),
    ...(by !== undefined && { superseded_by: by }),
    ...(isCut(text) && { cut: true }),
    text: dataFence(id, text),
    ...(hasDetails && { details: detailsOf(hit) }),
  };
}

/** Scores, digests and ages, without what is in the hit already. */
function detailsOf(hit: Hit): JsonObject {
  const { kind, id, score, citation, freshness, trust, labels, topic, entry } = hit;
  const { uri: _, ...place } = citation;
  const { title: __, content: ___, ...kept } = entry ?? {};
  const details = {
    kind,
    id,
    score,
    citation: place,
    freshness,
    trust,
    labels,
    topic,
    ...(entry && { entry: kept }),
  };
  return withoutNulls(neutralJson(details));
}

/** The larger of both forms, in estimated tokens. */
function costOf({ text, data }: { readonly text: string; readonly data: JsonObject }): number {
  return Math.max(estimateTokens(text), estimateTokens(JSON.stringify(data)));
}

/** A hit with less of its text says too little. */
const LEAST_HIT_TOKENS = 40;

/** Shortens all texts alike, or leaves out the last hits; the best one is always there. */
function withinTokens(
  hits: readonly ShownHit[],
  most: number,
  cost: (hits: readonly ShownHit[]) => number,
): readonly ShownHit[] {
  let shown = hits;
  for (;;) {
    const over = cost(shown) - most;
    if (over <= 0) return shown;
    const texts = shown.reduce((sum, { text }) => sum + estimateTokens(JSON.stringify(text)), 0);
    const room = texts - over;
    if (room < shown.length * LEAST_HIT_TOKENS && shown.length > 1) {
      shown = shown.slice(0, -1);
      continue;
    }
    const share = Math.max(0, room) / Math.max(1, texts);
    const cut = shown.map(({ hit, text }) => ({
      hit,
      text: cutText(text, Math.floor(text.length * share * 0.95)),
    }));
    if (cut.every(({ text }, at) => text === shown[at]?.text)) return shown;
    shown = cut;
  }
}
