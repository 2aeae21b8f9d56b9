import { command } from '../../command.ts';
import { archiveConversations, unarchiveConversations } from './archive.ts';
import { CONVERSATION, CONVERSATION_OR_ACTIVE, targetIdOf, targetOf } from './change-each.ts';
import { compactConversation } from './compact.ts';
import { conversationJson, shownTitle } from './conversation-json.ts';
import { editConversation } from './edit.ts';
import { exportConversation } from './export.ts';
import { forkConversation } from './fork.ts';
import { grepConversations } from './grep.ts';
import { importConversations } from './import.ts';
import { labelConversations } from './label.ts';
import { listConversations } from './ls.ts';
import { printConversation } from './print.ts';
import { eraseConversation, removeConversations } from './rm.ts';
import { showConversation } from './show.ts';

const conversationPath = command({
  name: 'path',
  summary: 'print the directory of a conversation',
  examples: ['c path @last'],
  arguments: [CONVERSATION_OR_ACTIVE],

  async run({ arguments: [target = '@active'], terminal, open }) {
    const app = await open();
    const id = await targetIdOf(app, target, terminal);
    const path = await app.conversations.pathOf(id);
    if (terminal.json) terminal.printJson({ id, path: path ?? null });
    else terminal.print(path ?? '');
  },
});

const useConversation = command({
  name: 'use',
  summary: 'make a conversation the active one in this terminal',
  examples: ['c use 01k9', 'c use @prev'],
  arguments: [CONVERSATION],

  async run({ arguments: [target = ''], terminal, open }) {
    const app = await open();
    const conversation = await targetOf(app, target, terminal);
    await app.activeConversations.activate(conversation.id);
    if (terminal.json) terminal.printJson({ conversation: conversationJson(conversation) });
    else terminal.note(`${conversation.id} is active: ${shownTitle(conversation.metadata)}`);
  },
});

export const conversation = command({
  name: 'conversation',
  aliases: ['c'],
  summary: 'list, read and change conversations',
  description:
    'Select a conversation by its id, or a part of it (at least 4 characters) that no other id contains; by @last ' +
    '(the most recent), @active (this terminal’s) or @prev (this terminal’s previous one); or by - for ids on ' +
    'standard input.',
  examples: ['c ls', 'c show @last', "c grep 'timeout'"],
  subcommands: [
    listConversations,
    showConversation,
    printConversation,
    grepConversations,
    editConversation,
    forkConversation,
    labelConversations,
    archiveConversations,
    unarchiveConversations,
    removeConversations,
    eraseConversation,
    useConversation,
    conversationPath,
    compactConversation,
    exportConversation,
    importConversations,
  ],
});
