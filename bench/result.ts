/** The result of a row, as a line for people and a record for the README. */

import { displayWidth } from '../src/base/terminal-text.ts';

export interface Result {
  readonly name: string;
  readonly subject: string;
  readonly floor?: string;
  readonly floorMs?: number;
  readonly subjectMs?: number;
  /** A ratio, or an amount in `unit`. */
  readonly value: number;
  readonly unit?: string;
  readonly bar?: number;
  readonly verdict: 'met' | 'missed' | 'information';
}

const FIRST_NUMBER = 3;
const LAST_NUMBER = 6;

export function verdictOf(value: number, bar: number | undefined): Result['verdict'] {
  if (bar === undefined) return 'information';
  return value <= bar ? 'met' : 'missed';
}

/** Its value, its bar and its verdict: the last columns of the table. */
export function outcomeOf(result: Result): string {
  return cells(result)
    .slice(FIRST_NUMBER + 2)
    .join(' ')
    .trimEnd();
}

/** One line a row, columns aligned, numbers to the right. */
export function resultTable(results: readonly Result[]): string {
  const head = ['row', 'what', 'floor', 'floor ms', 'ms', 'result', 'bar', 'verdict'];
  const lines = [head, ...results.map(cells)];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => displayWidth(line[column] ?? ''))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0, column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cells(result: Result): string[] {
  return [
    result.name,
    result.subject,
    result.floor ?? '–',
    result.floorMs?.toFixed(1) ?? '–',
    result.subjectMs?.toFixed(1) ?? '–',
    amount(result.value, result.unit),
    result.bar === undefined ? '–' : `≤ ${amount(result.bar, result.unit)}`,
    result.verdict === 'missed' ? 'MISSED' : result.verdict === 'met' ? 'met' : '',
  ];
}

function amount(value: number, unit: string | undefined): string {
  return unit ? `${value.toFixed(0)} ${unit}` : `${value.toFixed(2)} ×`;
}

function pad(cell: string, width: number, column: number): string {
  const space = ' '.repeat(width - displayWidth(cell));
  return column >= FIRST_NUMBER && column <= LAST_NUMBER ? space + cell : cell + space;
}
