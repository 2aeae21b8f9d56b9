import type { TeamPlace, WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { counted } from '../../../../base/text.ts';
import { requireOperator } from '../../../../domain/approvals/operator/operator-presence.ts';
import { keepCopy } from '../../../../domain/backup/keep-copy.ts';
import type { BackupPart } from '../../../../domain/backup/manifest.ts';
import { shareEntries } from '../../../../domain/ledger/exchange/share-entries.ts';
import type { ImportEnd } from '../../../../domain/ledger/plans/plan-import.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import {
  type ConversationEnd,
  type PlannedConversation,
  planPull,
  planPush,
} from '../../../../domain/team/conversations/share-conversations.ts';
import {
  copyTopics,
  isChange,
  planTopics,
  type ShareInput,
  type TopicEnd,
  type TopicPair,
  topicPairs,
} from '../../../../domain/team/topics/share-topics.ts';
import type { Invocation, OptionSpec } from '../../command.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { copyRequest } from '../backup.ts';
import { targetOf } from '../conversation/change-each.ts';
import { actorOf } from '../knowledge/actor.ts';
import {
  CONVERSATION_COLUMNS,
  conversationAsJson,
  requireTopics,
  TOPIC_COLUMNS,
  topicAsJson,
  topicCount,
  topicPorts,
  wantedTopics,
} from './shared-topics.ts';

export type Direction = ShareInput['direction'];

export const MOVE_OPTIONS = [
  { flags: '--topic <id>', summary: 'copy this topic, or those that match', repeatable: true },
  { flags: '--conversation <id>', summary: 'copy this conversation', repeatable: true },
  { flags: '--ledger', summary: 'copy the entries of the ledger' },
  { flags: '--replace', summary: 'also replace topics that both sides have changed' },
  { flags: '--dry-run', summary: 'only show what would be copied' },
  { flags: '-y, --yes', summary: 'do not ask' },
  { flags: '--allow-secret', summary: 'also copy what looks like a secret' },
] as const satisfies readonly OptionSpec[];

type Moving = Invocation<
  'dry-run' | 'yes' | 'allow-secret' | 'json' | 'topic' | 'conversation' | 'ledger' | 'replace',
  'topic' | 'conversation'
>;

export function portsFor({ ledger, teamLedger, clock, ids }: WorkspaceApp, direction: Direction) {
  const [from, to] = direction === 'push' ? [ledger, teamLedger] : [teamLedger, ledger];
  return { from, ledger: to, clock, ids, isCitationUri };
}

interface Plan {
  readonly direction: Direction;
  readonly place: TeamPlace;
  /** Undefined when the ledger stays as it is. */
  readonly entries: readonly ImportEnd[] | undefined;
  readonly topics: readonly TopicEnd[];
  readonly conversations: readonly ConversationEnd[];
}

export async function move(invocation: Moving, direction: Direction): Promise<0 | 1> {
  const { options, terminal, open, signal } = invocation;
  const patterns = options.texts('topic');
  const app = await open();
  const place = await app.team.describe();
  const input = { allowSecret: options.has('allow-secret'), actor: await actorOf(invocation, app) };
  const sharing: ShareInput = { direction, replaces: options.has('replace'), allowSecret: input.allowSecret };
  const isNamed = patterns.length > 0 || options.texts('conversation').length > 0;
  const pairs = await pairsFor(app, patterns, options.has('ledger') || isNamed);
  const talks = await plannedConversations(invocation, app, sharing);
  const hasLedger = options.has('ledger') || !isNamed;
  const entries = (dryRun: boolean) => shareEntries(portsFor(app, direction), { ...input, dryRun });
  const planned: Plan = {
    direction,
    place,
    entries: hasLedger ? await entries(true) : undefined,
    topics: planTopics(pairs, sharing),
    conversations: talks.map(({ end }) => end),
  };
  const isPreview = options.has('dry-run');
  if (!terminal.json) describe(terminal, planned);
  const isAgreed = !isPreview && hasChanges(planned) && (await agrees(invocation, app, planned));
  const done: Plan = isAgreed
    ? {
        ...planned,
        entries: hasLedger ? await entries(false) : undefined,
        topics: await copyTopics(topicPorts(app), pairs, sharing, signal),
        conversations: await Promise.all(talks.map((each) => each.run())),
      }
    : planned;
  report(terminal, done, { isPreview, isAgreed });
  return [...(done.entries ?? []), ...done.topics, ...done.conversations].some(isLeftOut) ? 1 : 0;
}

async function pairsFor(
  app: WorkspaceApp,
  patterns: readonly string[],
  isLimited: boolean,
): Promise<TopicPair[]> {
  if (isLimited && patterns.length === 0) return [];
  const pairs = await topicPairs(topicPorts(app), wantedTopics(patterns));
  requireTopics(patterns, pairs);
  return pairs;
}

async function plannedConversations(
  { options, terminal }: Moving,
  app: WorkspaceApp,
  { direction, allowSecret }: ShareInput,
): Promise<PlannedConversation[]> {
  const planned: PlannedConversation[] = [];
  for (const name of new Set(options.texts('conversation')))
    planned.push(
      direction === 'push'
        ? await planPush(app, await targetOf(app, name, terminal), { allowSecret })
        : await planPull(app, name, { isLocal: app.config.conversation.start_local }),
    );
  return planned;
}

function hasChanges({ entries = [], topics, conversations }: Plan): boolean {
  return [...entries, ...topics, ...conversations].some(isChange);
}

/** Asks. A push needs the operator; before a pull, a copy is kept of what it changes. */
async function agrees(
  { options, signal, terminal }: Moving,
  app: WorkspaceApp,
  plan: Plan,
): Promise<boolean> {
  const { direction, place } = plan;
  if (direction === 'push') await requireOperator(app, 'Sharing with the team');
  if (!options.has('yes') && !(await app.questioner.isThere()))
    throw new Fault('cli/usage', 'There is no terminal to ask at.', {
      hint: 'Give --yes to copy, or --dry-run to see what would be copied.',
    });
  const text = `Copy ${whatChanges(plan)} ${direction === 'push' ? 'to' : 'from'} ${named(place)}?`;
  const question = { id: 'team', text, answerType: 'boolean', default: false } as const;
  if (!options.has('yes') && (await app.questioner.ask('ken', question, signal)) !== true) {
    terminal.note('Nothing was copied.');
    return false;
  }
  if (direction === 'pull') {
    const changed = plan.topics.filter(isChange);
    const parts: BackupPart[] = [
      ...(plan.entries?.some(isEntryChange) ? (['ledger'] as const) : []),
      ...(changed.some(({ kind }) => kind === 'subjects') ? (['config', 'kb'] as const) : []),
      ...(changed.some(({ kind }) => kind === 'reference') ? (['references'] as const) : []),
      ...(plan.conversations.some(isChange) ? (['conversations', 'local'] as const) : []),
    ];
    await keepCopy(app, { ...copyRequest(app), occasion: 'import', parts }, signal);
  }
  return true;
}

function whatChanges({ entries, topics, conversations }: Plan): string {
  const changed = entries?.filter(isEntryChange) ?? [];
  const talks = conversations.filter(isChange);
  const changedTopics = topics.filter(isChange);
  return [
    ...(changed.length > 0 ? [counted(changed.length, 'entry', 'entries')] : []),
    ...(changedTopics.length > 0 ? [topicCount(changedTopics)] : []),
    ...(talks.length > 0 ? [counted(talks.length, 'conversation')] : []),
  ].join(' and ');
}

const MOST_SHOWN = 50;

function describe(
  terminal: Moving['terminal'],
  { direction, place, entries, topics, conversations }: Plan,
): void {
  const towards = `${direction === 'push' ? 'to' : 'from'} ${named(place)}`;
  if (entries) {
    printTop(
      terminal,
      ENTRY_COLUMNS,
      entries.filter((end) => isEntryChange(end) || isLeftOut(end)),
    );
    terminal.note(`${towards}: ${summary(entries)}`);
  }
  const shown = topics.filter((end) => isChange(end) || end.reason !== undefined);
  printTop(terminal, TOPIC_COLUMNS, shown);
  if (topics.length > 0) terminal.note(`topics ${towards}: ${summary(topics)}`);
  printTop(terminal, CONVERSATION_COLUMNS, conversations);
  if (conversations.length > 0) terminal.note(`conversations ${towards}: ${summary(conversations)}`);
}

function printTop<Item>(
  terminal: Moving['terminal'],
  columns: readonly ItemColumn<Item>[],
  items: readonly Item[],
): void {
  if (items.length > 0) printTable(terminal, columns, items.slice(0, MOST_SHOWN));
  if (items.length > MOST_SHOWN) terminal.note(`and ${items.length - MOST_SHOWN} more`);
}

function report(
  terminal: Moving['terminal'],
  { place, entries = [], topics, conversations, ...plan }: Plan,
  { isPreview, isAgreed }: { readonly isPreview: boolean; readonly isAgreed: boolean },
): void {
  if (terminal.json) {
    terminal.printJson({
      team: place,
      dry_run: isPreview,
      copied: isAgreed,
      entries: entries.map((end) => ({
        id: end.id,
        what: end.what,
        reason: 'reason' in end ? end.reason : null,
      })),
      topics: topics.map(topicAsJson),
      conversations: conversations.map(conversationAsJson),
    });
    return;
  }
  if (!isAgreed) return;
  const left = topics.filter(({ what }) => what === 'refused');
  for (const { id, reason } of left) terminal.warn(`${id} was left out: ${reason}.`);
  const done = { ...plan, place, entries, topics, conversations };
  terminal.note(`${whatChanges(done) || 'Nothing'} copied.`);
}

const WORDS: Record<ImportEnd['what'], string> = {
  imported: 'new',
  updated: 'update',
  unchanged: 'unchanged',
  conflict: 'left out',
  refused: 'left out',
};

const ENTRY_COLUMNS: readonly ItemColumn<ImportEnd>[] = [
  { title: 'entry', cell: ({ id }) => id },
  { title: 'what', cell: ({ what }) => WORDS[what] },
  { title: 'why', flexible: true, cell: (end) => ('reason' in end ? end.reason : '') },
];

type End = Pick<ImportEnd | TopicEnd | ConversationEnd, 'what'>;

function isEntryChange({ what }: End): boolean {
  return what === 'imported' || what === 'updated';
}

function isLeftOut({ what }: End): boolean {
  return what === 'conflict' || what === 'refused';
}

export function countsOf(ends: readonly End[]) {
  const count = (...kinds: End['what'][]) => ends.filter(({ what }) => kinds.includes(what)).length;
  return {
    new: count('imported'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    left_out: count('conflict', 'refused'),
  };
}

export function summary(ends: readonly End[]): string {
  const counts = countsOf(ends);
  return `${counts.new} new, ${counts.updated} updated, ${counts.unchanged} unchanged, ${counts.left_out} left out`;
}

export function named({ place, team: name, workspace }: TeamPlace): string {
  return `${name}/${workspace} at ${place}`;
}
