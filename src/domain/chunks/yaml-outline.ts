import { type Block, nameFrom, OutlineBuilder } from './outline.ts';
import type { TextLines } from './text-lines.ts';
import { firstOfComments } from './toml-outline.ts';

export function yamlOutline(lines: TextLines): Block[] {
  const outline = new OutlineBuilder();
  for (const { level, line, name } of keysOf(lines)) {
    outline.begin({ level, first: firstOfComments(lines, line), name });
  }
  return outline.finish(lines.count);
}

interface KeyLine {
  readonly line: number;
  /** Column of a key; an item of a list is half a step deeper, since it may begin below its key. */
  readonly level: number;
  readonly name: string;
}

function* keysOf(lines: TextLines): Generator<KeyLine> {
  for (let line = 0; line < lines.count; line++) {
    const indent = lines.indent(line);
    if (indent < 0) continue;
    const text = lines.line(line).trim();
    const item = /^-(?:\s+|$)/.exec(text)?.[0];
    const key = keyOf(item ? text.slice(item.length) : text);
    if (item !== undefined) yield { line, level: indent + 0.5, name: '' };
    else if (key !== undefined) yield { line, level: indent, name: nameFrom(key) };
    if (SCALAR.test(text.slice(-LONGEST_SCALAR_MARK))) line = lastOfScalar(lines, line, indent);
  }
}

function keyOf(text: string): string | undefined {
  const match = /^(?:"([^"]*)"|'([^']*)'|([^\s#'"&*!|>%@`{[,][^#:]*)):(?:\s|$)/.exec(text);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

const LONGEST_SCALAR_MARK = 200;
const SCALAR = /[:-]\s+(?:[&!]\S+\s+)*[|>][-+0-9]*(?:\s+#.*)?$/;

function lastOfScalar(lines: TextLines, line: number, indent: number): number {
  let last = line;
  for (let at = line + 1; at < lines.count; at++) {
    const own = lines.indent(at);
    if (own >= 0 && own <= indent) break;
    if (own >= 0) last = at;
  }
  return last;
}
