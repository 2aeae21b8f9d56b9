/** The text of an EPUB book, section by section in its reading order. Scripts, pictures and fonts are not unpacked. */

import { partHeading } from '../../../domain/chunks/chunk.ts';
import { DocumentProblem, MAX_TEXT_CHARACTERS, titleLine, UNTITLED } from './problem.ts';
import { attributeOf, scanXml, type XmlPiece } from './scan-xml.ts';
import { xhtmlText } from './xhtml-text.ts';
import { type ZipEntries, zipEntries } from './zip-entries.ts';

const MAX_SECTIONS = 5_000;

/** Throws a `DocumentProblem`. */
export function epubText(bytes: Buffer): string {
  const book = zipEntries(bytes);
  const container = book?.text('META-INF/container.xml');
  if (!book || container === undefined) throw new DocumentProblem('it is not an EPUB file');
  if (isLocked(book)) throw new DocumentProblem('it is encrypted');
  const place = tagsOf(container, 'rootfile').map(({ tag }) => attributeOf(tag, 'full-path'))[0];
  const contents = place === undefined ? undefined : book.text(place);
  if (place === undefined || contents === undefined) throw new DocumentProblem('it is damaged');
  const sections = sectionPaths(contents, place);
  if (sections.length > MAX_SECTIONS) throw new DocumentProblem(`it has more than ${MAX_SECTIONS} sections`);
  let length = 0;
  const texts = sections.map((path) => {
    const text = xhtmlText(book.text(path) ?? '');
    length += text.length;
    if (length > MAX_TEXT_CHARACTERS) throw new DocumentProblem('its text is too long');
    return text;
  });
  if (length === 0) throw new DocumentProblem('it holds no text, only pictures perhaps');
  const bodies = texts.map((text, at) => `${partHeading('section', at + 1)}\n\n${text}`.trimEnd());
  return `${[`# ${titleIn(contents) ?? UNTITLED}`, ...bodies].join('\n\n')}\n`;
}

/** Fonts are scrambled in books that are open otherwise. */
function isLocked(book: ZipEntries): boolean {
  const encryption = book.text('META-INF/encryption.xml');
  if (encryption === undefined) return false;
  return tagsOf(encryption, 'CipherReference').some(({ tag }) =>
    /\.x?html?$/i.test(attributeOf(tag, 'URI') ?? ''),
  );
}

type Tag = Exclude<XmlPiece, { kind: 'text' }>;

function tagsOf(xml: string, name: string): Tag[] {
  const found: Tag[] = [];
  for (const piece of scanXml(xml)) {
    if (piece.kind === 'open' && piece.name.slice(piece.name.indexOf(':') + 1) === name) found.push(piece);
  }
  return found;
}

/** The files of the spine, also those that the book lacks: a section keeps its number. */
function sectionPaths(contents: string, place: string): string[] {
  const files = new Map<string, string>();
  for (const { tag } of tagsOf(contents, 'item')) {
    const [id, href] = [attributeOf(tag, 'id'), attributeOf(tag, 'href')];
    if (id !== undefined && href !== undefined && !files.has(id)) files.set(id, href);
  }
  const directory = place.slice(0, place.lastIndexOf('/') + 1);
  return tagsOf(contents, 'itemref').map(({ tag }) =>
    insideBook(directory, files.get(attributeOf(tag, 'idref') ?? '') ?? ''),
  );
}

/** The name of an entry, which is looked for in the book alone. */
function insideBook(directory: string, href: string): string {
  const parts: string[] = [];
  for (const part of `${directory}${decoded(href.replace(/#.*$/, ''))}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function titleIn(contents: string): string | undefined {
  let title: string | undefined;
  for (const piece of scanXml(contents)) {
    if (piece.kind === 'text') title = title === undefined ? undefined : title + piece.text;
    else if (piece.name === 'dc:title' && piece.kind === 'open') title ??= '';
    else if (piece.name === 'dc:title' && title !== undefined) return titleLine(title);
  }
  return undefined;
}
