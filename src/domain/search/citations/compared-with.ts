/** The digest of a hit covers its chunk without the last line end; for a reference, the whole file. */

import type { Hasher } from '../../../base/hasher.ts';
import { joinedLines, type LineRange, linesOf } from '../../../base/text.ts';
import { cutLine } from '../../chunks/cut-line.ts';
import type { HitCitation } from '../engine/hit.ts';
import type { StoredChunk } from '../index/index-item.ts';

export interface CurrentText {
  readonly cited: CitedText;
  /** Absent: the text is one chunk. */
  readonly chunks?: readonly string[];
  readonly fileSha256?: string;
}

export const OTHER_LINES = 'the lines say something else';

/** `sha256` may be the beginning of a digest. */
export function comparedWith(
  hasher: Hasher,
  { cited, chunks = chunksIn(cited.text), fileSha256 }: CurrentText,
  sha256: string,
): CitedText {
  if (cited.isChanged || fileSha256?.startsWith(sha256)) return cited;
  if (chunks.some((chunk) => digestOf(hasher, chunk).startsWith(sha256))) return cited;
  return { ...cited, isChanged: true, change: OTHER_LINES };
}

/** Computed on demand: lists for people do not show it, and hashing is slow to load. */
export function withDigest(
  hasher: Hasher,
  citation: HitCitation,
  { body }: Pick<StoredChunk, 'body'>,
): HitCitation {
  return {
    ...citation,
    get sha256() {
      return digestOf(hasher, body);
    },
  };
}

function digestOf(hasher: Hasher, chunk: string): string {
  return hasher.sha256(chunk.replace(/\n$/, ''));
}

/** A line that is too long for one chunk is indexed in parts, cut with or without its line end. */
function chunksIn(text: string): string[] {
  return text.includes('\n') ? [text] : [text, ...cutLine(text), ...cutLine(`${text}\n`)];
}

export interface CitedText {
  /** The cited lines, without the last line end. */
  readonly text: string;
  /** The content has changed since it was cited; for example, lines are gone. */
  readonly isChanged: boolean;
  /** How it changed, if that is known; part of a sentence. */
  readonly change?: string;
  /** Path of the subject, or path below the files of the reference topic. */
  readonly path?: string;
  /** The cited lines; absent: all of them. */
  readonly lines?: LineRange;
}

/** All lines when there is no range. */
export function citedLines(text: string, range: LineRange | undefined): CitedText {
  const lines = linesOf(text);
  // An empty text has a first line, as in an editor.
  const last = Math.max(lines.length, 1);
  return { text: joinedLines(lines, range), isChanged: range !== undefined && range.last > last };
}
