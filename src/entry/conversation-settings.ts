/** The settings and the labels that belong to one conversation. */

import type { ConversationPorts, WorkspaceApp } from '../app.ts';
import { splitCommand } from '../base/shell-words.ts';
import { conversationLayers } from '../config/conversation-config.ts';
import { type Layer, resolveConfig } from '../config/resolve.ts';
import type { NewLabels } from '../domain/conversations/change-labels.ts';
import type { Conversation } from '../domain/conversations/conversation.ts';
import { gatherDecisions } from '../domain/conversations/gather-decisions.ts';
import { labelPorts } from '../domain/conversations/label-commands.ts';
import { type ConfiguredLabels, labelRules } from '../domain/conversations/label-rules.ts';
import { type LabelInput, resolveLabels } from '../domain/conversations/resolve-labels.ts';

/** The settings that a conversation carries along: those it began with, and what changed since. */
export async function ownLayers(
  { conversations }: Pick<ConversationPorts, 'conversations'>,
  { id }: Conversation,
): Promise<Layer[]> {
  const [base, log] = await Promise.all([conversations.baseConfig(id), conversations.log(id)]);
  const deltas = (log?.events ?? []).flatMap((event) =>
    event.type === 'config_delta' ? [event.changes] : [],
  );
  return conversationLayers(id, base, deltas);
}

/** Where labels are resolved. */
interface ClientContext {
  readonly terminal: { warn(text: string): void };
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface LabelsOf extends Omit<LabelInput, 'rules'> {
  /** The conversation whose labels change, or that is forked; absent for a new one. */
  readonly conversation: Conversation | undefined;
}

/** Labels by the rules of the configuration, and the decisions of the operator where a rule needed one. */
export async function resolveLabelsFor(
  { terminal, signal, environment }: ClientContext,
  app: WorkspaceApp,
  { conversation, ...input }: LabelsOf,
): Promise<NewLabels> {
  const { noteDecision, events: decisions } = gatherDecisions(app.clock);
  const place = { workspace: app.workspace.root, environment, signal, warn: terminal.warn };
  const rules = labelRules(await configuredLabels(app, conversation), splitCommand);
  const labels = await resolveLabels(labelPorts({ ...app, noteDecision }, place), { ...input, rules });
  return { labels, decisions };
}

/**
 * The label of a conversation has a value, which must not hide the rule that finds the value anew; it counts where
 * nothing else configures the label.
 */
async function configuredLabels(
  app: WorkspaceApp,
  conversation: Conversation | undefined,
): Promise<ConfiguredLabels> {
  const { settings } = app;
  const labelsIn = async (layers: readonly Layer[]) =>
    (await resolveConfig(layers, async () => settings.isTrusted)).config.conversation.labels;
  const own = conversation ? await labelsIn(await ownLayers(app, conversation)) : {};
  const others = settings.layers.filter(({ standing }) => standing !== 'conversation');
  return { ...own, ...(await labelsIn(others)) };
}
