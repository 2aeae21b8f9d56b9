/** The text of a DOCX file. Only its main document is unpacked: nothing in it is run, fetched or expanded. */

import { DocumentProblem } from './problem.ts';
import { attributeOf, scanXml, type XmlPiece } from './scan-xml.ts';
import { zipEntries } from './zip-entries.ts';

/** Paragraphs and rows are lines; headings begin with `#`. Throws a `DocumentProblem`. */
export function docxText(bytes: Buffer): string {
  if (bytes.subarray(0, 4).equals(OLE_MARK))
    throw new DocumentProblem('it needs a password, or was written by a Word before 2007');
  const xml = zipEntries(bytes)?.text('word/document.xml');
  if (xml === undefined) throw new DocumentProblem('it is not a DOCX file');
  const text = textIn(xml);
  if (text.trim() === '') throw new DocumentProblem('it holds no text, only pictures perhaps');
  return text;
}

/** Word puts a file with a password into a container of its old format. */
const OLE_MARK = Buffer.from('d0cf11e0', 'hex');

function textIn(xml: string): string {
  const pieces: string[] = [];
  let isText = false;
  for (const piece of scanXml(xml)) {
    if (piece.kind === 'text') {
      if (isText) pieces.push(piece.text);
      continue;
    }
    isText = piece.kind === 'open' && piece.name === 'w:t' && !piece.isEmpty;
    pieces.push(markFor(piece));
  }
  const lines = pieces
    .join('')
    .split('\n')
    .map((line) => line.trimEnd());
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** The text that a tag stands for. */
function markFor({ kind, name, tag }: Exclude<XmlPiece, { kind: 'text' }>): string {
  if (kind === 'close') return name === 'w:p' ? '\n\n' : '';
  if (name === 'w:br' || name === 'w:cr') return '\n';
  // A paragraph's style lists tabs, too, as `<w:tab w:val="left" …/>`.
  if (name === 'w:tab') return attributeOf(tag, 'w:val') === undefined ? '\t' : '';
  if (name !== 'w:pStyle') return '';
  const [, level] = /^Heading([1-6])$/.exec(attributeOf(tag, 'w:val') ?? '') ?? [];
  return level === undefined ? '' : `${'#'.repeat(Number(level))} `;
}
