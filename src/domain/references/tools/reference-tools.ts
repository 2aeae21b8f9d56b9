import { aboutDataFences, dataFence, FENCE_BYTES, neutralJson } from '../../../base/data-fence.ts';
import {
  asNumber,
  asText,
  asTexts,
  isJsonList,
  type Json,
  type JsonObject,
  memberOf,
  withoutNulls,
} from '../../../base/json.ts';
import { counted } from '../../../base/text.ts';
import { toApprovalError } from '../../approvals/approval-text.ts';
import {
  type CallWatcher,
  failure,
  success,
  type Tool,
  type ToolMaker,
  type ToolResult,
} from '../../tools/tool.ts';
import { refusal, type ToolShape, type UnattendedTool, unattendedTool } from '../../tools/unattended-tool.ts';
import type { CreatePorts } from '../lifecycle/create-topic.ts';
import type { FetchLimits, RequestedSource } from '../lifecycle/topic-request.ts';
import { searchReferences } from '../search/search-references.ts';
import { searchTopics } from '../search/search-topics.ts';
import { listTopics, type TopicSummary } from '../topic/list-topics.ts';
import { fencedHits, fencedTopics, plainSummary } from './fenced-answers.ts';
import { CREATE, LIST_TOPICS, SEARCH, SEARCH_TOPICS, UPDATE_TOPIC } from './reference-tool-shapes.ts';

export type ReferenceToolPorts = CreatePorts;

export interface ReferenceCaller {
  readonly ghost: string;
  /** Undefined when no model is involved. */
  readonly model: string | undefined;
  readonly workspace: string | undefined;
  /** Limits for each source. */
  readonly limits: FetchLimits;
}

/** The limits that `references` of the configuration sets. */
export function fetchLimits({ max_files, max_bytes, max_file_bytes }: ReferenceLimits): FetchLimits {
  return { maxFiles: max_files, maxBytes: max_bytes, maxFileBytes: max_file_bytes };
}

export interface ReferenceLimits {
  readonly max_files: number;
  readonly max_bytes: number;
  readonly max_file_bytes: number;
}

/** Describing the tools loads little; what a tool does is loaded when it is called. */
export function referenceTools(ports: ReferenceToolPorts, caller: ReferenceCaller): readonly ToolMaker[] {
  return [
    tool('reference_search', 'read', SEARCH, (given, signal) => search(ports, given, signal)),
    tool('reference_topic_search', 'read', SEARCH_TOPICS, async ({ question }, signal) => {
      const found = await topicsAbout(ports, asText(question) ?? '', signal);
      // Programs that know this name parse its text.
      return { ...found, outcome: success(JSON.stringify(found.data.topics, null, 2)) };
    }),
    tool('reference_topic_list', 'read', LIST_TOPICS, async ({ question, include_obsolete: all }, signal) => {
      const asked = filledText(question);
      if (asked !== undefined) return topicsAbout(ports, asked, signal);
      return fencedAnswer(
        ports,
        (await listTopics(ports, { includeObsolete: all === true })).map(plainSummary),
      );
    }),
    tool('reference_topic_create', 'network', CREATE, (given, signal, { onProgress, recordDecision }) =>
      create({ ...ports, recordDecision }, { ...caller, ...(onProgress && { onProgress }) }, given, signal),
    ),
    // Its words stay, in every workspace, and stand in the system prompt.
    tool(
      'reference_topic_update',
      'write',
      UPDATE_TOPIC,
      async (given) => update(ports, caller, given),
      'ask',
    ),
  ];
}

function tool(
  name: string,
  reach: Tool['reach'],
  shape: ToolShape,
  call: UnattendedTool['call'],
  run: Tool['run'] = 'unattended',
): ToolMaker {
  const faults = ['references', 'git', 'net', 'approvals'] as const;
  return [name, () => unattendedTool({ name, reach, shape, faults, run, shown: shownArguments, call })];
}

async function topicsAbout(
  ports: ReferenceToolPorts,
  question: string,
  signal: AbortSignal,
): Promise<ToolResult & { readonly data: JsonObject }> {
  const id = ports.ids.token(FENCE_BYTES);
  const found = fencedTopics(id, await searchTopics(ports, { query: question }, signal));
  if (found.length === 0) return noTopics('No reference topic is about this.');
  const topics = found.map((topic) => withoutNulls(neutralJson(topic)));
  const text = aboutDataFences(id);
  return { outcome: success(`${text}\n${JSON.stringify(topics, null, 2)}`), data: { text, topics } };
}

function shownArguments({ title, question, topic, topic_id: id }: JsonObject): string {
  const words = [title, question, topic, id].filter((each) => typeof each === 'string');
  return words.join(' · ');
}

async function search(
  ports: ReferenceToolPorts,
  given: JsonObject,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { limit, kind } = given;
  const found = await searchReferences(
    ports,
    {
      question: asText(given.question) ?? '',
      topic: filledText(given.topic),
      limit: asNumber(limit),
      paths: asTexts(given.paths) ?? [],
      kind: kind === 'docs' || kind === 'code' ? kind : undefined,
    },
    signal,
  );
  return fencedHits(ports, found, given.details === true);
}

async function create(
  ports: ReferenceToolPorts,
  { ghost, model, workspace, limits, onProgress }: ReferenceCaller & Pick<CallWatcher, 'onProgress'>,
  given: JsonObject,
  signal: AbortSignal,
): Promise<ToolResult> {
  const title = asText(given.title) ?? '';
  const { max_age_days: maxAgeDays, trust_score: trustScore } = given;
  const { createTopic, deniedFault } = await import('../lifecycle/create-topic.ts');
  const outcome = await createTopic(
    ports,
    {
      topic: {
        title,
        body: asText(given.body) ?? '',
        sources: sourcesIn(given.sources),
        tags: asTexts(given.tags) ?? [],
        ...(typeof maxAgeDays === 'number' && { maxAgeDays }),
        ...(typeof trustScore === 'number' && { trustScore }),
        createdBy: { ghost, model },
        limits,
      },
      workspace,
      actor: ghost,
      ...(onProgress && { onProgress }),
    },
    signal,
  );
  if (outcome.kind !== 'created') {
    const { id, reason } = outcome.approval;
    if (outcome.kind === 'denied') return refusal(deniedFault(title));
    return { outcome: failure(toApprovalError(reason)), data: { approval_id: id } };
  }
  const data = neutralJson(outcome.topic);
  const text = `Created ${outcome.topic.topic_id}: ${counted(outcome.topic.file_count, 'file')}.`;
  return { outcome: success(JSON.stringify(data)), data: { text, ...data } };
}

async function update(
  ports: ReferenceToolPorts,
  { ghost, model }: ReferenceCaller,
  given: JsonObject,
): Promise<ToolResult> {
  const { max_age_days: age, tags } = given;
  const { updateTopic } = await import('../lifecycle/update-topic.ts');
  const summary = await updateTopic(ports, {
    topic: asText(given.topic_id) ?? '',
    by: { ghost, model },
    patch: {
      status: filledText(given.status),
      maxAgeDays: asNumber(age),
      body: filledText(given.body),
      tags: tags === undefined ? undefined : (asTexts(tags) ?? []),
    },
  });
  const data = withoutNulls(neutralJson(plainSummary(summary)));
  return { outcome: success(JSON.stringify(data)), data: { text: `Changed ${summary.topic_id}.`, ...data } };
}

/** Titles and tags may come from a page. */
function fencedAnswer({ ids }: Pick<ReferenceToolPorts, 'ids'>, topics: readonly TopicSummary[]): ToolResult {
  const id = ids.token(FENCE_BYTES);
  if (topics.length === 0) return noTopics('There is no reference topic.');
  const about = aboutDataFences(id);
  const listed = topics.map((topic) => withoutNulls(neutralJson(topic)));
  const fenced = topics.map((topic) => ({ ...topic, title: dataFence(id, topic.title) }));
  return {
    outcome: success(`${about}\n${dataFence(id, JSON.stringify(listed, null, 2))}`),
    data: { text: about, topics: fenced.map((topic) => withoutNulls(neutralJson(topic))) },
  };
}

function noTopics(text: string) {
  return { outcome: success(text), data: { text, topics: [] } };
}

function sourcesIn(value: Json | undefined): RequestedSource[] {
  return (isJsonList(value) ? value : []).map((each) => {
    const url = asText(memberOf(each, 'url')) ?? '';
    if (memberOf(each, 'type') === 'web') return { type: 'web', url };
    const ref = filledText(memberOf(each, 'ref'));
    return {
      type: 'git',
      url,
      ...(ref !== undefined && { ref }),
      paths: asTexts(memberOf(each, 'paths')) ?? [],
    };
  });
}

function filledText(value: Json | undefined): string | undefined {
  return asText(value) || undefined;
}
