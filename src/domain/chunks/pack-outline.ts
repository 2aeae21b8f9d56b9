import { CHUNK_BYTES, type Chunk, HEADING_SEPARATOR } from './chunk.ts';
import { cutLine } from './cut-line.ts';
import { cutLines, type LineSpan } from './cut-lines.ts';
import type { Block } from './outline.ts';
import type { TextLines } from './text-lines.ts';

interface Piece extends LineSpan {
  readonly size: number;
  readonly paths: readonly NamePath[];
}

/** Clips blocks that overlap or leave their parent: every line ends up in exactly one chunk. */
export function packOutline(lines: TextLines, blocks: readonly Block[]): Chunk[] {
  const packed = piecesOf(lines, { first: 0, end: lines.count, name: '', blocks }, []);
  return packed.flatMap((piece) => chunksOf(lines, piece));
}

function blockPieces(lines: TextLines, block: Block, above: NamePath): Piece[] {
  const path = block.name === '' ? above : [...above, block.name];
  const size = lines.size(block.first, block.end);
  const most = block.isSolid ? CHUNK_BYTES.cap : CHUNK_BYTES.high;
  if (size <= most) return [{ first: block.first, end: block.end, size, paths: [path] }];
  if (block.blocks.length === 0) return loosePieces(lines, block, path);
  return piecesOf(lines, block, path);
}

function piecesOf(lines: TextLines, { first, end, blocks }: Block, path: NamePath): Piece[] {
  const pieces: Piece[] = [];
  let at = first;
  for (const block of blocks) {
    const from = Math.max(at, block.first);
    const to = Math.min(end, block.end);
    if (from >= to) continue;
    pieces.push(...loosePieces(lines, { first: at, end: from }, path));
    pieces.push(...blockPieces(lines, { ...block, first: from, end: to }, path));
    at = to;
  }
  pieces.push(...loosePieces(lines, { first: at, end }, path));
  return joinSmall(pieces);
}

function loosePieces(lines: TextLines, { first, end }: LineSpan, path: NamePath): Piece[] {
  return cutLines(lines, { first, end }).map((range) => ({
    ...range,
    size: lines.size(range.first, range.end),
    paths: [path],
  }));
}

function joinSmall(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last && belongTogether(last, piece)) joined[joined.length - 1] = join(last, piece);
    else joined.push(piece);
  }
  return withoutCrumbs(joined);
}

/** Parts of one definition fill a chunk; separate definitions are joined only while they are too small. */
function belongTogether(last: Piece, next: Piece): boolean {
  const { low, goal, high } = CHUNK_BYTES;
  return last.size + next.size <= high && last.size < (last.paths.at(-1) === next.paths[0] ? goal : low);
}

/** Joins small pieces to what is above them; at the beginning, to what follows. */
function withoutCrumbs(pieces: readonly Piece[]): Piece[] {
  const { low, high, cap, tiny } = CHUNK_BYTES;
  const kept: Piece[] = [];
  for (const [at, piece] of pieces.entries()) {
    const last = kept.at(-1);
    const size = (last?.size ?? 0) + piece.size;
    const isBeginning = at === 1 && last !== undefined && last.size < tiny;
    const isLeftOver = at === pieces.length - 1 && piece.size < low && size <= high;
    const isCrumb = (isBeginning || piece.size < tiny) && size <= cap;
    if (last && (isLeftOver || isCrumb)) kept[kept.length - 1] = join(last, piece);
    else kept.push(piece);
  }
  return kept;
}

/** A heading names fewer; collecting more from hundreds of tiny blocks is not worth the time. */
const MOST_PATHS = 16;

function join(a: Piece, b: Piece): Piece {
  const isSame = a.paths.at(-1) === b.paths[0];
  const isFull = a.paths.length >= MOST_PATHS;
  const paths = isFull ? a.paths : [...a.paths, ...b.paths.slice(isSame ? 1 : 0)];
  return { first: a.first, end: b.end, size: a.size + b.size, paths };
}

function chunksOf(lines: TextLines, { first, end, size, paths }: Piece): Chunk[] {
  const text = lines.slice(first, end);
  const heading = headingOf(paths);
  // Only a single line can be above the cap.
  const texts = size > CHUNK_BYTES.cap ? cutLine(text) : [text];
  return texts.map((part) => ({ text: part, firstLine: first + 1, lastLine: end, heading }));
}

type NamePath = readonly string[];

/** With more neighbours than this in one chunk, they are not named. */
const MOST_NAMES = 8;

/** One heading for everything in a chunk: what the paths share, then what differs. */
function headingOf(paths: readonly NamePath[]): string {
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
