/** Reads what other programs left: a database of claude-mem, a directory of basic-memory. */

import { statSync } from 'node:fs';
import path from 'node:path';
import type { WorkspaceApp } from '../../../app.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { ForeignNote } from '../../../domain/ledger/exchange/basic-memory.ts';
import type { OptionSpec } from '../command.ts';

export const PROJECT = {
  flags: '--project <name>',
  summary: 'the project of claude-mem; the name of the workspace directory if absent',
} as const satisfies OptionSpec;

type Places = Pick<WorkspaceApp, 'foreignDatabases' | 'localDirectories' | 'workspace'>;

/** Undefined for a file that is no database. */
export async function claudeMemRows(
  { foreignDatabases, workspace }: Places,
  file: string,
  project: string | undefined,
): Promise<JsonObject | undefined> {
  return foreignDatabases.read(file, project ?? path.basename(workspace.root));
}

const LARGEST_NOTE = 4 * 1024 * 1024;

/** The Markdown files of a directory; undefined for anything but a directory. */
export async function notesIn(
  { localDirectories, workspace }: Places,
  directory: string,
): Promise<ForeignNote[] | undefined> {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const tree = await localDirectories.open(directory);
  const files = tree.files.filter(({ path: name, mode }) => mode !== '120000' && /\.md$/i.test(name));
  const inside = path.relative(workspace.root, directory).split(path.sep).join('/');
  const isInside = inside !== '..' && !inside.startsWith('../') && !path.isAbsolute(inside);
  const notes: ForeignNote[] = [];
  for await (const { file, bytes } of tree.read(files, { maxFileBytes: LARGEST_NOTE })) {
    if (!bytes) continue;
    const workspacePath = isInside ? path.posix.join(inside, file.path) : undefined;
    notes.push({ path: file.path, text: Buffer.from(bytes).toString('utf8'), workspacePath });
  }
  return notes;
}
