import { command } from '../command.ts';
import { archiveConversations, unarchiveConversations } from './conversation/archive.ts';
import { compactConversation } from './conversation/compact.ts';
import { editConversation } from './conversation/edit.ts';
import { exportConversation } from './conversation/export.ts';
import { forkConversation } from './conversation/fork.ts';
import { grepConversations } from './conversation/grep.ts';
import { importConversations } from './conversation/import.ts';
import { labelConversations } from './conversation/label.ts';
import { listConversations } from './conversation/ls.ts';
import { conversationPath } from './conversation/path.ts';
import { printConversation } from './conversation/print.ts';
import { removeConversations } from './conversation/rm.ts';
import { showConversation } from './conversation/show.ts';
import { useConversation } from './conversation/use.ts';

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
