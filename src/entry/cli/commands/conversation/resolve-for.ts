import type { WorkspaceApp } from '../../../../app.ts';
import { splitCommand } from '../../../../base/split-command.ts';
import { resolveConfig } from '../../../../config/resolve.ts';
import { labelPorts } from '../../../../domain/conversations/label-commands.ts';
import { type ConfiguredLabels, labelRules } from '../../../../domain/conversations/label-rules.ts';
import { type LabelInput, resolveLabels } from '../../../../domain/conversations/resolve-labels.ts';
import type { Labels } from '../../../../domain/labels/label.ts';
import type { Invocation } from '../../command.ts';

/** Labels by the rules of the configuration, with the operator asked where a rule says so. */
export async function resolveLabelsFor(
  { terminal, signal, environment }: Pick<Invocation, 'terminal' | 'signal' | 'environment'>,
  app: WorkspaceApp,
  input: Omit<LabelInput, 'rules'>,
): Promise<Labels> {
  const ports = labelPorts(app, { workspace: app.workspace.root, environment, signal, warn: terminal.warn });
  return resolveLabels(ports, { ...input, rules: labelRules(await configuredLabels(app), splitCommand) });
}

/**
 * What a conversation says about a label is the value it was given, which must not hide the rule that finds it
 * anew; it counts where nothing else configures the label.
 */
async function configuredLabels({ config, settings }: WorkspaceApp): Promise<ConfiguredLabels> {
  const own = config.conversation.labels;
  const below = settings.layers.filter(({ standing }) => standing !== 'conversation');
  if (below.length === settings.layers.length) return own;
  const { config: rules } = await resolveConfig(below, async () => settings.isTrusted);
  return { ...own, ...rules.conversation.labels };
}
