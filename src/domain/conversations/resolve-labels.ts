/** Which labels a conversation gets: inherited ones, then configured ones, then what was said for this call. */

import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import { changeLabels, type LabelChange, type Labels } from '../labels/label.ts';
import type { LabelDirective } from '../labels/label-directive.ts';
import { checkLabelValue } from '../labels/label-value.ts';
import type { LabelCommand, LabelRule } from './label-rules.ts';

export interface LabelPorts {
  /** Whether this command may run. Throws where nobody can be asked. */
  permit(rule: LabelRule, command: LabelCommand): Promise<boolean>;
  /** Its standard output; a Fault when it fails, or takes too long. */
  run(rule: LabelRule, command: LabelCommand): Promise<string>;
  warn(text: string): void;
}

export interface LabelInput {
  readonly rules: readonly LabelRule[];
  /** `existing`: only what the directives name changes. */
  readonly event: 'new' | 'fork' | 'existing';
  /** The labels of the conversation, or of the one it is forked from. */
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
  // All of them are waited for: a command that fails must not leave others running behind.
  const ends = await Promise.allSettled(permitted.map((each) => resolved(ports, each)));
  const changes = ends.flatMap((end, at) => {
    if (end.status === 'fulfilled') return [end.value];
    const wanted = permitted[at];
    if (!wanted || 'change' in wanted || wanted.isAlias || !isFailure(end.reason)) throw end.reason;
    ports.warn(`the label ${wanted.rule.key} is left out: ${end.reason.message}`);
    return [];
  });
  return changeLabels(input.before, changes);
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

async function resolved(ports: LabelPorts, wanted: Wanted): Promise<LabelChange> {
  if ('change' in wanted) return wanted.change;
  const { key, value } = wanted.rule;
  const text = value.kind === 'text' ? value.text : (await ports.run(wanted.rule, value.command)).trim();
  return { kind: 'set', key, value: checkLabelValue(text) };
}

/** The command's own doing, or that of what it printed; an interruption is neither. */
function isFailure(error: unknown): error is Fault {
  return error instanceof Fault && error.code !== 'process/interrupted';
}
