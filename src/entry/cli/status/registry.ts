/** Every section, in the order of the screen. */

import type { Section } from './section.ts';

export const SECTIONS: readonly Section[] = [
  { id: 'workspace', title: 'Workspace', load: async () => (await import('./workspace.ts')).readWorkspace },
  {
    id: 'knowledge_base',
    title: 'Knowledge base',
    load: async () => (await import('./knowledge-base.ts')).readKnowledgeBase,
  },
  { id: 'ledger', title: 'Ledger', load: async () => (await import('./ledger.ts')).readLedger },
  {
    id: 'references',
    title: 'References',
    load: async () => (await import('./references.ts')).readReferences,
  },
  {
    id: 'conversations',
    title: 'Conversations',
    load: async () => (await import('./conversations.ts')).readConversations,
  },
  { id: 'trust', title: 'Trust', load: async () => (await import('./trust.ts')).readTrust },
  { id: 'approvals', title: 'Approvals', load: async () => (await import('./approvals.ts')).readApprovals },
];
