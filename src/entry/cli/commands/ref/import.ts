import path from 'node:path';
import { changeLabels } from '../../../../domain/labels/label.ts';
import { importTopic } from '../../../../domain/references/lifecycle/import-topic.ts';
import { command } from '../../command.ts';
import { jobProgress } from '../../render/job-progress.ts';
import { bodyText, fetchLimits, labelChanges, printFetched } from './named-topic.ts';

export const importReference = command({
  name: 'import',
  summary: 'create a topic from a local directory',
  description:
    'The same files are kept as from a repository. A directory that "ken ref export" wrote becomes the same topic.',
  examples: ['ref import ~/manuals --title "Our manuals"', 'ref import ./dioxus-topic'],
  arguments: [
    { name: 'directory', summary: 'the directory with the files', required: true, complete: 'directories' },
  ],
  options: [
    { flags: '--title <text>', summary: 'the title; the name of the directory if absent' },
    { flags: '--body <text>', summary: 'a description in Markdown; - for standard input' },
    { flags: '--tag <tag>', summary: 'a tag to find it by', repeatable: true },
    { flags: '--max-age-days <n>', summary: 'stale after this many days (30); 0 means never' },
    { flags: '--trust-score <n>', summary: 'from 0 to 10 (5); orders near-ties' },
    { flags: '--label <key=value>', summary: 'a label', repeatable: true },
  ],

  async run(invocation) {
    const { arguments: words, options, directory, terminal, signal, openAnywhere } = invocation;
    const place = path.resolve(directory, words[0] ?? '');
    const maxAgeDays = options.count('max-age-days');
    const trustScore = options.count('trust-score');
    const body = await bodyText(options.text('body'), invocation);
    const labels = changeLabels(new Map(), labelChanges(options.texts('label')));
    const app = await openAnywhere();
    const progress = await jobProgress(terminal, app.clock, signal);
    const topic = {
      title: options.text('title'),
      tags: options.texts('tag'),
      labels,
      createdBy: { ghost: app.config.assistant.name, model: undefined },
      limits: fetchLimits(app),
      ...(body !== undefined && { body }),
      ...(maxAgeDays !== undefined && { maxAgeDays }),
      ...(trustScore !== undefined && { trustScore }),
    };
    const input = { directory: place, name: path.basename(place), topic };
    const report = async (step: Parameters<typeof progress.show>[0]) => progress.show(step);
    printFetched(terminal, await importTopic(app, input, report, signal).finally(progress.end));
    return undefined;
  },
});
