import type { Command } from '../command.ts';
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

export const conversation: Command = {
  name: 'conversation',
  aliases: ['c'],
  summary: 'list, read and change conversations',
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
};
