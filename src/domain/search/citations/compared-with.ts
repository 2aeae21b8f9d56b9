/**
 * Compares the text at a citation with the text that was cited. The digest of a hit is that of its chunk without the
 * last line end, which is what is shown; for a reference it is that of the whole file.
 */

import type { Hasher } from '../../../base/hasher.ts';
import { joinedLines, type LineRange, linesOf } from '../../../base/text.ts';
import { cutLine } from '../../chunks/cut-line.ts';
import type { HitCitation } from '../engine/hit.ts';
import type { StoredChunk } from '../index/index-item.ts';

export interface CurrentText {
  readonly cited: CitedText;
  /** Texts of the chunks in it; absent: the text is one chunk. */
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

/** Taken when somebody reads it: a list for people does not show it, and what it takes to hash is slow to load. */
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

/** A line that is too long for one chunk is found in parts, which were cut with or without its line end. */
function chunksIn(text: string): string[] {
  return text.includes('\n') ? [text] : [text, ...cutLine(text), ...cutLine(`${text}\n`)];
}

export interface CitedText {
  /** Exactly the cited lines, without the last line end. */
  readonly text: string;
  /** The content has changed since it was cited; for example, lines are gone. */
  readonly isChanged: boolean;
  /** In what way, as far as more is known. Part of a sentence. */
  readonly change?: string;
  /** Path of the subject, or path below the files of the reference topic. */
  readonly path?: string;
}

/** All lines when there is no range. */
export function citedLines(text: string, range: LineRange | undefined): CitedText {
  const lines = linesOf(text);
  return { text: joinedLines(lines, range), isChanged: range !== undefined && range.last > lines.length };
}
