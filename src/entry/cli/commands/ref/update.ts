import { updateTopic } from '../../../../domain/references/update-topic.ts';
import type { Command } from '../../command.ts';
import { bodyText, labelChanges, TOPIC, topicName } from './named-topic.ts';

export const updateReference: Command = {
  name: 'update',
  summary: 'change what is said about a topic; nothing is fetched',
  examples: [
    'ref update dioxus --status obsolete',
    'ref update dioxus --max-age-days 90 --tag rust --tag ui',
  ],
  arguments: [TOPIC],
  options: [
    { flags: '--status <status>', summary: 'active or obsolete', choices: ['active', 'obsolete', 'stale'] },
    { flags: '--max-age-days <n>', summary: 'stale after so many days; 0 is never' },
    { flags: '--body <text>', summary: 'what it is about, in Markdown; - is standard input' },
    { flags: '--tag <tag>', summary: 'in place of the tags it has', repeatable: true },
    { flags: '--label <key=value>', summary: 'a label; KEY- takes one away', repeatable: true },
  ],

  async run(invocation) {
    const { arguments: words, options, terminal, openAnywhere } = invocation;
    const labels = labelChanges(options.texts('label'));
    const patch = {
      status: options.text('status'),
      maxAgeDays: options.count('max-age-days'),
      body: await bodyText(options.text('body'), invocation),
      tags: options.has('tag') ? options.texts('tag') : undefined,
      labels: labels.length > 0 ? labels : undefined,
    };
    const topic = await updateTopic(await openAnywhere(), { topic: topicName(words[0] ?? ''), patch });
    if (terminal.json) terminal.printJson({ topic });
    else terminal.note(`${topic.topic_id} is changed.`);
    return undefined;
  },
};
