/** Every check, in the order of the report. */

import type { Check } from './check.ts';

export const CHECKS: readonly Check[] = [
  { id: 'node', title: 'Node', load: async () => (await import('./node.ts')).checkNode },
  { id: 'git', title: 'git', load: async () => (await import('./programs.ts')).checkGit },
  { id: 'gh', title: 'gh', load: async () => (await import('./programs.ts')).checkGh },
  { id: 'config', title: 'Config', load: async () => (await import('./config.ts')).checkConfig },
  {
    id: 'directories',
    title: 'Directories',
    load: async () => (await import('./directories.ts')).checkDirectories,
  },
  { id: 'workspace', title: 'Workspace', load: async () => (await import('./workspace.ts')).checkWorkspace },
  {
    id: 'knowledge-base',
    title: 'Knowledge base',
    needs: 'workspace',
    load: async () => (await import('./knowledge-base.ts')).checkKnowledgeBase,
  },
  {
    id: 'tools',
    title: 'Tools',
    needs: 'workspace',
    load: async () => (await import('./tools.ts')).checkTools,
  },
  {
    id: 'c-compiler',
    title: 'C compiler',
    load: async () => (await import('./tools.ts')).checkCCompiler,
  },
  {
    id: 'ledger',
    title: 'Ledger',
    needs: 'workspace',
    load: async () => (await import('./ledger.ts')).checkLedger,
  },
  {
    id: 'references',
    title: 'References',
    needs: 'config',
    load: async () => (await import('./references.ts')).checkReferenceLibrary,
  },
  {
    id: 'conversations',
    title: 'Conversations',
    needs: 'workspace',
    load: async () => (await import('./conversations.ts')).checkConversations,
  },
  {
    id: 'trust',
    title: 'Trust',
    needs: 'workspace',
    load: async () => (await import('./approvals.ts')).checkTrust,
  },
  { id: 'approvals', title: 'Approvals', load: async () => (await import('./approvals.ts')).checkApprovals },
];
