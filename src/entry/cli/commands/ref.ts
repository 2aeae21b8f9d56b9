import { command } from '../command.ts';
import { createReference } from './ref/create.ts';
import { deleteReference } from './ref/delete.ts';
import { checkReferences } from './ref/doctor.ts';
import { exportReference } from './ref/export.ts';
import { importReference } from './ref/import.ts';
import { listReferences } from './ref/ls.ts';
import { refreshReferences } from './ref/refresh.ts';
import { reindexReferences } from './ref/reindex.ts';
import { searchReferenceLibrary } from './ref/search.ts';
import { showReference } from './ref/show.ts';
import { updateReference } from './ref/update.ts';

export const ref = command({
  name: 'ref',
  summary: 'fetch libraries and pages once, search them offline, keep them fresh',
  description:
    'The reference library belongs to every workspace. Fetching a topic needs your approval; what was fetched stays ' +
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
    reindexReferences,
    exportReference,
    importReference,
    checkReferences,
  ],
});
