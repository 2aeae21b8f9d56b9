import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Hasher } from '../../base/hasher.ts';
import { isConversationId } from '../../domain/conversations/conversation-id.ts';
import type { ActiveConversations } from '../../domain/conversations/find-conversation.ts';
import { readIfPossible } from '../paths/change-directory.ts';
import { writeAtomically } from './atomic-write.ts';
import { writing } from './file-fault.ts';

export interface TerminalPlace {
  readonly directory: string;
  readonly workspace: string;
  readonly terminal: string | undefined;
  readonly hasher: Hasher;
}

const MOST_KEPT = 20;

/** One small file for each terminal and workspace; losing it costs nothing but the choice. */
export function fileActiveConversations({
  directory,
  workspace,
  terminal,
  hasher,
}: TerminalPlace): ActiveConversations {
  const name = hasher.sha256(`${workspace}\0${terminal ?? ''}`).slice(0, 32);
  const file = path.join(directory, `${name}.json`);

  async function history() {
    if (terminal === undefined) return [];
    try {
      const ids = JSON.parse(readIfPossible(file)?.toString() ?? '[]') as unknown;
      return Array.isArray(ids) ? ids.map(String).filter((id) => isConversationId(id)) : [];
    } catch {
      return [];
    }
  }

  return {
    history,
    async activate(id) {
      if (terminal === undefined) return;
      const before = await history();
      if (before[0] === id) return;
      await writing(file, () => mkdir(directory, { recursive: true, mode: 0o700 }));
      const ids = [id, ...before.filter((each) => each !== id)].slice(0, MOST_KEPT);
      await writeAtomically(file, JSON.stringify(ids), { mode: 0o600 });
    },
  };
}
