import type { WorkspaceApp } from '../../../../app.ts';
import { isJsonObject, type JsonObject } from '../../../../base/json.ts';
import { displayWidth, neutralise, wrapText } from '../../../../base/terminal-text.ts';
import { isoTime } from '../../../../base/time.ts';
import { resolveConfig } from '../../../../config/resolve.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';
import type { ApprovalEvent, ConversationEvent } from '../../../../domain/conversations/event.ts';
import { learnedSubjects, usageTotal } from '../../../../domain/conversations/event-text.ts';
import { formatLabel } from '../../../../domain/labels/label.ts';
import type { Receipt } from '../../../../domain/tools/tool.ts';
import { ownLayers } from '../../../conversation-settings.ts';
import { command } from '../../command.ts';
import type { Terminal } from '../../terminal.ts';
import { CONVERSATION_OR_ACTIVE, targetOf } from './change-each.ts';
import { conversationJson } from './conversation-json.ts';

export const showConversation = command({
  name: 'show',
  summary: 'show the details of a conversation',
  examples: ['c show @last', 'c show 01k9 --receipts'],
  arguments: [CONVERSATION_OR_ACTIVE],
  options: [{ flags: '--receipts', summary: 'the resources each tool call used' }],

  async run({ arguments: [target = '@active'], options, terminal, open }) {
    const app = await open();
    const conversation = await targetOf(app, target, terminal);
    const events = (await app.conversations.log(conversation.id))?.events ?? [];
    const path = await app.conversations.pathOf(conversation.id);
    const preloaded = await preloadedSubjects(app, conversation);
    const details = { ...detailsOf(events, options.has('receipts')), preloaded };
    if (terminal.json)
      terminal.printJson({
        conversation: { ...conversationJson(conversation), path: path ?? null, ...details },
      });
    else
      for (const [name, value] of rowsOf(conversation, details, path))
        terminal.printStyled(shownRow(name, value, terminal));
  },
});

function detailsOf(events: readonly ConversationEvent[], withReceipts: boolean): JsonObject {
  const turns = events.filter(({ type }) => type === 'turn_start').length;
  const receipts = events.flatMap((event) =>
    event.type === 'tool_result'
      ? [{ tool: event.name, receipt: (event.receipt ?? null) as JsonObject | null }]
      : [],
  );
  return {
    turns,
    events: events.length,
    usage: usageTotal(events) as JsonObject,
    learned: learnedSubjects(events),
    approvals: events.flatMap((event) => (event.type === 'approval' ? [approvalJson(event)] : [])),
    ...(withReceipts && { receipts }),
  };
}

type Row = readonly [name: string, value: string];

function rowsOf(
  { id, isLocal, metadata }: Conversation,
  details: JsonObject,
  path: string | undefined,
): Row[] {
  const labels = [...metadata.labels].map(([key, value]) => formatLabel(key, value));
  const known: [string, string | number | undefined][] = [
    ['id', id],
    ['title', metadata.title],
    ['created', isoTime(metadata.createdAt)],
    ['active', isoTime(metadata.activeAt)],
    ['pinned', optionalTime(metadata.pinnedAt)],
    ['archived', optionalTime(metadata.archivedAt)],
    ['parent', metadata.parent],
    ['local', isLocal ? 'yes' : undefined],
    ['labels', labels.join(' ') || undefined],
    ['turns', String(details.turns)],
    ['usage', shortUsage(details.usage as JsonObject)],
    ['preloaded', (details.preloaded as readonly string[]).join(', ') || undefined],
    ['learned', (details.learned as readonly string[]).join(', ') || undefined],
    ['path', path],
  ];
  const approvals = details.approvals as readonly JsonObject[];
  const receipts = (details.receipts as readonly JsonObject[] | undefined) ?? [];
  return [
    ...known.flatMap(([name, value]): Row[] => (value === undefined ? [] : [[name, String(value)]])),
    ...approvals.map((each): Row => ['approval', approvalLine(each)]),
    ...receipts.map((each): Row => ['receipt', receiptLine(each)]),
  ];
}

function optionalTime(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : isoTime(milliseconds);
}

function onOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

/** Values in a column; on a narrow terminal below their names. */
function shownRow(name: string, value: string, { isTerminal, columns }: Terminal): string {
  const [head, text] = [name.padEnd(NAME_WIDTH), neutralise(onOneLine(value))];
  if (!isTerminal || NAME_WIDTH + displayWidth(text) <= columns) return `${head}${text}`;
  if (columns < NARROW) return `${name}\n${wrapText(`  ${text}`, columns)}`;
  return `${head}${wrapText(text, columns - NAME_WIDTH).replaceAll('\n', `\n${' '.repeat(NAME_WIDTH)}`)}`;
}

const NAME_WIDTH = 10;
const NARROW = 40;

function approvalJson({ type: _, ...approval }: ApprovalEvent): JsonObject {
  const { id, decision, summary, at, by = null, through = null, call = null } = approval;
  return { id, decision, summary, at, by, through, call };
}

/** `approved by ada: Run tool 'count'? (3f2a9c41d07e)` */
function approvalLine({ id, decision, summary, by }: JsonObject): string {
  return `${String(decision)}${by === null ? '' : ` by ${String(by)}`}: ${String(summary)} (${String(id)})`;
}

/** By the conversation's own settings after all changes. */
async function preloadedSubjects(app: WorkspaceApp, conversation: Conversation): Promise<readonly string[]> {
  const { config } = await resolveConfig(await ownLayers(app, conversation), async () => false);
  return Object.entries(config.kb.topic).flatMap(([topic, settings]) =>
    (settings?.learned ?? []).map((pattern) => `${topic}/${pattern}`),
  );
}

/** `learn: 12 ms; read a.md (120 bytes), b.md (7 bytes)` */
function receiptLine({ tool, receipt }: JsonObject): string {
  if (!isJsonObject(receipt)) return `${String(tool)}: none`;
  const { milliseconds, filesRead, filesWritten } = receipt as JsonObject & Receipt;
  const parts = [`${milliseconds} ms`, filesText('read', filesRead), filesText('wrote', filesWritten)];
  return `${String(tool)}: ${parts.filter((part) => part !== '').join('; ')}`;
}

function filesText(verb: string, files: Receipt['filesRead'] | undefined): string {
  if (!files || files.length === 0) return '';
  return `${verb} ${files.map(({ path, bytes }) => `${path} (${bytes} bytes)`).join(', ')}`;
}

/** `10 input tokens, 5 output tokens, 0.00123 USD`, as far as known. */
function shortUsage({ cost_usd: cost, ...tokens }: JsonObject): string | undefined {
  const counted = Object.entries(tokens).filter(([, value]) => value !== 0);
  const parts = counted.map(([name, value]) => `${String(value)} ${name.replaceAll('_', ' ')}`);
  if (typeof cost === 'number' && cost > 0) parts.push(`${Number(cost.toPrecision(6))} USD`);
  return parts.join(', ') || undefined;
}
