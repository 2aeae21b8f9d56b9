import { asWriter } from '../../../../domain/conversations/find-conversation.ts';
import { command } from '../../command.ts';
import { confirmsDeletion, DELETION, ERASURE, ERASURE_DESCRIPTION } from '../confirm-deletion.ts';
import { CONVERSATION, CONVERSATIONS, targetOf, targetsOf, waitFor } from './change-each.ts';
import { shownTitle } from './conversation-json.ts';

export const removeConversations = command({
  name: 'rm',
  summary: 'delete conversations for good',
  description: 'Asks first on a terminal; elsewhere it needs --yes. "ken c archive" only hides them.',
  examples: ['c rm 01k9', 'c rm 01k9 01k8 --yes'],
  arguments: [CONVERSATIONS],
  options: DELETION,

  async run(invocation) {
    const { terminal } = invocation;
    const app = await invocation.open();
    const found = await targetsOf(app, invocation.arguments, terminal);
    const ids = found.map(({ id }) => id);
    const names = found.map(({ id, metadata }) => `${id}  ${shownTitle(metadata)}`);
    const hint = 'Give --yes to delete without being asked, or hide them with "ken c archive".';
    if (!(await confirmsDeletion(invocation, app, { ids, names, noun: 'conversation', hint }))) return;
    for (const conversation of found) {
      await asWriter(app, conversation, waitFor(invocation), (writer) => writer.remove());
      if (!terminal.json) terminal.note(`deleted ${conversation.id}`);
    }
    if (terminal.json) terminal.printJson({ removed: ids });
  },
});

export const eraseConversation = command({
  name: 'erase',
  summary: 'erase a conversation everywhere, for good',
  description: ERASURE_DESCRIPTION,
  examples: ['c erase 01k9 --dry-run', 'c erase 01k9'],
  arguments: [CONVERSATION],
  options: ERASURE,

  async run(invocation) {
    const { conversationToErase, eraseTarget } = await import('../../erase-target.ts');
    const app = await invocation.open();
    const { id } = await targetOf(app, invocation.arguments[0] ?? '', invocation.terminal);
    return eraseTarget(invocation, app, await conversationToErase(app, id));
  },
});
