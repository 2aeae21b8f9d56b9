/** Which labels a conversation gets: inherited ones, then configured ones, then what was said for this call. */

import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import { changeLabels, type LabelChange, type Labels } from '../labels/label.ts';
import type { LabelDirective } from '../labels/label-directive.ts';
import { checkLabelValue } from '../labels/label-value.ts';
import type { LabelCommand, LabelRule } from './label-rules.ts';

export interface LabelPorts {
  /** May this command run? Throws where nobody can be asked. */
  permit(rule: LabelRule, command: LabelCommand): Promise<boolean>;
  /** Its standard output; a Fault when it fails, or takes too long. */
  run(rule: LabelRule, command: LabelCommand): Promise<string>;
  warn(text: string): void;
}

export interface LabelInput {
  readonly rules: readonly LabelRule[];
  /** `existing`: only what the directives name changes. */
  readonly event: 'new' | 'fork' | 'existing';
  /** What the conversation, or the one it is forked from, has already. */
  readonly before: Labels;
  readonly directives: readonly LabelDirective[];
}

/**
 * People are asked one after the other, before anything runs; what they permitted runs at the same time. An
 * automatic rule that fails is left out with a warning; an alias that fails is an error, and nothing is changed.
 */
export async function resolveLabels(ports: LabelPorts, input: LabelInput): Promise<Labels> {
  const automatic = input.rules.filter(({ applyOn }) => input.event !== 'existing' && applyOn[input.event]);
  const wanted: Wanted[] = [
    ...automatic.map((rule): Wanted => ({ rule, isAlias: false })),
    ...input.directives.map((directive): Wanted => wantedBy(directive, input.rules)),
  ];
  const permitted: Wanted[] = [];
  for (const each of wanted) if (await isPermitted(ports, each)) permitted.push(each);
  const changes = await Promise.all(permitted.map((each) => resolved(ports, each)));
  return changeLabels(
    input.before,
    changes.filter((change) => change !== undefined),
  );
}

/** A literal change, or a rule whose value is to be found. */
type Wanted = { readonly change: LabelChange } | { readonly rule: LabelRule; readonly isAlias: boolean };

function wantedBy(directive: LabelDirective, rules: readonly LabelRule[]): Wanted {
  if (directive.kind !== 'alias') return { change: directive };
  const rule = rules.find(({ key }) => key === directive.name);
  if (!rule) {
    const known = rules.map(({ key }) => key);
    throw new Fault('labels/unknown-alias', `There is no configured label "${directive.name}".`, {
      hint: didYouMean(directive.name, known) ?? 'Aliases name entries of conversation.labels.',
    });
  }
  if (rule.value.kind === 'command' && rule.run === 'deny') {
    throw new Fault('labels/denied', `The label "${rule.key}" may not run its command: its run is "deny".`);
  }
  return { rule, isAlias: true };
}

async function isPermitted(ports: LabelPorts, wanted: Wanted): Promise<boolean> {
  if ('change' in wanted || wanted.rule.value.kind === 'text') return true;
  const { rule } = wanted;
  if (rule.run !== 'ask') return rule.run === 'unattended';
  if (await ports.permit(rule, wanted.rule.value.command)) return true;
  ports.warn(`the label ${rule.key} is left out: its command was declined.`);
  return false;
}

async function resolved(ports: LabelPorts, wanted: Wanted): Promise<LabelChange | undefined> {
  if ('change' in wanted) return wanted.change;
  const { rule, isAlias } = wanted;
  if (rule.value.kind === 'text') return { kind: 'set', key: rule.key, value: rule.value.text };
  try {
    const output = await ports.run(rule, rule.value.command);
    return { kind: 'set', key: rule.key, value: checkLabelValue(output.trim()) };
  } catch (error) {
    if (isAlias || !(error instanceof Fault)) throw error;
    ports.warn(`the label ${rule.key} is left out: ${error.message}`);
    return undefined;
  }
}
