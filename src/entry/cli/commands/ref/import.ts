import path from 'node:path';
import { importTopic } from '../../../../domain/references/lifecycle/import-topic.ts';
import { fetchLimits } from '../../../../domain/references/tools/reference-tools.ts';
import { command } from '../../command.ts';
import { jobProgress } from '../../render/job-progress.ts';
import { DESCRIPTION, personOf, printFetched, readDescription } from './named-topic.ts';

export const importReference = command({
  name: 'import',
  summary: 'create a topic from a local directory',
  description:
    'Skips the same files as in a repository. A directory that "ken ref export" wrote becomes the same topic.',
  examples: ['ref import ~/manuals --title "Our manuals"', 'ref import ./dioxus-topic'],
  arguments: [
    { name: 'directory', summary: 'the directory with the files', required: true, complete: 'directories' },
  ],
  options: [
    { flags: '--title <text>', summary: 'the title; the name of the directory if absent' },
    ...DESCRIPTION,
  ],

  async run(invocation) {
    const { arguments: words, options, directory, terminal, signal, openAnywhere } = invocation;
    const place = path.resolve(directory, words[0] ?? '');
    const description = await readDescription(invocation);
    const app = await openAnywhere();
    const progress = await jobProgress(terminal, app.clock, signal);
    const title = options.text('title');
    const topic = {
      title,
      ...description,
      createdBy: personOf(app),
      limits: fetchLimits(app.config.references),
    };
    const input = { directory: place, name: path.basename(place), topic };
    const report = async (step: Parameters<typeof progress.show>[0]) => progress.show(step);
    printFetched(terminal, await importTopic(app, input, report, signal).finally(progress.end));
  },
});
