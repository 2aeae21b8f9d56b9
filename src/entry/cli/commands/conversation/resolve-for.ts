import type { WorkspaceApp } from '../../../../app.ts';
import { splitCommand } from '../../../../base/split-command.ts';
import { labelPorts } from '../../../../domain/conversations/label-commands.ts';
import { labelRules } from '../../../../domain/conversations/label-rules.ts';
import { type LabelInput, resolveLabels } from '../../../../domain/conversations/resolve-labels.ts';
import type { Labels } from '../../../../domain/labels/label.ts';
import type { Invocation } from '../../command.ts';

/** Labels by the rules of the configuration, with the operator asked where a rule says so. */
export function resolveLabelsFor(
  { terminal, signal, environment }: Pick<Invocation, 'terminal' | 'signal' | 'environment'>,
  app: WorkspaceApp,
  input: Omit<LabelInput, 'rules'>,
): Promise<Labels> {
  const ports = labelPorts(app, { workspace: app.workspace.root, environment, signal, warn: terminal.warn });
  return resolveLabels(ports, { ...input, rules: labelRules(app.config.conversation.labels, splitCommand) });
}
