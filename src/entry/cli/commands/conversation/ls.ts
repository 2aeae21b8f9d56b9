import { compareCodePoints } from '../../../../base/text.ts';
import { minuteTime } from '../../../../base/time.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';
import { formatLabel, type Labels } from '../../../../domain/labels/label.ts';
import { parseSelectors } from '../../../../domain/labels/parse-selector.ts';
import type { Command } from '../../command.ts';
import { type Column, table } from '../../render/table.ts';
import type { Terminal } from '../../terminal.ts';
import { conversationJson } from './conversation-json.ts';

export const listConversations: Command = {
  name: 'ls',
  summary: 'list conversations, the most recent first',
  examples: ['c ls', "c ls --label 'branch=main,!wip'", 'c ls --limit 5 --show-labels'],
  options: [
    {
      flags: '--label <selector>',
      summary: 'only those whose labels fit',
      repeatable: true,
      complete: 'labels',
    },
    { flags: '--limit <n>', summary: 'at most so many' },
    { flags: '--sort <key>', summary: 'by what', choices: ['active', 'created', 'title'] },
    { flags: '--archived', summary: 'the archived ones' },
    { flags: '--local', summary: 'only those kept out of the workspace' },
    { flags: '--show-labels', summary: 'print labels, too' },
  ],

  async run({ options, terminal, open }) {
    const labels = parseSelectors(options.texts('label'));
    const limit = options.count('limit', 1);
    const { conversations } = await open();
    const found = await conversations.list({
      labels,
      archived: options.has('archived') ? 'only' : 'without',
      local: options.has('local') ? 'only' : 'with',
    });
    const shown = sorted(found, options.text('sort')).slice(0, limit);
    if (terminal.json) terminal.printJson({ conversations: shown.map(conversationJson) });
    else if (shown.length > 0) terminal.printStyled(tableOf(shown, options.has('show-labels'), terminal));
    else terminal.note('No conversations.');
    return 0;
  },
};

function sorted(found: readonly Conversation[], key: string | undefined): readonly Conversation[] {
  if (key === 'created') return found.toSorted((a, b) => b.metadata.createdAt - a.metadata.createdAt);
  if (key === 'title') return found.toSorted((a, b) => compareCodePoints(titleOf(a), titleOf(b)));
  return found;
}

const COLUMNS: readonly Column[] = [
  { title: 'ID' },
  { title: 'ACTIVE' },
  { title: 'TITLE', flexible: true },
  { title: 'LABELS', flexible: true },
];

function tableOf(shown: readonly Conversation[], withLabels: boolean, terminal: Terminal): string {
  const columns = withLabels ? COLUMNS : COLUMNS.slice(0, -1);
  const rows = shown.map((conversation) => {
    const { id, isLocal, metadata } = conversation;
    const isMarked = isLocal || metadata.pinnedAt !== undefined;
    const title = isMarked ? `${titleOf(conversation)} (${marksOf(conversation)})` : titleOf(conversation);
    const row = [id, minuteTime(metadata.activeAt), title];
    return withLabels ? [...row, shownLabels(metadata.labels)] : row;
  });
  return table(terminal, columns, rows);
}

function marksOf({ isLocal, metadata }: Conversation): string {
  return [metadata.pinnedAt !== undefined && 'pinned', isLocal && 'local'].filter(Boolean).join(', ');
}

function shownLabels(labels: Labels): string {
  return [...labels].map(([key, value]) => formatLabel(key, value)).join(' ');
}

function titleOf({ metadata }: Conversation): string {
  return metadata.title ?? '(no title)';
}
