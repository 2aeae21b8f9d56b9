/** Every completer, by the name that arguments and options know it by. Its code is read only when it is asked. */

import type { Completer } from './completer.ts';

export const COMPLETERS: Readonly<Record<string, () => Promise<Completer>>> = {
  approvals: async () => (await import('./approvals.ts')).completeApprovals,
  commands: async () => (await import('./commands.ts')).completeCommands,
  conversations: async () => (await import('./conversations.ts')).completeConversations,
  'config-keys': async () => (await import('./config-keys.ts')).completeConfigKeys,
  entries: async () => (await import('./entries.ts')).completeEntries,
  jobs: async () => (await import('./approvals.ts')).completeJobs,
  labels: async () => (await import('./conversations.ts')).completeLabels,
  'reference-topics': async () => (await import('./references.ts')).completeReferenceTopics,
  servers: async () => (await import('./tools.ts')).completeServers,
  subjects: async () => (await import('./knowledge.ts')).completeSubjects,
  tools: async () => (await import('./tools.ts')).completeTools,
  topics: async () => (await import('./knowledge.ts')).completeTopics,
  'topic-subjects': async () => (await import('./knowledge.ts')).completeTopicSubjects,
};

/** What the shell itself completes. */
export const BY_THE_SHELL = ['files', 'directories'] as const;
