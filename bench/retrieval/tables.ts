/** Numbers and rows as Markdown. */

export function markdown([header = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), `|${header.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

export function share(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(3).replace(/^0/, '');
}

export function percent(rate: number): string {
  return `${Math.round(rate * 100)} %`;
}
