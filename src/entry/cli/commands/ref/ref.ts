import path from 'node:path';
import { counted } from '../../../../base/text.ts';
import { checkLibrary, type LibraryFinding } from '../../../../domain/references/topic/check-library.ts';
import { requireTopic } from '../../../../domain/references/topic/find-topic.ts';
import { topicId } from '../../../../domain/references/topic/topic.ts';
import { command } from '../../command.ts';
import { jobProgress } from '../../render/job-progress.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { createReference } from './create.ts';
import { deleteReference, eraseReference } from './delete.ts';
import { importReference } from './import.ts';
import { listReferences } from './ls.ts';
import { TOPIC, topicName } from './named-topic.ts';
import { refreshReferences } from './refresh.ts';
import { searchReferenceLibrary } from './search.ts';
import { showReference } from './show.ts';
import { updateReference } from './update.ts';

const checkReferences = command({
  name: 'doctor',
  summary: 'check that the files of every topic are complete and unchanged',
  description: 'Reads every file. Exit 6 when anything is found.',
  examples: ['ref doctor'],

  async run({ terminal, signal, openAnywhere }) {
    const { topics, files, findings } = await checkLibrary(await openAnywhere(), signal);
    if (terminal.json)
      terminal.printJson({
        topics,
        files,
        findings: findings.map(({ topic_id, problem, hint }) => ({ topic_id, problem, hint })),
      });
    else if (findings.length > 0) printTable(terminal, COLUMNS, findings);
    else terminal.note(`${counted(topics, 'topic')}, ${counted(files, 'file')}: nothing is wrong.`);
    return findings.length > 0 ? 6 : 0;
  },
});

const COLUMNS: readonly ItemColumn<LibraryFinding>[] = [
  { title: 'topic', cell: ({ topic_id }) => topic_id ?? '' },
  { title: 'problem', flexible: true, cell: ({ problem }) => problem },
  { title: 'what to do', flexible: true, cell: ({ hint }) => hint },
];

const exportReference = command({
  name: 'export',
  summary: 'export a topic to a new directory, for another machine',
  description: '"ken ref import" reads it there, with its sources, its lock file and its times.',
  examples: ['ref export dioxus ./dioxus-topic'],
  arguments: [
    TOPIC,
    {
      name: 'directory',
      summary: 'a directory that does not exist yet',
      required: true,
      complete: 'directories',
    },
  ],

  async run({ arguments: [name = '', target = ''], directory, terminal, openAnywhere }) {
    const app = await openAnywhere();
    const kept = await requireTopic(app, topicName(name));
    const place = path.resolve(directory, target);
    await app.topicTransfer.exportTo(kept.slug, place);
    const { count } = kept.topic.files;
    if (terminal.json) terminal.printJson({ topic_id: topicId(kept), directory: place, file_count: count });
    else terminal.print(place);
  },
});

const reindexReferences = command({
  name: 'reindex',
  summary: 'rebuild the index of the library from the files on disk',
  description: 'Nothing is fetched. Searches update the index by themselves; use this if you doubt it.',
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
  },
});

export const ref = command({
  name: 'ref',
  summary: 'fetch libraries and pages once, search them offline, keep them fresh',
  description:
    'All workspaces share the reference library. Fetching a topic needs your approval; what was fetched stays ' +
    'on this machine until you delete it.',
  examples: [
    'ref create --title Dioxus --git https://github.com/DioxusLabs/dioxus --path docs/',
    'ref search "component lifecycle hooks" --topic dioxus',
    'ref refresh --stale',
  ],
  subcommands: [
    listReferences,
    showReference,
    searchReferenceLibrary,
    createReference,
    updateReference,
    refreshReferences,
    deleteReference,
    eraseReference,
    reindexReferences,
    exportReference,
    importReference,
    checkReferences,
  ],
});
