/** Files, directories and globs of the workspace as attachments. */

import { globSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { AttachedText } from '../../domain/conversations/event.ts';
import type { AttachmentReader } from '../../domain/turns/attach.ts';
import { readPlainFile } from '../paths/open-path.ts';
import { linkFreePath } from '../paths/real-path.ts';

export interface AttachedPlaces {
  readonly workspace: string;
  /** Base of relative sources. */
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
        const text = readText(places, file, files.length === 1);
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

/** The path without links; a Fault when it, or a link on the way, is outside the workspace. */
function realPathInside(workspace: string, file: string): string {
  const real = linkFreePath(workspace, file);
  if (real !== undefined) return real;
  throw new Fault('attachments/outside', `${file} is outside the workspace.`, {
    hint: 'Copy it into the workspace, or pipe it in: ken q "…" < file.',
  });
}

/** A file named alone must be text; among others, one that is not text is skipped. */
function readText({ maxBytes }: AttachedPlaces, file: string, isAlone: boolean): string | undefined {
  const bytes = readBytes(file, maxBytes);
  if (bytes === 'too-large') {
    throw new Fault('attachments/too-large', `${file} is larger than ${maxBytes} bytes.`, {
      hint: 'Attach a part of it through standard input.',
    });
  }
  if (bytes && !bytes.subarray(0, 8192).includes(0)) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  if (isAlone) throw new Fault('attachments/not-text', `${file} is not UTF-8 text.`);
  return undefined;
}

function readBytes(file: string, maxBytes: number) {
  try {
    return readPlainFile(file, maxBytes);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('files/unreadable', `${file} cannot be read.`, { cause: error });
  }
}
