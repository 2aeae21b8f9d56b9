import type { ConversationPorts, WorkspaceApp } from '../app.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { splitCommand } from '../base/shell-words.ts';
import { isoTime } from '../base/time.ts';
import {
  conversationDelta,
  conversationLayers,
  conversationSnapshot,
} from '../config/conversation-config.ts';
import { type Layer, resolveConfig } from '../config/resolve.ts';
import type { Config } from '../config/schema.ts';
import { type NewLabels, putLabels } from '../domain/conversations/change-labels.ts';
import type { Conversation } from '../domain/conversations/conversation.ts';
import { gatherDecisions } from '../domain/conversations/gather-decisions.ts';
import { labelPorts } from '../domain/conversations/label-commands.ts';
import { type ConfiguredLabels, labelRules } from '../domain/conversations/label-rules.ts';
import { type LabelInput, resolveLabels } from '../domain/conversations/resolve-labels.ts';
import type { ConversationWriter } from '../domain/conversations/store.ts';
import type { LabelChange } from '../domain/labels/label.ts';
import type { LabelDirective } from '../domain/labels/label-directive.ts';

type SettingPorts = Pick<ConversationPorts, 'conversations' | 'givenSettings'>;

/** Settings that belong to the conversation: those it began with, and later changes. */
export async function ownLayers(
  { conversations, givenSettings }: SettingPorts,
  { id }: Conversation,
): Promise<Layer[]> {
  const [base, log] = await Promise.all([conversations.baseConfig(id), conversations.log(id)]);
  const deltas = (log?.events ?? []).flatMap((event) =>
    event.type === 'config_delta' ? [event.changes] : [],
  );
  // Private ones too: a backup of somebody else can bring them.
  return conversationLayers(id, { base, deltas }, givenSettings.has);
}

/** The settings that a new conversation begins with, recorded as the operator's. */
export async function settingsToBegin(
  { givenSettings }: Pick<SettingPorts, 'givenSettings'>,
  config: Config,
): Promise<JsonObject> {
  const settings = conversationSnapshot(config);
  await givenSettings.add(settings);
  return settings;
}

/** The changes from one configuration to another, recorded as the operator's. */
export async function settingsToAdd(
  { givenSettings }: Pick<SettingPorts, 'givenSettings'>,
  before: Config,
  after: Config,
): Promise<readonly Json[]> {
  const changes = conversationDelta(before, after) as readonly Json[];
  if (changes.length > 0) await givenSettings.add([...changes]);
  return changes;
}

interface ClientContext {
  readonly terminal: { warn(text: string): void };
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface LabelsOf extends Omit<LabelInput, 'rules'> {
  /** The conversation whose labels change, or that is forked; undefined for a new one. */
  readonly conversation: Conversation | undefined;
}

/** Includes the decisions of the operator where a rule needed one. */
export async function resolveLabelsFor(
  { terminal, signal, environment }: ClientContext,
  app: WorkspaceApp,
  { conversation, ...input }: LabelsOf,
): Promise<NewLabels> {
  const { recordDecision, events: decisions } = gatherDecisions(app.clock);
  const place = { workspace: app.workspace.root, environment, signal, warn: terminal.warn };
  const rules = labelRules(await configuredLabels(app, conversation), splitCommand);
  const labels = await resolveLabels(labelPorts({ ...app, recordDecision }, place), { ...input, rules });
  return { labels, decisions };
}

interface Relabelling {
  readonly writer: ConversationWriter;
  readonly conversation: Conversation;
  readonly directives: readonly LabelDirective[];
}

/** Changes the labels of a conversation that exists; returns what changed. */
export async function relabel(
  context: ClientContext,
  app: WorkspaceApp,
  { writer, conversation, directives }: Relabelling,
): Promise<readonly LabelChange[]> {
  const before = conversation.metadata.labels;
  const labels = await resolveLabelsFor(context, app, {
    event: 'existing',
    conversation,
    before,
    directives,
  });
  return putLabels(writer, conversation, labels, isoTime(app.clock.now()));
}

/** A label's stored value counts only where nothing configures the label, so that it does not hide the rule. */
async function configuredLabels(
  app: WorkspaceApp,
  conversation: Conversation | undefined,
): Promise<ConfiguredLabels> {
  const { settings } = app;
  const labelsIn = async (layers: readonly Layer[]) =>
    (await resolveConfig(layers, async () => settings.isTrusted)).config.conversation.labels;
  const own = conversation ? await labelsIn(await ownLayers(app, conversation)) : {};
  const others = settings.layers.filter(({ origin }) => origin.kind !== 'conversation');
  return { ...own, ...(await labelsIn(others)) };
}
