import path from 'node:path';
import { systemClock, systemHasher } from '../adapters/system/primitives.ts';
import type { ConversationPorts } from '../app.ts';
import { lazyPort } from '../base/lazy.ts';
import type { Workspace } from '../base/places.ts';
import type { WriterLocks } from '../domain/conversations/writer-lock.ts';
import { ownDirectory, type Surroundings, workspaceName } from './part.ts';

export function openConversations(
  { request, directories }: Surroundings,
  workspace: Workspace,
  isShared: () => boolean,
): ConversationPorts {
  const { root, home } = workspace;
  const locks = lazyPort<WriterLocks>(async () => {
    const { sqliteWriterLocks } = await import('../adapters/sqlite/seam/writer-locks.ts');
    return sqliteWriterLocks(systemClock);
  });
  const conversations = lazyPort<ConversationPorts['conversations']>(async () => {
    const { fileConversationStore } = await import('../adapters/files/conversations/conversation-store.ts');
    const name = workspaceName(workspace);
    const lists = path.join(directories.cache, 'conversations');
    const shared = { directory: path.join(home, 'conversations'), list: path.join(lists, `${name}.list`) };
    const local = {
      directory: path.join(ownDirectory(directories, workspace), 'conversations'),
      list: path.join(lists, `${name}.local.list`),
    };
    const store = fileConversationStore({ shared, local, locks, clock: systemClock, warn: request.warn });
    return {
      ...store,
      async create(start) {
        if (!start.isLocal) {
          const { keepOutOfGit } = await import('../adapters/files/conversations/git-ignore.ts');
          await keepOutOfGit(home, isShared(), request.warn);
        }
        return store.create(start);
      },
    };
  });
  const activeConversations = lazyPort<ConversationPorts['activeConversations']>(async () => {
    const { fileActiveConversations } = await import('../adapters/files/active-conversations.ts');
    const { terminalId } = await import('../adapters/system/process-stat.ts');
    const directory = path.join(directories.state, 'active');
    const terminal = terminalId(request.environment);
    return fileActiveConversations({ directory, workspace: root, terminal, hasher: systemHasher });
  });
  const givenSettings = lazyPort<ConversationPorts['givenSettings']>(async () => {
    const { givenSettingsIn } = await import('../adapters/files/conversations/given-settings.ts');
    return givenSettingsIn(path.join(ownDirectory(directories, workspace), 'given-settings'), systemHasher);
  });
  return { conversations, activeConversations, givenSettings };
}
