import { givenTitle } from '../../../../domain/conversations/conversation.ts';
import { createConversation, forkOf } from '../../../../domain/conversations/create-conversation.ts';
import { parseLabelDirective } from '../../../../domain/labels/label-directive.ts';
import { resolveLabelsFor } from '../../../conversation-settings.ts';
import { command } from '../../command.ts';
import { LABEL } from '../../options.ts';
import { activateIfPossible } from './activate-if-possible.ts';
import { CONVERSATION, targetOf } from './change-each.ts';
import { conversationJson } from './conversation-json.ts';

export const forkConversation = command({
  name: 'fork',
  summary: 'start a new conversation as a copy of another',
  description:
    'Copies the labels, runs the rules with apply_on.fork again, and then applies --label. The copy becomes the ' +
    'active conversation of this terminal.',
  examples: ['c fork @active', 'c fork 01k9 --turns 3 --label try=2'],
  arguments: [CONVERSATION],
  options: [
    { flags: '--turns <n>', summary: 'copy only the first n turns' },
    LABEL,
    { flags: '--reset-labels', summary: 'copy no labels' },
    { flags: '--title <title>', summary: 'the title of the copy' },
  ],

  async run(invocation) {
    const { arguments: words, options, terminal, open } = invocation;
    const directives = options.texts('label').map(parseLabelDirective);
    const turns = options.count('turns');
    const app = await open();
    const source = await targetOf(app, words[0] ?? '', terminal);
    const before = options.has('reset-labels') ? new Map<string, string>() : source.metadata.labels;
    const { labels, decisions } = await resolveLabelsFor(invocation, app, {
      event: 'fork',
      conversation: source,
      before,
      directives,
    });
    const [baseConfig = {}, log] = await Promise.all([
      app.conversations.baseConfig(source.id),
      app.conversations.log(source.id),
    ]);
    const fork = forkOf({
      source,
      baseConfig,
      events: log?.events ?? [],
      turns,
      labels,
      title: givenTitle(options.text('title')),
    });
    const conversation = await createConversation(app, { ...fork, events: [...fork.events, ...decisions] });
    await activateIfPossible(app, terminal, conversation.id);
    if (terminal.json) terminal.printJson({ conversation: conversationJson(conversation) });
    else terminal.print(conversation.id);
  },
});
