import path from 'node:path';
import { systemClock } from '../adapters/system/clock.ts';
import { systemHasher } from '../adapters/system/hasher.ts';
import type { ConversationPorts, OpenRequest } from '../app.ts';
import { deferred } from '../base/deferred.ts';
import type { Directories, Workspace } from '../base/places.ts';

interface Opened {
  readonly ports: ConversationPorts;
  close(): Promise<void>;
}

/** The index is opened when something is listed. */
export function openConversations(
  request: OpenRequest,
  directories: Directories,
  workspace: Workspace,
): Opened {
  const { root, home } = workspace;
  const closers: (() => Promise<void>)[] = [];
  const index = deferred(async () => {
    const { openIndexDatabase } = await import('../adapters/sqlite/index-database.ts');
    const { sqliteConversationIndex } = await import('../adapters/sqlite/conversation-index.ts');
    const database = await openIndexDatabase({
      file: path.join(home, 'index.db'),
      records: path.join(directories.state, 'inspected'),
      warn: request.warn,
    });
    closers.push(() => database.close());
    return sqliteConversationIndex(database);
  });
  const locks = deferred(async () => {
    const { sqliteWriterLocks } = await import('../adapters/sqlite/writer-locks.ts');
    return sqliteWriterLocks(systemClock);
  });
  const conversations = deferred(async () => {
    const { fileConversationStore } = await import('../adapters/files/conversations/conversation-store.ts');
    const { warn } = request;
    const local = path.join(workspaceData(directories, root), 'conversations');
    const shared = path.join(home, 'conversations');
    return fileConversationStore({ shared, local, locks, index, clock: systemClock, warn });
  });
  const activeConversations = deferred(async () => {
    const { fileActiveConversations } = await import('../adapters/files/active-conversations.ts');
    const { terminalId } = await import('../adapters/system/terminal-id.ts');
    const directory = path.join(directories.state, 'active');
    const terminal = terminalId(request.environment);
    return fileActiveConversations({ directory, workspace: root, terminal, hasher: systemHasher });
  });
  const close = async () => {
    for (const each of closers) await each();
  };
  return { ports: { conversations, activeConversations }, close };
}

/** What the user keeps about one workspace, outside of it. */
function workspaceData({ data }: Directories, root: string): string {
  return path.join(data, 'workspaces', `${path.basename(root)}-${systemHasher.sha256(root).slice(0, 8)}`);
}
