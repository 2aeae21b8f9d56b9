/** Prefixes every line with `  `, `- ` or `+ `. Beyond `MAX_LINES` all old lines are removed and all new ones added. */
export function lineDifference(before: string, after: string): string {
  const old = before === '' ? [] : before.split('\n');
  const current = after === '' ? [] : after.split('\n');
  const start = commonLength(old, current);
  const end = commonLength(old.slice(start).reverse(), current.slice(start).reverse());
  return [
    ...old.slice(0, start).map((line) => `  ${line}`),
    ...changed(old.slice(start, old.length - end), current.slice(start, current.length - end)),
    ...old.slice(old.length - end).map((line) => `  ${line}`),
  ].join('\n');
}

/** `lineDifference` with only the unchanged lines near a change; a line says how many others there are. */
export function shortDifference(before: string, after: string): string {
  const lines = lineDifference(before, after).split('\n');
  const isNear = lines.map((_, at) =>
    lines
      .slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1)
      .some((line) => !line.startsWith('  ')),
  );
  const shown: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const next = isNear.indexOf(true, at);
    const skipped = (next === -1 ? lines.length : next) - at;
    if (skipped > 1) {
      shown.push(`  … ${skipped} lines that stay`);
      at += skipped - 1;
    } else shown.push(lines[at] ?? '');
  }
  return shown.join('\n');
}

const CONTEXT_LINES = 3;
const MAX_LINES = 2000;

function commonLength(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((line, at) => line !== b[at]);
  return differs === -1 ? Math.min(a.length, b.length) : differs;
}

function changed(old: readonly string[], current: readonly string[]): string[] {
  if (Math.max(old.length, current.length) > MAX_LINES) return [...old.map(gone), ...current.map(added)];
  const kept = keptLengths(old, current);
  const lines: string[] = [];
  let at = 0;
  let to = 0;
  while (at < old.length || to < current.length) {
    const line = old[at];
    if (line !== undefined && line === current[to]) {
      lines.push(`  ${line}`);
      at += 1;
      to += 1;
    } else if (line !== undefined && length(kept, at + 1, to) >= length(kept, at, to + 1)) {
      lines.push(gone(line));
      at += 1;
    } else {
      lines.push(added(current[to] ?? ''));
      to += 1;
    }
  }
  return lines;
}

/** For each pair of positions, the number of lines that the two rests have in common. */
function keptLengths(old: readonly string[], current: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint16Array(current.length + 1));
  for (let at = old.length - 1; at >= 0; at--) {
    for (let to = current.length - 1; to >= 0; to--) {
      const row = table[at];
      if (!row) continue;
      row[to] =
        old[at] === current[to]
          ? length(table, at + 1, to + 1) + 1
          : Math.max(length(table, at + 1, to), length(table, at, to + 1));
    }
  }
  return table;
}

/** Past the end nothing is in common; past the end of `current` only `old` is left. */
function length(table: readonly Uint16Array[], at: number, to: number): number {
  return table[at]?.[to] ?? 0;
}

function gone(line: string): string {
  return `- ${line}`;
}

function added(line: string): string {
  return `+ ${line}`;
}
