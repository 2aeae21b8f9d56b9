/** Outlines a syntax tree: definitions with their comments and decorators, statements where they are large. */

import type { Node } from 'web-tree-sitter';
import { CHUNK_BYTES } from '../../domain/chunks/chunk.ts';
import { afterBlanks } from '../../domain/chunks/markdown-parts.ts';
import type { Block } from '../../domain/chunks/outline.ts';
import type { TextLines } from '../../domain/chunks/text-lines.ts';
import { isFunction, symbolOf } from './symbol.ts';

const DEEPEST_NODE = 64;

interface Place {
  readonly depth: number;
  readonly isInFunction: boolean;
}

/** Undefined when the tree is less useful than the lines of the text. */
export function treeOutline(lines: TextLines, root: Node): Block[] | undefined {
  if (root.type === 'ERROR' || isMostlyErrors(lines, root)) return undefined;
  return blocksOf(lines, root, { depth: 0, isInFunction: false });
}

function isMostlyErrors(lines: TextLines, root: Node): boolean {
  if (!root.hasError) return false;
  const errors = root.namedChildren.filter((child) => child.isError);
  const size = errors.reduce((sum, { startIndex, endIndex }) => sum + endIndex - startIndex, 0);
  return size * 2 > lines.text.length;
}

function blocksOf(lines: TextLines, node: Node, place: Place): Block[] {
  const blocks: Block[] = [];
  let lead: { first: number; end: number } | undefined;
  for (const child of node.namedChildren) {
    const { first, end } = rowsOf(child);
    const beginsLine = isFirstInLine(lines, child);
    const isLarge = end - first > 1 && lines.size(first, end) > CHUNK_BYTES.high;
    if (!beginsLine && !isLarge) continue;
    const above = lead?.end === first ? lead.first : undefined;
    lead = undefined;
    if (beginsLine && LEAD.test(child.type)) {
      lead = { first: above ?? first, end };
      continue;
    }
    const found = { first: above ?? first, end: afterBlanks(lines, end), isLarge, place };
    // One by one: there may be more than a call accepts arguments.
    for (const block of partsOf(lines, child, found)) blocks.push(block);
  }
  return blocks;
}

/** Comments and decorators above a definition belong to it. */
const LEAD = /comment|^decorator$|^attribute(?:_item)?$|^annotation$/;

interface Found {
  readonly first: number;
  readonly end: number;
  readonly isLarge: boolean;
  readonly place: Place;
}

/** Replaces a large node without a name by its parts. */
function partsOf(lines: TextLines, node: Node, { first, end, isLarge, place }: Found): Block[] {
  const symbol = symbolOf(node, place.isInFunction);
  const inside = symbol?.definition ?? node;
  const { depth } = place;
  const isInFunction = place.isInFunction || isFunction(inside.type);
  const blocks =
    isLarge && depth < DEEPEST_NODE ? blocksOf(lines, inside, { depth: depth + 1, isInFunction }) : [];
  if (!symbol && blocks.length > 0) return withStart(blocks, first, end);
  return [{ first, end, name: symbol?.name ?? '', blocks }];
}

/** Extends the first and the last part to the bounds of the whole. */
function withStart(blocks: readonly Block[], first: number, end: number): Block[] {
  return [{ first, end: blocks[0]?.first ?? end, name: '', blocks: [] }, ...blocks];
}

function rowsOf(node: Node): { first: number; end: number } {
  const first = node.startPosition.row;
  const { row, column } = node.endPosition;
  return { first, end: Math.max(first + 1, column === 0 ? row : row + 1) };
}

function isFirstInLine(lines: TextLines, node: Node): boolean {
  const start = lines.start(node.startPosition.row);
  for (let at = start; at < node.startIndex; at++) {
    const unit = lines.text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x09 && unit !== 0xfeff) return false;
  }
  return true;
}
