import { isJsonList, isJsonObject, type Json, memberOf } from '../../base/json.ts';
import { shortDifference } from '../../base/line-difference.ts';
import { singleLine, truncateText } from '../../base/terminal-text.ts';
import type { NewApproval } from './approval.ts';
import { readableJson } from './readable-json.ts';
import type { ApprovalReason } from './reason.ts';

export interface ReasonText {
  /** One line of ken's own words; names in it are on one line, short, and cannot close their quotes. */
  readonly question: string;
  /** Everything that the approval runs, reads or makes lasting. */
  readonly parts: readonly QuotedPart[];
}

/** Foreign text of any length under a label of ken's own; it is quoted line by line wherever it is shown. */
export interface QuotedPart {
  readonly label: string;
  readonly text: string;
}

type Described = Pick<NewApproval, 'reason' | 'request' | 'summary'>;

export function describeApproval({ reason, request, summary }: Described): ReasonText {
  const question = questionOf(reason);
  const shown = summary.startsWith(`${question} `) ? summary.slice(question.length + 1) : '';
  const parts = [
    ...(shown === '' ? [] : [{ label: 'in its own words', text: shown }]),
    ...partsOf(reason, request),
  ];
  return { question, parts };
}

export function questionOf(reason: ApprovalReason): string {
  switch (reason.type) {
    case 'workspace_escape':
      return 'Use a path outside the workspace?';
    case 'reference_topic_create':
      return `Create reference topic ${named(reason.title)}?`;
    case 'reference_topic_refresh':
      return `Refresh reference topic ${named(reason.topic)}?`;
    case 'tool_run':
      return `Run tool ${named(reason.tool)}?`;
    case 'tool_definition':
      return `Accept the definition of tool ${named(reason.tool)} from server ${named(reason.server)}?`;
    case 'label_command':
      return `Run a command for label ${named(reason.label)}?`;
    case 'knowledge_promote':
      return `Promote knowledge entry ${named(reason.entry)}?`;
    case 'knowledge_add':
      return `Add entry ${named(reason.title)}?`;
    case 'knowledge_move':
      return `Show entry ${named(reason.title)} to ${audienceOf(reason.visibility)}?`;
    case 'subject_propose':
      return `Change subject ${named(`${reason.topic}/${reason.slug}`)}?`;
    case 'workspace_trust':
      return 'Trust what this workspace defines?';
  }
}

function audienceOf(visibility: string): string {
  return visibility === 'team' ? 'every workspace of the team' : 'this workspace';
}

const MOST_NAMED = 100;

function named(text: string): string {
  return `'${truncateText(singleLine(text).replaceAll("'", '’'), MOST_NAMED)}'`;
}

function partsOf(reason: ApprovalReason, request: Json): QuotedPart[] {
  switch (reason.type) {
    case 'workspace_escape':
      return [{ label: 'path', text: reason.path }];
    case 'reference_topic_create':
      return [
        { label: 'sources', text: reason.summary.replace(/^Sources: /, '') },
        ...(singleLine(reason.title).length > MOST_NAMED ? [{ label: 'title', text: reason.title }] : []),
        ...kept(request, 'about', 'body'),
        ...kept(request, 'tags', 'tags'),
        ...kept(request, 'labels', 'labels'),
      ];
    case 'reference_topic_refresh':
      return [{ label: 'what has changed', text: reason.summary }, ...kept(request, 'sources', 'sources')];
    case 'tool_run':
      return [{ label: 'arguments', text: readableJson(reason.arguments) }];
    case 'tool_definition':
      return [
        { label: 'definition', text: reason.diff },
        { label: 'sha-256', text: reason.digest },
      ];
    case 'label_command':
      return [{ label: 'command', text: reason.command }];
    case 'knowledge_promote':
      return [
        ...kept(request, 'title', 'title'),
        { label: 'text', text: reason.text },
        { label: 'evidence', text: textOf(memberOf(request, 'evidence')) || reason.evidence.join('\n') },
        ...kept(request, 'reason', 'reason'),
        ...kept(request, 'becomes', 'target'),
      ];
    case 'knowledge_add':
      return [
        { label: 'title', text: reason.title },
        { label: 'text', text: reason.text },
        ...kept(request, 'sources', 'provenance'),
        ...kept(request, 'merge key', 'merge_key'),
        ...kept(request, 'where the key is taken', 'on_conflict'),
        ...kept(request, 'lasts', 'ttl_policy'),
        ...kept(request, 'tags', 'tags'),
      ];
    case 'knowledge_move':
      return [
        { label: 'title', text: reason.title },
        { label: 'text', text: reason.text },
        ...sourcesOf(request),
        ...kept(request, 'lasts', 'ttl_policy'),
        ...kept(request, 'tags', 'tags'),
        ...kept(request, 'labels', 'labels'),
      ];
    case 'subject_propose':
      return [...kept(request, 'file', 'file'), { label: 'difference', text: differenceOf(request) }];
    case 'workspace_trust':
      return [{ label: 'definitions', text: reason.definitions.join('\n') }];
  }
}

function sourcesOf(request: Json): QuotedPart[] {
  const cited = memberOf(request, 'citations');
  const sources = (isJsonList(cited) ? cited : []).map((each) => textOf(memberOf(each, 'provenance')));
  return sources.length === 0 ? [] : [{ label: 'sources', text: sources.join('\n') }];
}

function differenceOf(request: Json): string {
  return shortDifference(textOf(memberOf(request, 'before')), textOf(memberOf(request, 'text')));
}

/** A member of the request that lasts once it is approved; nothing where it is empty. */
function kept(request: Json, label: string, name: string): QuotedPart[] {
  const text = textOf(memberOf(request, name));
  return text === '' ? [] : [{ label, text }];
}

function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (isJsonList(value)) return value.map(textOf).join('\n');
  return isJsonObject(value) && Object.keys(value).length > 0 ? readableJson(value) : '';
}

const MOST_SHOWN = 200;

export function summaryOf(reason: ApprovalReason, shown: string | undefined): string {
  const question = questionOf(reason);
  return shown === undefined ? question : `${question} ${truncateText(singleLine(shown), MOST_SHOWN)}`;
}

/**
 * The whole question as one text. A single part of one line stands behind the question, as in
 * `Create reference topic '…'? Sources: 1,247 files. Approve / Deny`; otherwise every line of a part is quoted with `> `.
 */
export function approvalQuestion(approval: Described): string {
  const { question, parts } = describeApproval(approval);
  const [only, ...others] = parts;
  if (only && others.length === 0 && !/[\r\n]/.test(only.text)) {
    const label = only.label.charAt(0).toUpperCase() + only.label.slice(1);
    return `${question} ${label}: ${only.text}${/[.?!]$/.test(only.text) ? '' : '.'} Approve / Deny`;
  }
  return [
    question,
    ...parts.flatMap(({ label, text }) => [`${label}:`, quoted(text)]),
    'Approve / Deny',
  ].join('\n');
}

export function quoted(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/^/gm, '> ');
}
