import { Fault } from '../../../../base/fault.ts';
import { parseLabelChanges } from '../../../../domain/labels/label-directive.ts';
import { undoUpdate, updateTopic } from '../../../../domain/references/lifecycle/update-topic.ts';
import { command } from '../../command.ts';

import { readText } from '../../read-content.ts';
import { personOf, TOPIC, topicName } from './named-topic.ts';

export const updateReference = command({
  name: 'update',
  summary: 'change the description of a topic; nothing is fetched',
  description:
    'topic.md records every change with its author and the old values, and "ken ref show" lists them. --undo reverts ' +
    'the newest change; used again, it reverts the one before.',
  examples: [
    'ref update dioxus --status obsolete',
    'ref update dioxus --max-age-days 90 --tag rust --tag ui',
    'ref update dioxus --undo',
  ],
  arguments: [TOPIC],
  options: [
    {
      flags: '--status <status>',
      summary: 'the status; a topic becomes stale by its age',
      choices: ['active', 'obsolete'],
    },
    { flags: '--max-age-days <n>', summary: 'stale after this many days; 0 means never' },
    { flags: '--body <text>', summary: 'a description in Markdown; - for standard input' },
    { flags: '--tag <tag>', summary: 'replace its tags by these', repeatable: true },
    { flags: '--label <key=value>', summary: 'a label; KEY- removes one', repeatable: true },
    { flags: '--undo', summary: 'undo the newest change, also one of an assistant' },
  ],

  async run(invocation) {
    const { arguments: words, options, terminal, openAnywhere } = invocation;
    const labels = parseLabelChanges(options.texts('label'), 'A topic');
    const patch = {
      status: options.text('status'),
      maxAgeDays: options.count('max-age-days'),
      body: await readText(options.text('body'), invocation, 'references/invalid'),
      tags: options.has('tag') ? options.texts('tag') : undefined,
      labels: labels.length > 0 ? labels : undefined,
    };
    const isUndo = options.has('undo');
    if (isUndo && Object.values(patch).some((value) => value !== undefined))
      throw new Fault('cli/usage', '--undo cannot be combined with changes.', { hint: 'Give --undo alone.' });
    const app = await openAnywhere();
    const input = { topic: topicName(words[0] ?? ''), by: personOf(app) };
    const topic = isUndo ? await undoUpdate(app, input) : await updateTopic(app, { ...input, patch });
    if (terminal.json) terminal.printJson({ topic });
    else
      terminal.note(
        isUndo ? `The last change of ${topic.topic_id} is undone.` : `${topic.topic_id} is changed.`,
      );
  },
});
