import { counted } from '../../../../base/text.ts';
import { command } from '../../command.ts';
import { jobProgress } from '../../render/job-progress.ts';

export const reindexReferences = command({
  name: 'reindex',
  summary: 'make the index of the library anew from what is on disk',
  description:
    'Nothing is fetched. Searches bring the index up to date by themselves; this is for when you doubt it.',
  examples: ['ref reindex'],

  async run({ terminal, signal, openAnywhere }) {
    const app = await openAnywhere();
    const tidied = await app.library.tidy();
    const progress = await jobProgress(terminal, app.clock, signal);
    await app.referenceIndex.clear();
    const request = { onProgress: progress.show, replacesVectors: true };
    await app.referenceIndex.sync(request, signal).finally(progress.end);
    const counts = await app.referenceIndex.chunkCounts();
    const chunks = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (terminal.json) terminal.printJson({ topic_count: counts.size, chunk_count: chunks, tidied });
    else terminal.note(`${counted(counts.size, 'topic')}, ${counted(chunks, 'chunk')}.`);
    return undefined;
  },
});
