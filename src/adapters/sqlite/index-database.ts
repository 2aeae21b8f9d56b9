import { CONVERSATION_INDEX } from './conversation-index.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';

/** What is derived from a workspace's files; deleting it costs a rebuild, nothing else. */
export function openIndexDatabase(file: string, warn: (text: string) => void): Promise<Database> {
  return openDatabase({ file, kind: 'derived', migrations: CONVERSATION_INDEX, warn });
}
