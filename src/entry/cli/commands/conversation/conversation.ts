import { command } from '../../command.ts';
import { archiveConversations, unarchiveConversations } from './archive.ts';
import { targetIdOf, targetOf } from './change-each.ts';
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
import { removeConversations } from './rm.ts';
import { showConversation } from './show.ts';

const conversationPath = command({
  name: 'path',
  summary: 'print the directory of a conversation',
  examples: ['c path @last'],
  arguments: [
    {
      name: 'id',
      summary: 'an id or a part of it, - for standard input; this terminal’s if absent',
      complete: 'conversations',
    },
  ],

  async run({ arguments: [target = '@active'], terminal, open }) {
    const app = await open();
    const id = await targetIdOf(app, target, terminal);
    const path = await app.conversations.pathOf(id);
    if (terminal.json) terminal.printJson({ id, path: path ?? null });
    else terminal.print(path ?? '');
    return 0;
  },
});

const useConversation = command({
  name: 'use',
  summary: 'make a conversation the active one in this terminal',
  examples: ['c use 01k9', 'c use @prev'],
  arguments: [
    {
      name: 'id',
      summary: 'an id or a part of it, - for standard input',
      required: true,
      complete: 'conversations',
    },
  ],

  async run({ arguments: [target = ''], terminal, open }) {
    const app = await open();
    const conversation = await targetOf(app, target, terminal);
    await app.activeConversations.activate(conversation.id);
    if (terminal.json) terminal.printJson({ conversation: conversationJson(conversation) });
    else terminal.note(`${conversation.id} is active: ${shownTitle(conversation.metadata)}`);
    return 0;
  },
});

export const conversation = command({
  name: 'conversation',
  aliases: ['c'],
  summary: 'list, read and change conversations',
  description:
    'A conversation is named by its id or any part of it that no other id has (4 characters or more), by @last (the ' +
    'most recent), by @active and @prev (this terminal’s, and the one it had before), or by - for ids on standard input.',
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
    useConversation,
    conversationPath,
    compactConversation,
    exportConversation,
    importConversations,
  ],
});
