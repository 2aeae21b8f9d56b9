import { HEADING_SEPARATOR } from './chunk.ts';

/** The names around something, from the outermost to the innermost. */
export type NamePath = readonly string[];

/** More neighbours than this in one chunk are not named one by one. */
const MOST_NAMES = 8;

/** One heading for everything in a chunk: what the paths share, then what each has of its own. */
export function headingOf(paths: readonly NamePath[]): string {
  const [first = [], ...others] = paths.filter((path) => !paths.some((longer) => isAbove(path, longer)));
  const shared = others.reduce((length, path) => sharedLength(first, path, length), first.length);
  const own = [first, ...others].map((path) => path.slice(shared).join(HEADING_SEPARATOR));
  const names = [...new Set(own)].filter((name) => name !== '');
  const shown = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), '…'] : names;
  return [...first.slice(0, shared), ...(shown.length > 0 ? [shown.join(', ')] : [])].join(HEADING_SEPARATOR);
}

function isAbove(path: NamePath, longer: NamePath): boolean {
  return path.length < longer.length && path.every((name, at) => longer[at] === name);
}

function sharedLength(a: NamePath, b: NamePath, most: number): number {
  let length = 0;
  while (length < most && length < b.length && a[length] === b[length]) length++;
  return length;
}
