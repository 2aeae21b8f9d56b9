/** A text in passages that know their lines and the headings above them. */

export interface Passage {
  readonly text: string;
  /** From 1, both included. */
  readonly first: number;
  readonly last: number;
  /** The headings above it. */
  readonly heading: string;
}

const LONGEST_LINES = 24;

/** Blocks between blank lines; a fence is one block, a long one is cut at its cap. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  const headings: string[] = [];
  let block: { lines: string[]; first: number } | undefined;
  let fence: string | undefined;
  const close = () => {
    if (!block) return;
    const { lines, first } = block;
    passages.push({
      text: lines.join('\n'),
      first,
      last: first + lines.length - 1,
      heading: headings.filter(Boolean).join(' › '),
    });
    block = undefined;
  };
  for (const [at, line] of text.split('\n').entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence)) fence = undefined;
    const heading = fence === undefined && !mark ? /^(#{1,6})\s+(.*)$/.exec(line) : null;
    if (heading) {
      close();
      headings.length = (heading[1] ?? '').length - 1;
      headings[(heading[1] ?? '').length - 1] = (heading[2] ?? '').trim();
    } else if (line.trim() === '' && fence === undefined) close();
    else {
      if (block && block.lines.length >= LONGEST_LINES) close();
      block ??= { lines: [], first: at + 1 };
      block.lines.push(line);
    }
  }
  close();
  return passages;
}
