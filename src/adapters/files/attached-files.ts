/** Files, directories and globs of the workspace as attachments. */

import { globSync, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { AttachedText } from '../../domain/conversations/event.ts';
import type { AttachmentReader } from '../../domain/turns/attach.ts';
import { isInside } from './real-path.ts';

export interface AttachedPlaces {
  /** Nothing outside it is read. */
  readonly workspace: string;
  /** Sources are relative to this. */
  readonly directory: string;
  readonly maxBytes: number;
}

const SKIPPED = new Set(['.git', '.ken', 'node_modules']);

export function attachedFiles(places: AttachedPlaces): AttachmentReader {
  return {
    async read(source) {
      if (/^[a-z]+:/i.test(source)) return undefined;
      const files = filesAt(places, source);
      if (files.length === 0) return undefined;
      const texts: AttachedText[] = [];
      for (const file of files) {
        const text = await readText(places, file, files.length === 1);
        if (text !== undefined) texts.push({ source: path.relative(places.workspace, file), text });
      }
      if (texts.length > 0) return texts;
      throw new Fault(
        'attachments/not-text',
        `None of the ${files.length} files at "${source}" is UTF-8 text.`,
      );
    },
  };
}

function filesAt({ workspace, directory }: AttachedPlaces, source: string): string[] {
  const named = path.resolve(directory, source);
  const stats = statSync(named, { throwIfNoEntry: false });
  if (stats?.isFile()) return [realPathInside(workspace, named)];
  const pattern = stats?.isDirectory() ? '**/*' : source;
  if (!stats && !/[*?[{]/.test(source)) return [];
  const base = stats?.isDirectory() ? realPathInside(workspace, named) : directory;
  return globSync(pattern, { cwd: base, exclude: (name) => SKIPPED.has(path.basename(String(name))) })
    .map((relative) => path.resolve(base, relative))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .map((file) => realPathInside(workspace, file))
    .sort(compareCodePoints);
}

/** The file's real path; a Fault when that is outside the workspace. */
function realPathInside(workspace: string, file: string): string {
  const real = realpathSync(file);
  if (isInside(real, workspace)) return real;
  throw new Fault('attachments/outside', `${file} is outside the workspace.`, {
    hint: 'Copy it into the workspace, or pipe it in: ken q "…" < file.',
  });
}

/** A file named alone must be text; among others, one that is not text is skipped. */
async function readText(
  { maxBytes }: AttachedPlaces,
  file: string,
  isAlone: boolean,
): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) {
      throw new Fault('attachments/too-large', `${file} is larger than ${maxBytes} bytes.`, {
        hint: 'Attach a part of it through standard input.',
      });
    }
    const bytes = await handle.readFile();
    if (!bytes.subarray(0, 8192).includes(0)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (!(error instanceof TypeError))
      throw new Fault('files/unreadable', `${file} cannot be read.`, { cause: error });
  } finally {
    await handle.close();
  }
  if (isAlone) throw new Fault('attachments/not-text', `${file} is not UTF-8 text.`);
  return undefined;
}
