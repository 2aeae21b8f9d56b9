/** Resolves the labels of a conversation: inherited ones, then configured ones, then those given for this call. */

import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import { changeLabels, type LabelChange, type Labels } from '../labels/label.ts';
import type { LabelDirective } from '../labels/label-directive.ts';
import { checkLabelValue, parseLabelKey } from '../labels/label-value.ts';
import type { LabelCommand, LabelRule } from './label-rules.ts';

export interface LabelPorts {
  /** Throws where nobody can be asked. */
  permit(rule: LabelRule, command: LabelCommand): Promise<boolean>;
  /** Returns its standard output; throws a Fault when it fails or takes too long. */
  run(rule: LabelRule, command: LabelCommand): Promise<string>;
  warn(text: string): void;
}

export interface LabelInput {
  readonly rules: readonly LabelRule[];
  /** `turn`: another question. `existing`: changes only what the directives name. */
  readonly event: 'new' | 'fork' | 'turn' | 'existing';
  /** Labels of the conversation, or of the one it is forked from. */
  readonly before: Labels;
  readonly directives: readonly LabelDirective[];
}

/**
 * Asks for all approvals in turn, then runs the approved commands at the same time. An automatic rule that fails is
 * left out with a warning; an alias that fails is an error, and nothing changes.
 */
export async function resolveLabels(ports: LabelPorts, input: LabelInput): Promise<Labels> {
  const automatic = input.rules.filter((rule) => appliesOn(rule, input.event));
  const wanted: Wanted[] = [
    ...automatic.map((rule): Wanted => ({ rule, isAlias: false })),
    ...input.directives.map((directive): Wanted => wantedBy(directive, input.rules)),
  ];
  const permitted: Wanted[] = [];
  for (const each of wanted) if (await isPermitted(ports, each)) permitted.push(each);
  // Waits for all: a command that fails must not leave others running.
  const ends = await Promise.allSettled(permitted.map((each) => resolved(ports, each)));
  const changes = ends.flatMap((end, at) => {
    if (end.status === 'fulfilled') return end.value;
    const wanted = permitted[at];
    if (!wanted || 'change' in wanted || wanted.isAlias || !isFailure(end.reason)) throw end.reason;
    ports.warn(`the label ${wanted.rule.key} is left out: ${end.reason.message}`);
    return [];
  });
  return changeLabels(input.before, changes);
}

/** A conversation that begins has its first question, too. */
function appliesOn({ applyOn, value, run }: LabelRule, event: LabelInput['event']): boolean {
  if (event === 'existing') return false;
  if (applyOn[event]) return event !== 'turn' || value.kind === 'text' || run === 'unattended';
  return event !== 'turn' && applyOn.turn && (value.kind === 'text' || run === 'unattended');
}

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

async function resolved(ports: LabelPorts, wanted: Wanted): Promise<readonly LabelChange[]> {
  if ('change' in wanted) return [wanted.change];
  const { key, value, isMulti } = wanted.rule;
  const text = value.kind === 'text' ? value.text : (await ports.run(wanted.rule, value.command)).trim();
  if (!isMulti) return [{ kind: 'set', key, value: checkLabelValue(text) }];
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const labels = lines.filter((line) => line !== '').map(labelInLine);
  if (labels.length <= MOST_LABELS) return labels;
  throw new Fault('labels/invalid', `It gives ${labels.length} labels; at most ${MOST_LABELS} count.`);
}

/** Labels of one rule with `multi`. */
const MOST_LABELS = 64;

/** `KEY`, `KEY=` or `KEY=VALUE`; the value is taken as it is. */
function labelInLine(line: string): LabelChange {
  const [, key = line, value = ''] = /^([^=]*)=(.*)$/u.exec(line) ?? [];
  return { kind: 'set', key: parseLabelKey(key.trim()), value: checkLabelValue(value.trim()) };
}

/** Whether the command or its output is at fault, and not an interruption. */
function isFailure(error: unknown): error is Fault {
  return error instanceof Fault && error.code !== 'process/interrupted';
}
