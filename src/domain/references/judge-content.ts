import { extensionOf } from './file-names.ts';
import type { SkipReason } from './skip.ts';

/** Why a file is left out, now that its content is here; `undefined` when it is kept. */
export function judgeContent(path: string, bytes: Uint8Array): SkipReason | undefined {
  if (!isText(bytes)) return 'binary';
  if (isLfsPointer(bytes)) return 'lfs_pointer';
  return isMinified(path, bytes) ? 'minified' : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const LFS_VERSION = new TextEncoder().encode('version https://git-lfs.github.com/spec/');
const MAX_POINTER_BYTES = 1024;

/** Stands for a file that git does not hold. */
function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_POINTER_BYTES && LFS_VERSION.every((byte, at) => bytes[at] === byte);
}

/** Written for machines to load. Prose keeps whole paragraphs in a line, so only these are judged. */
const LOADED_BY_MACHINES = new Set('js mjs cjs jsx css html htm json svg map geojson'.split(' '));
const MIN_BYTES = 2048;
const MAX_MEAN_LINE_BYTES = 400;
const NEWLINE = 10;

function isMinified(path: string, bytes: Uint8Array): boolean {
  if (bytes.length < MIN_BYTES || !LOADED_BY_MACHINES.has(extensionOf(path))) return false;
  let lines = 1;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return bytes.length / lines > MAX_MEAN_LINE_BYTES;
}
