/** Tells a model that sees little more what ken is for: in the instructions of the MCP server and in hooks of clients. */

import { counted } from '../../base/text.ts';
import { inertText } from '../knowledge-base/inert-text.ts';

export interface Brief {
  /** Rules that the operator approved, oldest first. */
  readonly rules: readonly { readonly id: string; readonly text: string }[];
  /** How many requests wait for the operator. */
  readonly waiting: number;
  /** A line for each topic that can be learned. */
  readonly menu: readonly string[];
}

/** Clients cut longer instructions. */
export const BRIEF_CHARACTERS = 2_000;

/** Whole rules and whole lines; what does not fit is counted, with the call that reads it. */
export function briefText(brief: Brief): string {
  return briefBehind(TOOLS, brief);
}

/**
 * For hooks, whose text a client puts into the conversation. The menu must be the operator's own; topics that came with
 * the workspace are counted in `otherTopics`.
 */
export function hookText({ otherTopics, ...brief }: Brief & { readonly otherTopics: number }): string {
  const others = otherTopics > 0 ? ` ${OTHER_TOPICS(otherTopics)}` : '';
  return briefBehind(`${HOOKED}${others}`, brief);
}

const HOOKED =
  'ken keeps what is known about this project. Before you guess or read many files, ask its tools: search finds how-to, ' +
  'docs, decisions and conventions; learn reads whole guides.';

const OTHER_TOPICS = (count: number) =>
  count === 1 ? 'learn has 1 topic of this workspace.' : `learn has ${count} topics of this workspace.`;

function briefBehind(opening: string, { rules, waiting, menu }: Brief): string {
  const parts = [opening];
  const left = () => BRIEF_CHARACTERS - parts.join('\n\n').length - 2;
  const waits = waitingLine(waiting);
  const reserved = (waits?.length ?? 0) + (menu.length > 0 ? MENU_CHARACTERS : 0);
  const ruled = listed(rules.map(ruleText), left() - reserved - RULES.length, (missing) =>
    ruleRest(missing, rules.length),
  );
  if (ruled !== undefined) parts.push(`${RULES}\n${ruled}`);
  if (waits !== undefined) parts.push(waits);
  const topics = listed(['Topics to learn:', ...menu], left(), (missing) => menuRest(missing));
  if (menu.length > 0 && topics !== undefined) parts.push(topics);
  return parts.join('\n\n');
}

const TOOLS = `ken keeps what is known about this project. Ask it before you guess or read many files.
- search: how-to, docs, decisions, conventions, runbooks, the API of a library, earlier conversations. Ask a whole question; each hit has a citation, which show opens.
- learn: whole guides of a topic below, before work that one of them covers.
- knowledge_add: keep a fact or a decision of the project with its source, when you find it or are told it. knowledge_feedback: say which hits helped.
- reference_topic_list: the libraries whose documentation and source code are at hand; reference_topic_create asks the operator to fetch another.`;

/** Kept free for the menu while rules are added. */
const MENU_CHARACTERS = 400;

const RULES = 'Rules that the operator approved for this workspace; follow them:';

function ruleText({ text }: Brief['rules'][number]): string {
  return `- ${inertText(text.trim()).replaceAll('\n', '\n  ')}`;
}

function ruleRest(missing: number, all: number): string {
  const which = missing === all ? counted(all, 'rule') : `${missing} more`;
  return `${which}: read before you change anything with learn {"topic":"ken","subjects":"rules"}.`;
}

function menuRest(missing: number): string {
  return `${counted(missing, 'more topic')}: search covers them.`;
}

export function waitingLine(waiting: number): string | undefined {
  if (waiting === 0) return undefined;
  const waits = waiting === 1 ? '1 request waits' : `${waiting} requests wait`;
  return `${waits} for the operator's decision: "ken approvals ls" in their terminal shows it.`;
}

/** The first lines that fit, and `rest` for the others; undefined when not even that fits, or for no lines. */
function listed(
  lines: readonly string[],
  characters: number,
  rest: (missing: number) => string,
): string | undefined {
  for (let count = lines.length; count >= 0; count--) {
    const missing = lines.length - count;
    const shown = [...lines.slice(0, count), ...(missing > 0 ? [rest(missing)] : [])].join('\n');
    if (shown !== '' && shown.length <= characters) return shown;
  }
  return undefined;
}
