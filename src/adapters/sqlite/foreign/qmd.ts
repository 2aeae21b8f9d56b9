/** The files that qmd keeps in its index, as trees like those of directories. */

import { statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import { compareCodePoints } from '../../../base/text.ts';
import { fileNameProblem } from '../../../domain/references/sources/file-name.ts';
import type { GitContent, GitFile, GitTree } from '../../../domain/references/sources/git-reader.ts';
import { columnsOf, withForeignDatabase } from './foreign-database.ts';

export interface QmdLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** Undefined where no index is: `index.sqlite/notes` names a collection, `index.sqlite` the only one. */
export function qmdTree(place: string, limits: QmdLimits): GitTree | undefined {
  const isFile = statSync(place, { throwIfNoEntry: false })?.isFile() === true;
  const [file, wanted] = isFile ? [place, undefined] : [path.dirname(place), path.basename(place)];
  return withForeignDatabase(file, ['documents', 'content'], (connection) => {
    if (columnsOf(connection, 'documents', ['collection', 'path', 'hash']).length < COLUMNS) return undefined;
    const collection = collectionIn(connection, file, wanted);
    const rows = connection.prepare(LIST).all(collection, limits.maxFiles + 1);
    if (rows.length > limits.maxFiles)
      throw new Fault(
        'references/too-large',
        `${place}: more than ${limits.maxFiles} files, which is the limit.`,
        {
          hint: 'Raise references.max_files.',
        },
      );
    const found = rows.map(({ path: name, hash }) => ({
      path: String(name),
      mode: '100644' as const,
      oid: String(hash),
    }));
    const files = found.filter(({ path: name }) => !fileNameProblem(name));
    return {
      commit: '',
      files: files.sort((a, b) => compareCodePoints(a.path, b.path)),
      unusableNames: found.length - files.length,
      read: (chosen, { maxFileBytes }) => readAll({ file, place, ...limits, maxFileBytes }, chosen),
      close: async () => {},
    };
  });
}

const COLUMNS = 3;
const LIST = 'select path, hash from documents where collection = ? and active = 1 order by id limit ?';

function collectionIn(connection: DatabaseSync, file: string, wanted: string | undefined): string {
  const found = connection
    .prepare(
      'select collection, count(*) as count from documents where active = 1 group by collection order by 1',
    )
    .all();
  const names = found.map(({ collection }) => String(collection));
  const [only] = names;
  if (wanted === undefined && names.length === 1 && only !== undefined) return only;
  if (wanted !== undefined && names.includes(wanted)) return wanted;
  const counted = found.map(
    ({ collection, count }) => `${path.join(file, String(collection))} (${String(count)})`,
  );
  const message =
    wanted === undefined
      ? `${file} holds ${names.length} collections.`
      : `${file} holds no collection "${wanted}".`;
  throw new Fault('files/not-found', message, {
    hint: counted.length === 0 ? 'Run "qmd update" first.' : `Name one: ${counted.join(', ')}.`,
  });
}

interface Reading extends QmdLimits {
  readonly file: string;
  readonly place: string;
  readonly maxFileBytes: number;
}

async function* readAll(reading: Reading, files: readonly GitFile[]): AsyncGenerator<GitContent> {
  let sum = 0;
  for (const file of files) {
    const content = textOf(reading, file);
    sum += content?.bytes?.length ?? 0;
    if (sum > reading.maxBytes)
      throw new Fault(
        'references/too-large',
        `${reading.place}: more than ${reading.maxBytes} bytes, which is the limit.`,
        { hint: 'Raise references.max_bytes.' },
      );
    yield content ? { file, ...content } : { file, sizeBytes: 0, bytes: undefined, isUnreadable: true };
  }
}

/** Opened for each file: no lock is held while another part of ken waits. */
function textOf({ file, maxFileBytes }: Reading, { oid }: GitFile) {
  return withForeignDatabase(file, ['content'], (connection) => {
    const [row] = connection
      .prepare('select length(cast(doc as blob)) as size from content where hash = ?')
      .all(oid);
    if (!row) return undefined;
    const sizeBytes = Number(row.size);
    if (sizeBytes > maxFileBytes) return { sizeBytes, bytes: undefined };
    const [content] = connection.prepare('select doc from content where hash = ?').all(oid);
    return { sizeBytes, bytes: Buffer.from(String(content?.doc)) };
  });
}
