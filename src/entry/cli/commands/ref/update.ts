import { Fault } from '../../../../base/fault.ts';
import { undoUpdate, updateTopic } from '../../../../domain/references/lifecycle/update-topic.ts';
import { command } from '../../command.ts';
import { bodyText, labelChanges, TOPIC, topicName } from './named-topic.ts';

export const updateReference = command({
  name: 'update',
  summary: 'change what is said about a topic; nothing is fetched',
  description:
    'Who changed what, and what it said before, is kept in topic.md and shown by "ken ref show"; --undo takes back the ' +
    'newest change, and given again the one before it.',
  examples: [
    'ref update dioxus --status obsolete',
    'ref update dioxus --max-age-days 90 --tag rust --tag ui',
    'ref update dioxus --undo',
  ],
  arguments: [TOPIC],
  options: [
    {
      flags: '--status <status>',
      summary: 'what it is now; it becomes stale by its age',
      choices: ['active', 'obsolete'],
    },
    { flags: '--max-age-days <n>', summary: 'stale after so many days; 0 is never' },
    { flags: '--body <text>', summary: 'what it is about, in Markdown; - is standard input' },
    { flags: '--tag <tag>', summary: 'in place of the tags it has', repeatable: true },
    { flags: '--label <key=value>', summary: 'a label; KEY- takes one away', repeatable: true },
    { flags: '--undo', summary: 'take back the newest change, also one of an assistant' },
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
    const isUndo = options.has('undo');
    if (isUndo && Object.values(patch).some((value) => value !== undefined))
      throw new Fault('cli/usage', '--undo takes a change back and makes none.', {
        hint: 'Give it alone.',
      });
    const app = await openAnywhere();
    const by = { ghost: app.config.assistant.name, model: undefined };
    const input = { topic: topicName(words[0] ?? ''), by };
    const topic = isUndo ? await undoUpdate(app, input) : await updateTopic(app, { ...input, patch });
    if (terminal.json) terminal.printJson({ topic });
    else
      terminal.note(
        isUndo ? `The last change of ${topic.topic_id} is taken back.` : `${topic.topic_id} is changed.`,
      );
    return undefined;
  },
});
