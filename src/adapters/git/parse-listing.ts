import { fileNameProblem } from '../../domain/references/sources/file-name.ts';
import type { GitFile, GitMode } from '../../domain/references/sources/git-reader.ts';

export interface Listing {
  readonly files: readonly GitFile[];
  readonly unusableNames: number;
}

/** Parses the output of `git ls-tree -r -z`: `<mode> <type> <oid>\t<path>\0`, in bytes. */
export function parseListing(listing: Uint8Array): Listing {
  const files: GitFile[] = [];
  const seen = new Set<string>();
  let unusableNames = 0;
  for (let at = 0; at < listing.length; ) {
    const end = listing.indexOf(0, at);
    const file = parseEntry(listing.subarray(at, end === -1 ? listing.length : end));
    if (file && !seen.has(file.path)) {
      seen.add(file.path);
      files.push(file);
    } else unusableNames += 1;
    at = end === -1 ? listing.length : end + 1;
  }
  return { files, unusableNames };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const TAB = 9;

function parseEntry(entry: Uint8Array): GitFile | undefined {
  const tab = entry.indexOf(TAB);
  const [mode = '', , oid = ''] = Buffer.from(entry.subarray(0, tab)).toString('latin1').split(' ');
  const path = decode(entry.subarray(tab + 1));
  if (tab === -1 || path === undefined || fileNameProblem(path) !== undefined) return undefined;
  const known = MODES.get(mode);
  return known && { path, mode: known, oid };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** 100664 occurs in old repositories, from when git stored group permissions. */
const MODES = new Map<string, GitMode>([
  ['100644', '100644'],
  ['100664', '100644'],
  ['100755', '100755'],
  ['120000', '120000'],
  ['160000', '160000'],
]);
