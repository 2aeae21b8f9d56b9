import path from 'node:path';
import type { App } from '../../../../app.ts';
import { counted } from '../../../../base/text.ts';
import { importTopic } from '../../../../domain/references/lifecycle/import-topic.ts';
import { fetchLimits } from '../../../../domain/references/tools/reference-tools.ts';
import { command } from '../../command.ts';
import { jobProgress } from '../../render/job-progress.ts';
import type { Terminal } from '../../terminal.ts';
import { DESCRIPTION, personOf, printFetched, readDescription } from './named-topic.ts';

export const importReference = command({
  name: 'import',
  summary: 'create a topic from a local directory or an index of qmd',
  description:
    'Skips the same files as in a repository. A directory that "ken ref export" wrote becomes the same topic. A ' +
    'collection of qmd is named INDEX/COLLECTION, as if the index were a directory; "ken ref refresh" reads it ' +
    'again.',
  examples: [
    'ref import ~/manuals --title "Our manuals"',
    'ref import ./dioxus-topic',
    'ref import ~/.cache/qmd/index.sqlite/notes --dry-run',
  ],
  arguments: [
    { name: 'directory', summary: 'the directory with the files', required: true, complete: 'directories' },
  ],
  options: [
    { flags: '--title <text>', summary: 'the title; the name of the directory if absent' },
    ...DESCRIPTION,
    { flags: '--dry-run', summary: 'count the files without changing anything' },
  ],

  async run(invocation) {
    const { arguments: words, options, directory, terminal, signal, openAnywhere } = invocation;
    const place = path.resolve(directory, words[0] ?? '');
    const description = await readDescription(invocation);
    const app = await openAnywhere();
    if (options.has('dry-run')) return preview(terminal, app, place);
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

async function preview(terminal: Terminal, app: App, place: string): Promise<void> {
  const { files, close } = await app.localDirectories.open(place);
  await close();
  if (terminal.json) terminal.printJson({ dry_run: true, files: files.length });
  else terminal.note(`${counted(files.length, 'file')} would be looked at.`);
}
