/** Files, directories and globs as attachments; outside of the workspace only what the operator grants. */

import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { compareCodePoints, documentFormat } from '../../base/text.ts';
import type { DocumentReader } from '../../domain/chunks/document-text.ts';
import type { AttachedText } from '../../domain/conversations/event.ts';
import type { AttachmentReader } from '../../domain/turns/attach.ts';
import { filesMatching } from '../paths/matching-files.ts';
import { readPlainFile } from '../paths/open-path.ts';
import { isInside, linkFreePath } from '../paths/real-path.ts';

export interface AttachedPlaces {
  readonly workspace: string;
  /** Base of relative sources. */
  readonly directory: string;
  readonly maxBytes: number;
  /** Asks the operator about a real path outside the workspace; a Fault unless it is granted, for this once. */
  leave(realPath: string, signal: AbortSignal): Promise<void>;
  readonly documents: DocumentReader;
}

const SKIPPED = new Set(['.git', '.ken', 'node_modules']);

export function attachedFiles(places: AttachedPlaces): AttachmentReader {
  return {
    async read(source, signal) {
      if (/^[a-z]+:/i.test(source)) return undefined;
      const files = await filesAt(places, source, signal);
      if (files.length === 0) return undefined;
      const texts: AttachedText[] = [];
      const isDirectory = statSync(path.resolve(places.directory, source), STAT)?.isDirectory() === true;
      for (const file of files) {
        const content = isDirectory ? undefined : await mediaOrText(places, file);
        const text = content ? content.text : readText(places, file, files.length === 1);
        if (text !== undefined) texts.push({ source: nameOf(places, file), ...content, text });
      }
      if (texts.length > 0) return texts;
      throw new Fault(
        'attachments/not-text',
        `None of the ${files.length} files at "${source}" is UTF-8 text.`,
      );
    },
  };
}

const STAT = { throwIfNoEntry: false } as const;

/** Kinds of files by the end of their name, with the bytes that such a file begins with. */
const MEDIA: readonly { readonly ends: RegExp; readonly media: string; readonly begins: RegExp }[] = [
  { ends: /\.png$/i, media: 'image/png', begins: /^\x89PNG\r\n/ },
  { ends: /\.jpe?g$/i, media: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  { ends: /\.gif$/i, media: 'image/gif', begins: /^GIF8[79]a/ },
  { ends: /\.webp$/i, media: 'image/webp', begins: /^RIFF[\s\S]{4}WEBP/ },
  { ends: /\.pdf$/i, media: 'application/pdf', begins: /^%PDF-/ },
];
/** Every provider takes files of this size. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** A file that was sent by a browser rather than read from a path; a Fault if it cannot be attached. */
export async function sentFile(
  given: SentFile,
  limits: Pick<AttachedPlaces, 'maxBytes' | 'documents'>,
): Promise<AttachedText> {
  const { name: source } = given;
  const bytes = Buffer.from(given.content);
  const kind = kindOf(source);
  const most = kind ? MAX_FILE_BYTES : limits.maxBytes;
  if (bytes.length > most) throw tooLarge(source, most);
  if (kind) return { source, ...(await contentOf(kind, { file: source, bytes }, limits)) };
  const text = plainText(bytes);
  if (text === undefined) throw new Fault('attachments/not-text', `${source} is not UTF-8 text.`);
  return { source, text };
}

export interface SentFile {
  readonly name: string;
  readonly content: Uint8Array;
}

type Kind = (typeof MEDIA)[number] | NonNullable<ReturnType<typeof documentFormat>>;

function kindOf(file: string): Kind | undefined {
  return MEDIA.find(({ ends }) => ends.test(file)) ?? documentFormat(file);
}

/** An image or a PDF file as it is, another document as its text; undefined for other files. */
async function mediaOrText(
  places: AttachedPlaces,
  file: string,
): Promise<Omit<AttachedText, 'source'> | undefined> {
  const kind = kindOf(file);
  if (!kind) return undefined;
  const bytes = readBytes(file, MAX_FILE_BYTES);
  if (bytes === 'too-large' || !bytes) throw tooLarge(file, MAX_FILE_BYTES);
  return contentOf(kind, { file, bytes }, places);
}

async function contentOf(
  kind: Kind,
  { file, bytes }: { readonly file: string; readonly bytes: Buffer },
  { maxBytes, documents }: Pick<AttachedPlaces, 'maxBytes' | 'documents'>,
): Promise<Omit<AttachedText, 'source'>> {
  if (typeof kind === 'object') {
    if (!kind.begins.test(bytes.toString('latin1', 0, 16)))
      throw new Fault(
        'attachments/not-text',
        `${file} is not what its name says: its content is not ${kind.media}.`,
      );
    return { text: '', file: { media: kind.media, base64: bytes.toString('base64') } };
  }
  const read = await documents.read({ format: kind, bytes });
  if (!read.ok) throw new Fault('attachments/not-text', `${file} cannot be read: ${read.problem}.`);
  if (Buffer.byteLength(read.text) > maxBytes) throw tooLarge(file, maxBytes);
  return { text: read.text };
}

function tooLarge(file: string, maxBytes: number): Fault {
  return new Fault('attachments/too-large', `${file} is larger than ${maxBytes} bytes.`, {
    hint: 'Attach a part of it.',
  });
}

/** Relative to the workspace, if it is inside. */
function nameOf({ workspace }: AttachedPlaces, file: string): string {
  return isInside(file, workspace) ? path.relative(workspace, file) : file;
}

async function filesAt(places: AttachedPlaces, source: string, signal: AbortSignal): Promise<string[]> {
  const { directory } = places;
  const named = path.resolve(directory, source);
  const stats = statSync(named, { throwIfNoEntry: false });
  const left: string[] = [];
  const realOf = (file: string) => realPathAllowed(places, left, file, signal);
  if (stats?.isFile()) return [await realOf(named)];
  const pattern = stats?.isDirectory() ? '**/*' : source;
  if (!stats && !/[*?[{]/.test(source)) return [];
  const base = stats?.isDirectory() ? await realOf(named) : directory;
  const found = await filesMatching(base, pattern, { skips: (name) => SKIPPED.has(name) });
  const files: string[] = [];
  for (const file of found) files.push(await realOf(file));
  return files.sort(compareCodePoints);
}

/**
 * The path without links. Where it, or a link on the way, is outside the workspace, the operator is asked about the real
 * path; what is below one in `left` has been granted.
 */
async function realPathAllowed(
  { workspace, leave }: AttachedPlaces,
  left: string[],
  file: string,
  signal: AbortSignal,
): Promise<string> {
  const inside = linkFreePath(workspace, file);
  if (inside !== undefined) return inside;
  const real = realpathSync.native(file);
  if (left.some((granted) => isInside(real, granted))) return real;
  await leave(real, signal);
  left.push(real);
  return real;
}

/** A file named alone must be text; among others, one that is not text is skipped. */
function readText({ maxBytes }: AttachedPlaces, file: string, isAlone: boolean): string | undefined {
  const bytes = readBytes(file, maxBytes);
  if (bytes === 'too-large') {
    throw new Fault('attachments/too-large', `${file} is larger than ${maxBytes} bytes.`, {
      hint: 'Attach a part of it through standard input.',
    });
  }
  const text = bytes && plainText(bytes);
  if (text !== undefined) return text;
  if (isAlone) throw new Fault('attachments/not-text', `${file} is not UTF-8 text.`);
  return undefined;
}

/** Undefined for what is no UTF-8 text. */
function plainText(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8192).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

function readBytes(file: string, maxBytes: number) {
  try {
    return readPlainFile(file, maxBytes);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('files/unreadable', `${file} cannot be read.`, { cause: error });
  }
}
