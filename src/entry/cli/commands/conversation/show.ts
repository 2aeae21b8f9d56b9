import type { WorkspaceApp } from '../../../../app.ts';
import { isJsonObject, type JsonObject } from '../../../../base/json.ts';
import { isoTime } from '../../../../base/time.ts';
import { resolveConfig } from '../../../../config/resolve.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';
import type { ApprovalEvent, ConversationEvent } from '../../../../domain/conversations/event.ts';
import { findConversation } from '../../../../domain/conversations/find-conversation.ts';
import { learnedSubjects } from '../../../../domain/conversations/learned-subjects.ts';
import { usageTotal } from '../../../../domain/conversations/usage-total.ts';
import { formatLabel } from '../../../../domain/labels/label.ts';
import type { Receipt } from '../../../../domain/tools/tool.ts';
import type { Command } from '../../command.ts';
import { conversationJson } from './conversation-json.ts';
import { ownLayers } from './own-layers.ts';

export const showConversation: Command = {
  name: 'show',
  summary: 'show what is known about a conversation',
  examples: ['c show @last', 'c show 01k9 --receipts'],
  arguments: [
    { name: 'id', summary: 'an id or a part of it; this terminal’s if absent', complete: 'conversations' },
  ],
  options: [{ flags: '--receipts', summary: 'what each tool call touched and cost' }],

  async run({ arguments: [target = '@active'], options, terminal, open }) {
    const app = await open();
    const conversation = await findConversation(app, target);
    const events = (await app.conversations.log(conversation.id))?.events ?? [];
    const path = await app.conversations.pathOf(conversation.id);
    const preloaded = await preloadedSubjects(app, conversation);
    const details = { ...detailsOf(events, options.has('receipts')), preloaded };
    if (terminal.json)
      terminal.printJson({
        conversation: { ...conversationJson(conversation), path: path ?? null, ...details },
      });
    else for (const line of linesOf(conversation, details, path)) terminal.print(line);
    return 0;
  },
};

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

function linesOf(
  { id, isLocal, metadata }: Conversation,
  details: JsonObject,
  path: string | undefined,
): string[] {
  const labels = [...metadata.labels].map(([key, value]) => formatLabel(key, value));
  const rows: [string, string | undefined][] = [
    ['id', id],
    ['title', metadata.title],
    ['created', isoTime(metadata.createdAt)],
    ['active', isoTime(metadata.activeAt)],
    ['pinned', metadata.pinnedAt && isoTime(metadata.pinnedAt)],
    ['archived', metadata.archivedAt && isoTime(metadata.archivedAt)],
    ['parent', metadata.parent],
    ['local', isLocal ? 'yes' : undefined],
    ['labels', labels.join(' ') || undefined],
    ['turns', String(details.turns)],
    ['usage', shortUsage(details.usage as JsonObject)],
    ['preloaded', (details.preloaded as readonly string[]).join(', ') || undefined],
    ['learned', (details.learned as readonly string[]).join(', ') || undefined],
    ['path', path],
  ].map(([name, value]) => [String(name), value === undefined || value === 0 ? undefined : String(value)]);
  const known = rows
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name.padEnd(9)} ${value}`);
  const approvals = details.approvals as readonly JsonObject[];
  const receipts = (details.receipts as readonly JsonObject[] | undefined) ?? [];
  return [
    ...known,
    ...approvals.map((each) => `approval  ${approvalLine(each)}`),
    ...receipts.map((each) => `receipt   ${receiptLine(each)}`),
  ];
}

function approvalJson({ type: _, ...approval }: ApprovalEvent): JsonObject {
  const { id, decision, summary, at, by = null, through = null, call = null } = approval;
  return { id, decision, summary, at, by, through, call };
}

/** `approved by ada: Run tool 'count'? (3f2a9c41d07e)` */
function approvalLine({ id, decision, summary, by }: JsonObject): string {
  return `${String(decision)}${by === null ? '' : ` by ${String(by)}`}: ${String(summary)} (${String(id)})`;
}

/** What it was told before it was asked: by its own settings, as they are after all its changes. */
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

function shortUsage(usage: JsonObject): string | undefined {
  const parts = Object.entries(usage).map(([name, value]) => `${String(value)} ${name.replaceAll('_', ' ')}`);
  return parts.join(', ') || undefined;
}
