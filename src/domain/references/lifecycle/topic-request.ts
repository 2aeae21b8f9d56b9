import { Fault } from '../../../base/fault.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject, memberOf } from '../../../base/json.ts';
import type { Labels } from '../../labels/label.ts';
import {
  addressOf,
  DEFAULT_MAX_AGE_DAYS,
  DEFAULT_TRUST_SCORE,
  type GitSource,
  type WebSource,
} from '../topic/topic.ts';

export interface TopicRequest {
  readonly title: string;
  readonly body: string;
  readonly sources: readonly RequestedSource[];
  readonly tags: readonly string[];
  readonly labels: Labels;
  readonly maxAgeDays: number;
  readonly trustScore: number;
  readonly createdBy: { readonly ghost: string; readonly model: string | undefined };
  readonly limits: FetchLimits;
}

export type RequestedSource =
  | Pick<GitSource, 'type' | 'url' | 'ref' | 'paths' | 'isTyped'>
  | Pick<WebSource, 'type' | 'url'>;

/** Limits for each source. */
export interface FetchLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly maxFileBytes: number;
}

export type NewTopic = Pick<TopicRequest, 'title' | 'sources' | 'createdBy' | 'limits'> &
  Partial<Omit<TopicRequest, 'title' | 'sources' | 'createdBy' | 'limits'>>;

const LONGEST_TITLE = 200;
const LONGEST_BODY = 100_000;
const MOST_SOURCES = 100;

/** Fills in defaults. Throws a Fault for invalid input. */
export function topicRequest(input: NewTopic): TopicRequest {
  if (input.sources.length === 0)
    throw invalid('A reference topic needs a source.', 'Give a git repository or a web page.');
  if (input.sources.length > MOST_SOURCES) throw invalid(`A topic has at most ${MOST_SOURCES} sources.`);
  const sources = input.sources.map(checkedSource);
  refuseTwice(sources);
  return { ...topicDescription(input), sources, limits: input.limits };
}

export type TopicDescription = Omit<TopicRequest, 'sources' | 'limits'>;

export function topicDescription(input: Omit<NewTopic, 'sources' | 'limits'>): TopicDescription {
  const title = input.title.replace(/\s+/g, ' ').trim();
  if (title === '' || title.length > LONGEST_TITLE)
    throw invalid(`A title has from 1 to ${LONGEST_TITLE} characters.`);
  const { maxAgeDays = DEFAULT_MAX_AGE_DAYS, trustScore = DEFAULT_TRUST_SCORE } = input;
  if (!isWhole(maxAgeDays)) throw invalid('The maximum age must be a whole number of days, 0 or more.');
  if (!isWhole(trustScore) || trustScore > 10) throw invalid('A trust score is a whole number from 0 to 10.');
  return {
    title,
    body: checkedBody(input.body ?? ''),
    tags: distinctTags(input.tags ?? []),
    labels: input.labels ?? new Map(),
    maxAgeDays,
    trustScore,
    createdBy: input.createdBy,
  };
}

export function checkedBody(body: string): string {
  if (body.length <= LONGEST_BODY) return body;
  throw invalid(
    `What a topic is about has at most ${LONGEST_BODY} characters.`,
    'Tell it in short; what is long belongs into its sources.',
  );
}

/** Each tag once, on one line. */
export function distinctTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.replace(/\s+/g, ' ').trim()).filter(Boolean))];
}

function checkedSource(source: RequestedSource): RequestedSource {
  const url = source.url.trim();
  if (url === '') throw invalid('A source has an address.');
  if (source.type === 'web' && !/^https?:\/\//i.test(url))
    throw invalid(`"${url}" is not the address of a web page.`, 'It begins with https://.');
  const { username = '', password = '' } = URL.parse(url) ?? {};
  if (source.type === 'web' && (username !== '' || password !== ''))
    throw invalid('An address with a name or password in it is not fetched.', 'Take them out of it.');
  return { ...source, url };
}

function refuseTwice(sources: readonly RequestedSource[]): void {
  const seen = new Set<string>();
  for (const source of sources) {
    const key = JSON.stringify([source.type, source.url, 'ref' in source ? source.ref : undefined]);
    if (seen.has(key))
      throw invalid(`${source.url} is given twice.`, 'Put all paths of a repository into one source.');
    seen.add(key);
  }
}

function isWhole(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0;
}

function invalid(message: string, hint?: string): Fault {
  return new Fault('references/invalid', message, { hint });
}

export function requestAsJson(request: TopicRequest): JsonObject {
  const { createdBy, labels, limits, sources } = request;
  return {
    title: request.title,
    body: request.body,
    sources: sources.map(sourceAsJson),
    tags: request.tags,
    labels: Object.fromEntries(labels),
    max_age_days: request.maxAgeDays,
    trust_score: request.trustScore,
    created_by: { ghost: createdBy.ghost, model: createdBy.model ?? null },
    limits: { max_files: limits.maxFiles, max_bytes: limits.maxBytes, max_file_bytes: limits.maxFileBytes },
  };
}

function sourceAsJson(source: RequestedSource): JsonObject {
  if (source.type === 'web') return { type: 'web', url: addressOf({ ...source, unknown: {} }) };
  const { url, ref, paths, isTyped } = source;
  return { type: 'git', url, ref: ref ?? null, paths, typed: isTyped === true };
}

/** Inverse of `requestAsJson`; undefined for any other JSON. */
export function requestFromJson(json: Json): TopicRequest | undefined {
  if (!isJsonObject(json)) return undefined;
  const { title, body, sources, tags, labels, max_age_days: age, trust_score: trust } = json;
  const createdBy = memberOf(json, 'created_by');
  const ghost = memberOf(createdBy, 'ghost');
  const model = memberOf(createdBy, 'model');
  const limits = limitsFrom(memberOf(json, 'limits'));
  const isText = typeof title === 'string' && typeof body === 'string' && typeof ghost === 'string';
  if (!isText || typeof age !== 'number' || typeof trust !== 'number' || !limits) return undefined;
  if (!isJsonList(sources) || !isJsonList(tags) || !isJsonObject(labels)) return undefined;
  return {
    title,
    body,
    sources: sources.flatMap(sourceFromJson),
    tags: tags.map(String),
    labels: new Map(Object.entries(labels).map(([key, value]) => [key, String(value)])),
    maxAgeDays: age,
    trustScore: trust,
    createdBy: { ghost, model: typeof model === 'string' ? model : undefined },
    limits,
  };
}

function limitsFrom(json: Json | undefined): FetchLimits | undefined {
  const maxFiles = memberOf(json, 'max_files');
  const maxBytes = memberOf(json, 'max_bytes');
  const maxFileBytes = memberOf(json, 'max_file_bytes');
  if (typeof maxFiles !== 'number' || typeof maxBytes !== 'number' || typeof maxFileBytes !== 'number')
    return undefined;
  return { maxFiles, maxBytes, maxFileBytes };
}

function sourceFromJson(json: Json): RequestedSource[] {
  const url = memberOf(json, 'url');
  const paths = memberOf(json, 'paths');
  const ref = memberOf(json, 'ref');
  if (typeof url !== 'string') return [];
  if (memberOf(json, 'type') === 'web') return [{ type: 'web', url }];
  return [
    {
      type: 'git',
      url,
      ...(typeof ref === 'string' && { ref }),
      paths: isJsonList(paths) ? paths.map(String) : [],
      ...(memberOf(json, 'typed') === true && { isTyped: true }),
    },
  ];
}
