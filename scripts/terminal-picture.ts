/** Draws what a terminal showed as a picture that plays: plain SVG, without scripts and without fonts from elsewhere. */

export interface Run {
  /** Lines of a shell. */
  readonly commands: string;
  /** As the terminal got it. */
  readonly output: string;
}

const LINE = 18;
const CHARACTER = 8.43;
const ROWS = 26;
const MARGIN = 16;
const COMMAND_SECONDS = 1.2;
const LINE_SECONDS = 0.06;
const READING_SECONDS = 2.2;

interface Span {
  readonly text: string;
  readonly style: string;
}

interface ShownLine {
  readonly spans: readonly Span[];
  /** Seconds after the start. */
  readonly at: number;
}

export function terminalPicture(runs: readonly Run[], columns: number): string {
  const lines: ShownLine[] = [];
  let now = 0;
  for (const { commands, output } of runs) {
    for (const [at, line] of commands.split('\n').entries()) {
      const prompt = { text: at === 0 ? '$ ' : '  ', style: 'fill:#7dd3c0' };
      lines.push({ spans: [prompt, { text: line, style: 'font-weight:bold' }], at: now });
      now += LINE_SECONDS;
    }
    now += COMMAND_SECONDS;
    for (const line of shownLines(output)) {
      lines.push({ spans: spansOf(line), at: now });
      now += LINE_SECONDS;
    }
    now += READING_SECONDS;
  }
  return svg(lines, now, columns);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is controlled by them.
const MOVES = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-9;?]*[A-LN-Zn-z]/g;

/** The lines as they stand in the end: each part after a carriage return is written over the one before. */
function shownLines(output: string): readonly string[] {
  const lines = output.split('\n').map((line) => {
    const parts = line.split('\r').map((part) => part.replace(MOVES, ''));
    return parts.findLast((part) => part !== '') ?? '';
  });
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

const COLOURS: Readonly<Record<number, string>> = {
  30: '#6b7280',
  31: '#f87171',
  32: '#86efac',
  33: '#fde68a',
  34: '#93c5fd',
  35: '#d8b4fe',
  36: '#7dd3c0',
  37: '#e5e7eb',
};

function spansOf(line: string): readonly Span[] {
  const spans: Span[] = [];
  let on = new Map<string, string>();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is controlled by them.
  for (const [at, part] of line.split(/\u001b\[([0-9;]*)m/).entries()) {
    if (at % 2 === 1) on = changed(on, part.split(';').map(Number));
    else if (part) spans.push({ text: part, style: [...on.values()].join(';') });
  }
  return spans;
}

function changed(before: ReadonlyMap<string, string>, codes: readonly number[]): Map<string, string> {
  const on = new Map(before);
  for (const code of codes) {
    if (code === 0) on.clear();
    else if (code === 1) on.set('weight', 'font-weight:bold');
    else if (code === 2) on.set('dim', 'opacity:.65');
    else if (code === 3) on.set('slant', 'font-style:italic');
    else if (code === 4) on.set('line', 'text-decoration:underline');
    else if (code === 22) for (const name of ['weight', 'dim']) on.delete(name);
    else if (code === 23) on.delete('slant');
    else if (code === 24) on.delete('line');
    else if (code === 39) on.delete('colour');
    else {
      const colour = COLOURS[code >= 90 ? code - 60 : code];
      if (colour) on.set('colour', `fill:${colour}`);
    }
  }
  return on;
}

function svg(lines: readonly ShownLine[], seconds: number, columns: number): string {
  const width = Math.ceil(columns * CHARACTER + 2 * MARGIN);
  const height = ROWS * LINE + 2 * MARGIN;
  const rows = lines.map(({ spans, at }, row) => {
    const text = spans.map(
      ({ text, style }) => `<tspan${style && ` style="${style}"`}>${escaped(text)}</tspan>`,
    );
    return `<text x="0" y="${(row + 1) * LINE}" style="animation-delay:${at.toFixed(2)}s">${text.join('')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>A terminal in which ken is tried</title>
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e5e7eb;white-space:pre;opacity:0;animation:show .01s forwards}
@keyframes show{to{opacity:1}}
#all{animation:scroll ${seconds.toFixed(2)}s steps(1) forwards}
@keyframes scroll{${scrolling(lines, seconds)}}
@media (prefers-reduced-motion:reduce){text{animation-delay:0s!important}#all{animation-duration:.01s}}
</style>
<rect width="100%" height="100%" rx="10" fill="#111827"/>
<svg x="${MARGIN}" y="${MARGIN}" width="${width - 2 * MARGIN}" height="${ROWS * LINE}"><g id="all">
${rows.join('\n')}
</g></svg>
</svg>
`;
}

/** The window follows the last line that is shown. */
function scrolling(lines: readonly ShownLine[], seconds: number): string {
  const frames = lines.flatMap(({ at }, row) =>
    row < ROWS
      ? []
      : [`${((at / seconds) * 100).toFixed(2)}%{transform:translateY(-${(row + 1 - ROWS) * LINE}px)}`],
  );
  const last = Math.max(0, lines.length - ROWS) * LINE;
  return ['0%{transform:none}', ...frames, `100%{transform:translateY(-${last}px)}`].join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
