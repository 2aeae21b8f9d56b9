import { displayWidth } from './terminal-text.ts';

/** Breaks at spaces so that no line is wider than `columns`; a longer word stands alone. Line ends stay. */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, Math.max(1, columns)))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && displayWidth(longer) > columns) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current].join('\n');
}
