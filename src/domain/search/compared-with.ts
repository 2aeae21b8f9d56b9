/**
 * Whether what stands at a citation is what was found there. Every hit has the digest of its passage: lines without the
 * last line end, so that it is the digest of what is shown. Of a reference it is the digest of the file.
 */

import type { Hasher } from '../../base/hasher.ts';
import { cutLine } from '../chunks/cut-line.ts';
import type { CitedText } from './cited-text.ts';
import type { HitCitation } from './hit.ts';
import type { StoredChunk } from './index-item.ts';

export interface StandingText {
  readonly cited: CitedText;
  /** What may have been found in it; absent: the text itself. */
  readonly passages?: readonly string[];
  readonly fileSha256?: string;
}

export const OTHER_LINES = 'the lines say something else';

/** `sha256` may be the beginning of a digest. */
export function comparedWith(
  hasher: Hasher,
  { cited, passages = passagesIn(cited.text), fileSha256 }: StandingText,
  sha256: string,
): CitedText {
  if (cited.isChanged || fileSha256?.startsWith(sha256)) return cited;
  if (passages.some((passage) => digestOf(hasher, passage).startsWith(sha256))) return cited;
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

function digestOf(hasher: Hasher, passage: string): string {
  return hasher.sha256(passage.replace(/\n$/, ''));
}

/** A line that is too long for one chunk is found in parts, which were cut with or without its line end. */
function passagesIn(text: string): string[] {
  return text.includes('\n') ? [text] : [text, ...cutLine(text), ...cutLine(`${text}\n`)];
}
