import { eventTexts } from '../../../../domain/conversations/event-text.ts';
import { command } from '../../command.ts';
import { ERASURE, ERASURE_DESCRIPTION, eraseTarget } from '../erase.ts';
import { CONVERSATION, targetOf } from './change-each.ts';

export const eraseConversation = command({
  name: 'erase',
  summary: 'erase a conversation everywhere, for good',
  description: ERASURE_DESCRIPTION,
  examples: ['c erase 01k9 --dry-run', 'c erase 01k9'],
  arguments: [CONVERSATION],
  options: ERASURE,

  async run(invocation) {
    const app = await invocation.open();
    const { id, metadata } = await targetOf(app, invocation.arguments[0] ?? '', invocation.terminal);
    const log = await app.conversations.log(id);
    const texts = [metadata.title ?? '', ...[...eventTexts(log?.events ?? [])].map(({ text }) => text)];
    return eraseTarget(invocation, app, { kind: 'conversation', id, texts });
  },
});
