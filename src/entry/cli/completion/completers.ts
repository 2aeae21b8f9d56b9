/** Completers for arguments and options. Each loads the code that it needs when it is called. */

import type { App } from '../../../app.ts';
import type { Json } from '../../../base/json.ts';
import type { KeyPath } from '../../../config/key-path.ts';
import type { Node } from '../../../config/schema/node.ts';
import type { Topic } from '../../../domain/knowledge-base/topic.ts';
import type { Command, RegisteredCommand } from '../command.ts';
import { isNamed } from '../find-command.ts';
import type { Options } from '../options.ts';

/** May return more than begins with the typed text. If it throws or takes long, nothing is suggested. */
export type Completer = (request: CompletionRequest) => Promise<readonly Suggestion[]>;

export interface Suggestion {
  readonly value: string;
  readonly description?: string | undefined;
  /** More text must follow, so no space is added. */
  readonly isPartial?: boolean;
}

export interface CompletionRequest {
  readonly typed: string;
  readonly arguments: readonly string[];
  readonly options: Options<string>;
  readonly commands: readonly RegisteredCommand[];
  /** With the line's `--cfg` and `--workspace`. */
  openAnywhere(): Promise<App>;
}

/** By the name in `complete` of arguments and options. */
export const COMPLETERS: Readonly<Record<string, Completer>> = {
  approvals: completeApprovals,
  commands: completeCommands,
  'config-keys': completeConfigKeys,
  conversations: completeConversations,
  entries: completeEntries,
  jobs: completeJobs,
  labels: completeLabels,
  'reference-topics': completeReferenceTopics,
  servers: completeServers,
  'standing-approvals': completeStandingApprovals,
  subjects: completeSubjects,
  tools: completeTools,
  topics: completeTopics,
  'topic-subjects': completeTopicSubjects,
};

export const COMPLETED_BY_SHELL = ['files', 'directories'] as const;

/** Pending ones; all once the beginning of an id is typed. */
async function completeApprovals({ typed, openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const { approvals, clock } = await openAnywhere();
  const found = await approvals.list(
    typed === '' ? { statuses: ['pending'], limit: 50 } : { idPrefix: typed, limit: 50 },
    clock.now(),
  );
  return found.map(({ id, summary }) => ({ value: id, description: summary }));
}

async function completeStandingApprovals({ openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const { standingApprovals, clock } = await openAnywhere();
  const found = await standingApprovals.list(clock.now());
  return found.map(({ id, covers }) => ({ value: id, description: covers }));
}

/** Subcommands of the command that the words before lead to. */
async function completeCommands({
  arguments: [first, ...rest],
  commands,
}: CompletionRequest): Promise<Suggestion[]> {
  if (first === undefined) {
    return commands
      .filter(({ hidden }) => !hidden)
      .map(({ name, summary }) => ({ value: name, description: summary }));
  }
  let command: Command | undefined = await commands.find((each) => isNamed(each, first))?.load();
  for (const word of rest) command = command?.subcommands?.find((each) => isNamed(each, word));
  return (command?.subcommands ?? []).map(({ name, summary }) => ({ value: name, description: summary }));
}

/** Keys that hold a value. Where names are free (`kb.topic.<id>`), the existing ones. */
async function completeConfigKeys({ openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const { SCHEMA } = await import('../../../config/schema.ts');
  const { formatKeyPath } = await import('../../../config/key-path.ts');
  const { child, isTree } = await import('../../../config/tree.ts');
  const { config } = await openAnywhere();
  function* keysBelow(node: Node, path: KeyPath, value: Json | undefined): Generator<Suggestion> {
    const below = value !== undefined && isTree(value) ? value : {};
    if (node.kind === 'table') {
      for (const [name, field] of Object.entries(node.fields))
        yield* keysBelow(field, [...path, name], child(below, name));
    } else if (node.kind === 'map') {
      for (const name of Object.keys(below))
        yield* keysBelow(node.value, [...path, name], child(below, name));
    } else yield { value: formatKeyPath(path), description: node.description };
  }
  return [...keysBelow(SCHEMA, [], config as Json)];
}

const EVERY_CONVERSATION = { labels: [], archived: 'with', local: 'with' } as const;

async function completeConversations({ openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const found = (await (await openAnywhere()).conversations?.list(EVERY_CONVERSATION)) ?? [];
  const keywords = ['@active', '@last', '@prev'].map((value) => ({ value }));
  return [...keywords, ...found.map(({ id, metadata }) => ({ value: id, description: metadata.title }))];
}

/** Newest first, whatever their status. */
async function completeEntries({ openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const found = (await (await openAnywhere()).ledger?.list({ limit: 200 })) ?? [];
  return found.map(({ id, title }) => ({ value: id, description: title }));
}

/** Running ones; all once the beginning of an id is typed. */
async function completeJobs({ typed, openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const { jobs } = await openAnywhere();
  const found = await jobs.list(typed === '' ? { isRunning: true, limit: 50 } : { limit: 1000 });
  const fitting = found.filter(({ id }) => id.startsWith(typed)).slice(0, 50);
  return fitting.map(({ id, title }) => ({ value: id, description: title }));
}

async function completeLabels({ openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const { formatLabel } = await import('../../../domain/labels/label.ts');
  const found = (await (await openAnywhere()).conversations?.list(EVERY_CONVERSATION)) ?? [];
  const labels = found.flatMap(({ metadata }) =>
    [...metadata.labels].map(([key, value]) => formatLabel(key, value)),
  );
  return [...new Set(labels)].map((value) => ({ value }));
}

/** Includes obsolete topics, which can be shown, updated and deleted. */
async function completeReferenceTopics({ openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const { recentTopics } = await import('../../../domain/references/topic/list-topics.ts');
  const { topicId } = await import('../../../domain/references/topic/topic.ts');
  const topics = await recentTopics(await openAnywhere());
  return topics.map((topic) => ({ value: topicId(topic), description: topic.title }));
}

async function completeServers({ openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const { config } = await openAnywhere();
  return Object.entries(config.providers.mcp).map(([value, { command, url }]) => ({
    value,
    description: url ?? command,
  }));
}

/** Subjects of the topic on the line, including hidden ones, since the operator asks. */
async function completeSubjects({
  arguments: [asked = ''],
  openAnywhere,
}: CompletionRequest): Promise<Suggestion[]> {
  const { findTopic } = await import('../../../domain/knowledge-base/topic.ts');
  const app = await openAnywhere();
  const topic = findTopic(await enabledTopics(app), asked);
  return topic ? subjectsOf(app, topic) : [];
}

async function completeTools({ openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const { toolSettings } = await import('../../../domain/tools/tool-settings.ts');
  const { config } = await openAnywhere();
  const configured = toolSettings(config.conversation.tools);
  const hasLearn = configured.some(({ name }) => name === 'learn');
  return [
    ...(hasLearn ? [] : [{ value: 'learn', description: 'reads the knowledge base' }]),
    ...configured.map(({ name, description }) => ({ value: name, description })),
  ];
}

async function completeTopics({ openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const topics = await enabledTopics(await openAnywhere());
  return topics.map(({ id, title }) => ({ value: id, description: title }));
}

/** `topic/slug` in one word. */
async function completeTopicSubjects({ typed, openAnywhere }: CompletionRequest): Promise<Suggestion[]> {
  const app = await openAnywhere();
  const topics = await enabledTopics(app);
  const topic = topics.find(({ id }) => typed.startsWith(`${id}/`));
  if (!topic)
    return topics.map(({ id, title }) => ({ value: `${id}/`, description: title, isPartial: true }));
  const subjects = await subjectsOf(app, topic);
  return subjects.map((subject) => ({ ...subject, value: `${topic.id}/${subject.value}` }));
}

async function enabledTopics(app: App): Promise<readonly Topic[]> {
  const { offeredKnowledge } = await import('../../../domain/knowledge-base/topic.ts');
  return offeredKnowledge(app).topics.filter(({ enabled }) => enabled);
}

async function subjectsOf(app: App, topic: Topic): Promise<Suggestion[]> {
  const { openTopic } = await import('../../../domain/knowledge-base/open-topics.ts');
  const { catalog } = await openTopic(app, topic);
  return catalog.reachable.all.map(({ slug, hidden }) => ({
    value: slug,
    description: hidden ? 'hidden' : undefined,
  }));
}
