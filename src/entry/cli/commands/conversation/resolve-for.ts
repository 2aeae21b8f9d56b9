import type { ConversationPorts, WorkspaceApp } from '../../../../app.ts';
import { splitCommand } from '../../../../base/shell-words.ts';
import { conversationLayers } from '../../../../config/conversation-config.ts';
import { type Layer, resolveConfig } from '../../../../config/resolve.ts';
import type { NewLabels } from '../../../../domain/conversations/change-labels.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';
import { gatherDecisions } from '../../../../domain/conversations/gather-decisions.ts';
import { labelPorts } from '../../../../domain/conversations/label-commands.ts';
import { type ConfiguredLabels, labelRules } from '../../../../domain/conversations/label-rules.ts';
import { type LabelInput, resolveLabels } from '../../../../domain/conversations/resolve-labels.ts';
import type { Invocation } from '../../command.ts';

/** Labels by the rules of the configuration, with the operator asked where a rule says so, and what they said. */
export async function resolveLabelsFor(
  { terminal, signal, environment }: Pick<Invocation, 'terminal' | 'signal' | 'environment'>,
  app: WorkspaceApp,
  { conversation, ...input }: LabelsOf,
): Promise<NewLabels> {
  const { noteDecision, events: decisions } = gatherDecisions(app.clock);
  const place = { workspace: app.workspace.root, environment, signal, warn: terminal.warn };
  const rules = labelRules(await configuredLabels(app, conversation), splitCommand);
  const labels = await resolveLabels(labelPorts({ ...app, noteDecision }, place), { ...input, rules });
  return { labels, decisions };
}

interface LabelsOf extends Omit<LabelInput, 'rules'> {
  /** Whose labels change, or which one is forked; absent for a new one. */
  readonly conversation: Conversation | undefined;
}

/**
 * What a conversation says about a label is the value it was given, which must not hide the rule that finds it
 * anew; it counts where nothing else configures the label.
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

/** The settings that a conversation carries along: what it began with, and what changed since. */
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
