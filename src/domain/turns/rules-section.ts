/** The rules that the operator approved, as a section of the system prompt. */

import { estimateTokens } from '../../base/text.ts';
import { inertText, quoted } from '../knowledge-base/inert-text.ts';
import { type Entry, worstOf } from '../ledger/entry/entry.ts';
import {
  approvedAmong,
  type CurrentPorts,
  currentEntries,
  ledgerRevision,
} from '../ledger/search/current-entries.ts';

export type RulePorts = Omit<CurrentPorts, 'isCitationUri' | 'evidence' | 'citedSource' | 'history'> & {
  readonly config: { readonly knowledge: { readonly rules_tokens: number } };
};

/**
 * Rules in force whose approval is in the operator's own store and whose evidence is not missing, sorted by id, as far as
 * `knowledge.rules_tokens` goes; the others are named. Undefined when there are none.
 */
export async function rulesSection(ports: RulePorts): Promise<string | undefined> {
  const rules = await rulesInForce(ports);
  if (rules.length === 0) return undefined;
  const { shown, leftOut } = withinTokens(rules, ports.config.knowledge.rules_tokens);
  const others = leftOut.length > 0 ? [leftOutText(leftOut)] : [];
  return `<rules>\n${[INTRODUCTION, ...shown, ...others].join('\n\n')}\n</rules>`;
}

/** The same rules without a limit, oldest first. */
export async function approvedRules(ports: Omit<RulePorts, 'config'>): Promise<readonly Entry[]> {
  return (await rulesInForce(ports)).toSorted((a, b) => a.createdAt - b.createdAt);
}

async function rulesInForce(ports: Omit<RulePorts, 'config'>): Promise<readonly Entry[]> {
  if ((await ledgerRevision(ports)) === '') return [];
  const ids = (await currentEntries(ports, { only: 'rules' })).map(({ id }) => id);
  const entries = ids.length > 0 ? await ports.ledger.entries(ids) : [];
  const approved = await approvedAmong(ports, entries);
  return entries.filter((entry) => !isMissing(entry) && approved.has(entry));
}

/** Ids of current rules that no assistant is told: not approved as they are, or their evidence is missing. */
export async function rulesNotInForce(ports: Omit<RulePorts, 'config'>): Promise<readonly string[]> {
  const ids = (await currentEntries(ports, { only: 'rules' })).map(({ id }) => id);
  const inForce = new Set((await rulesInForce(ports)).map(({ id }) => id));
  return ids.filter((id) => !inForce.has(id));
}

const INTRODUCTION = 'The operator approved these rules for this workspace. Follow them.';

function isMissing({ citations }: Entry): boolean {
  return worstOf(citations.map(({ verified }) => verified))?.verdict === 'missing';
}

function withinTokens(rules: readonly Entry[], tokens: number) {
  const shown: string[] = [];
  const leftOut: string[] = [];
  let left = tokens;
  for (const { id, text } of rules) {
    const rule = `<rule ${quoted(id)}>\n${inertRule(text)}\n</rule>`;
    const cost = estimateTokens(rule);
    if (cost > left) leftOut.push(id);
    else {
      shown.push(rule);
      left -= cost;
    }
  }
  return { shown, leftOut };
}

/** The text cannot end its tag. */
function inertRule(text: string): string {
  return inertText(text.trim()).replace(/<(?=\s*\/\s*rules?\b)/gi, '&lt;');
}

function leftOutText(ids: readonly string[]): string {
  return `These rules did not fit; read them with \`knowledge_search\` before you act:\n${ids.map((id) => `- ${id}`).join('\n')}`;
}
