/** The text of a Jupyter notebook, cell by cell: prose, code and printed results. Pictures, scripts and widgets are left out. */

import { stripVTControlCharacters } from 'node:util';
import {
  asNumber,
  asText,
  asTexts,
  isDeeperThan,
  isJsonList,
  isJsonObject,
  type Json,
  memberOf,
  parseDeepJson,
} from '../../../base/json.ts';
import { partHeading } from '../../../domain/chunks/chunk.ts';
import {
  DocumentProblem,
  escapedCodeLine,
  escapedLine,
  fenced,
  innerHeading,
  MAX_TEXT_CHARACTERS,
  titleLine,
  UNTITLED,
} from './problem.ts';

const MAX_CELLS = 20_000;
/** No notebook that a program wrote is deeper. */
const MAX_DEPTH = 200;

/** Throws a `DocumentProblem`. */
export function notebookText(bytes: Buffer): string {
  const notebook = parseDeepJson(bytes.toString('utf8'));
  if (!isJsonObject(notebook)) throw new DocumentProblem('it is not a notebook');
  if (isDeeperThan(notebook, MAX_DEPTH)) throw new DocumentProblem('it is nested too deeply');
  const cells = cellsOf(notebook);
  if (!cells) throw new DocumentProblem('it is not a notebook');
  if (cells.length > MAX_CELLS) throw new DocumentProblem(`it has more than ${MAX_CELLS} cells`);
  const language = languageOf(notebook);
  const texts = cells.map((cell) => cellText(cell, language));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length === 0) throw new DocumentProblem('it holds no text');
  if (length > MAX_TEXT_CHARACTERS) throw new DocumentProblem('its text is too long');
  const bodies = texts.map((text, at) => `${partHeading('cell', at + 1)}\n\n${text}`.trimEnd());
  return `${[`# ${titleOf(notebook, cells) ?? UNTITLED}`, ...bodies].join('\n\n')}\n`;
}

/** Before version 4 of the format, cells lie in worksheets. */
function cellsOf(notebook: Json): readonly Json[] | undefined {
  const cells = memberOf(notebook, 'cells');
  if (isJsonList(cells)) return cells;
  const sheets = memberOf(notebook, 'worksheets');
  if (!isJsonList(sheets)) return undefined;
  return sheets.flatMap((sheet) => {
    const within = memberOf(sheet, 'cells');
    return isJsonList(within) ? within : [];
  });
}

function languageOf(notebook: Json): string {
  const metadata = memberOf(notebook, 'metadata');
  const named = memberOf(memberOf(metadata, 'language_info'), 'name');
  const language = asText(named ?? memberOf(memberOf(metadata, 'kernelspec'), 'language'));
  return language !== undefined && /^[\w+#-]{1,20}$/.test(language) ? language : '';
}

function titleOf(notebook: Json, cells: readonly Json[]): string | undefined {
  const named = asText(memberOf(memberOf(notebook, 'metadata'), 'title'));
  const prose = cells.filter((cell) => memberOf(cell, 'cell_type') === 'markdown').map(sourceOf);
  const heading = prose.flatMap((text) => /^#{1,6}[ \t]+(\S.*)$/m.exec(text)?.[1] ?? [])[0];
  return titleLine(named ?? heading ?? '');
}

function cellText(cell: Json, language: string): string {
  const source = sourceOf(cell).trimEnd();
  switch (asText(memberOf(cell, 'cell_type'))) {
    case 'code':
      return [source === '' ? '' : fenced(source, language), ...outputsOf(cell)].filter(Boolean).join('\n\n');
    case 'heading':
      return innerHeading(Math.max(1, asNumber(memberOf(cell, 'level')) ?? 1), titleLine(source) ?? '');
    case 'markdown':
      return innerMarkdown(source);
    default:
      return source === '' ? '' : fenced(source);
  }
}

/** As text: a list of lines means the same. */
function joined(value: Json | undefined): string {
  return (asText(value) ?? asTexts(value)?.join('') ?? '').replaceAll('\r\n', '\n');
}

function sourceOf(cell: Json): string {
  return joined(memberOf(cell, 'source') ?? memberOf(cell, 'input'));
}

/** Headings go below the heading of the cell; no line passes for one that an extractor made. */
function innerMarkdown(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark) fence = mark;
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    if (fence !== undefined || mark) return escapedCodeLine(line);
    const [, marks, name] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? [];
    return marks === undefined || name === undefined ? escapedLine(line) : innerHeading(marks.length, name);
  });
  // A fence that does not end would swallow the cells below.
  return (fence === undefined ? lines : [...lines, fence]).join('\n').trim();
}

/** A longer result is a table of data or a log: its beginning says enough. */
const LONGEST_OUTPUT = 4_000;
const CUT = '(cut)';

function outputsOf(cell: Json): string[] {
  const outputs = memberOf(cell, 'outputs');
  if (!isJsonList(outputs)) return [];
  return outputs.flatMap((output) => {
    const text = stripVTControlCharacters(printedOf(output)).trimEnd();
    if (text === '') return [];
    return [
      fenced(text.length > LONGEST_OUTPUT ? `${text.slice(0, LONGEST_OUTPUT).toWellFormed()}\n${CUT}` : text),
    ];
  });
}

/** Plain text alone: HTML, JavaScript and pictures of a result stand for the same. */
function printedOf(output: Json): string {
  if (memberOf(output, 'output_type') === 'error' || memberOf(output, 'output_type') === 'pyerr')
    return [memberOf(output, 'ename'), memberOf(output, 'evalue')].map(joined).filter(Boolean).join(': ');
  const plain = memberOf(memberOf(output, 'data'), 'text/plain');
  return joined(plain ?? memberOf(output, 'text'));
}
