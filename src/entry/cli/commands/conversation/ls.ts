import { compareCodePoints } from '../../../../base/text.ts';
import { MINUTE_LENGTH, minuteTime } from '../../../../base/time.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';
import { ID_LENGTH } from '../../../../domain/conversations/conversation-id.ts';
import { formatLabel } from '../../../../domain/labels/label.ts';
import { parseSelectors } from '../../../../domain/labels/parse-selector.ts';
import { command } from '../../command.ts';
import { LABEL_SELECTOR } from '../../options.ts';
import { type ItemColumn, itemTable } from '../../render/table.ts';
import { printLongStyled } from '../../terminal.ts';
import { conversationJson, NO_TITLE } from './conversation-json.ts';

export const listConversations = command({
  name: 'ls',
  summary: 'list conversations, the most recent first',
  examples: ['c ls', "c ls --label 'branch=main,!wip'", 'c ls --limit 5 --show-labels'],
  options: [
    LABEL_SELECTOR,
    { flags: '--limit <n>', summary: 'the maximum number' },
    { flags: '--sort <key>', summary: 'the order', choices: ['active', 'created', 'title'] },
    { flags: '--archived', summary: 'only archived ones' },
    { flags: '--local', summary: 'only those stored outside the workspace' },
    { flags: '--show-labels', summary: 'show labels too' },
  ],

  async run({ options, terminal, open }) {
    const labels = parseSelectors(options.texts('label'));
    const limit = options.count('limit', 1);
    const app = await open();
    const found = await app.conversations.list({
      labels,
      archived: options.has('archived') ? 'only' : 'without',
      local: options.has('local') ? 'only' : 'with',
    });
    const shown = sorted(found, options.text('sort')).slice(0, limit);
    const columns = options.has('show-labels') ? [...COLUMNS, LABELS] : COLUMNS;
    if (terminal.json) terminal.printJson({ conversations: shown.map(conversationJson) });
    else if (shown.length > 0)
      await printLongStyled(terminal, app, `${itemTable(terminal, columns, shown)}\n`);
    else terminal.note('No conversations.');
  },
});

function sorted(found: readonly Conversation[], key: string | undefined): readonly Conversation[] {
  if (key === 'created') return found.toSorted((a, b) => b.metadata.createdAt - a.metadata.createdAt);
  if (key === 'title') return found.toSorted((a, b) => compareCodePoints(titleOf(a), titleOf(b)));
  return found;
}

const COLUMNS: readonly ItemColumn<Conversation>[] = [
  { title: 'id', width: ID_LENGTH, cell: ({ id }) => id },
  { title: 'active', width: MINUTE_LENGTH, cell: ({ metadata }) => minuteTime(metadata.activeAt) },
  { title: 'title', flexible: true, cell: markedTitle },
];
const LABELS: ItemColumn<Conversation> = {
  title: 'labels',
  flexible: true,
  cell: ({ metadata }) => [...metadata.labels].map(([key, value]) => formatLabel(key, value)).join(' '),
};

function markedTitle(conversation: Conversation): string {
  const marks = marksOf(conversation);
  return marks === '' ? titleOf(conversation) : `${titleOf(conversation)} (${marks})`;
}

function marksOf({ isLocal, metadata }: Conversation): string {
  const { pinnedAt, parent } = metadata;
  if (!isLocal && pinnedAt === undefined && parent === undefined) return '';
  return [pinnedAt !== undefined && 'pinned', isLocal && 'local', parent !== undefined && `fork of ${parent}`]
    .filter(Boolean)
    .join(', ');
}

function titleOf({ metadata }: Conversation): string {
  return metadata.title || NO_TITLE;
}
