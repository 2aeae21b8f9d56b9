/** PDF, DOCX and EPUB files and notebooks made from texts. */

import { crc32, deflateRawSync } from 'node:zlib';

export interface PdfOptions {
  readonly title?: string;
  /** Entries of the catalog. */
  readonly catalog?: string;
}

/** One page for each text, each line of a text on a line of its own. */
export function pdf(pages: readonly string[], { title, catalog = '' }: PdfOptions = {}): Buffer {
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(' ');
  const info = title === undefined ? '' : `/Title (${escaped(title)})`;
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< ${info} >>`,
    ...pages.flatMap((text, at) => [PAGE.replace('CONTENT', String(5 + 2 * at)), pdfStream(drawn(text))]),
  ]);
}

export const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const PAGE = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents CONTENT 0 R /Resources << /Font << /F1 ${FONT} >> >> >>`;

function drawn(text: string): string {
  const lines = text.split('\n').map((line) => `(${escaped(line)}) Tj 0 -14 Td`);
  return `BT /F1 12 Tf 50 700 Td ${lines.join('\n')} ET`;
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, '\\$&');
}

export function pdfStream(data: string | Buffer, entries = ''): Buffer {
  const bytes = Buffer.from(data);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** From its objects, the catalog first and the information third. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: string | Buffer) => {
    const bytes = Buffer.from(part);
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [at, object] of objects.entries()) {
    offsets.push(length);
    add(`${at + 1} 0 obj\n`);
    add(object);
    add('\nendobj\n');
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`);
  add(
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 3 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF`,
  );
  return Buffer.concat(parts);
}

/** Each paragraph is a text; one that begins with `# ` is a heading. */
export function docx(paragraphs: readonly string[]): Buffer {
  const body = paragraphs.map((text) => {
    const style = text.startsWith('# ') ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : '';
    return `<w:p>${style}<w:r><w:t>${text.replace(/^# /, '')}</w:t></w:r></w:p>`;
  });
  const xml = `<?xml version="1.0"?><w:document><w:body>${body.join('')}</w:body></w:document>`;
  return zipOf({ 'word/document.xml': xml });
}

export interface EpubOptions {
  readonly title?: string;
  /** Ids in reading order; each chapter has its number as `chapter-1`. */
  readonly spine?: readonly string[];
  /** Further entries of the manifest. */
  readonly items?: string;
  /** Further files of the book. */
  readonly more?: Readonly<Record<string, string>>;
}

/** From the XHTML of its chapters. */
export function epub(
  chapters: readonly string[],
  { title, spine, items = '', more }: EpubOptions = {},
): Buffer {
  const ids = chapters.map((_, at) => `chapter-${at + 1}`);
  const manifest = ids.map(
    (id) => `<item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const named = title === undefined ? '' : `<dc:title>${title}</dc:title>`;
  const order = (spine ?? ids).map((id) => `<itemref idref="${id}"/>`).join('');
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>',
    'OEBPS/content.opf': `<package><metadata>${named}</metadata><manifest>${manifest.join('')}${items}</manifest><spine>${order}</spine></package>`,
    ...Object.fromEntries(ids.map((id, at) => [`OEBPS/${id}.xhtml`, chapters[at] ?? ''])),
    ...more,
  });
}

/** A notebook of Python, in the fourth version of the format. */
export function notebook(cells: readonly object[]): Buffer {
  const metadata = { language_info: { name: 'python' } };
  return Buffer.from(JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata, cells }));
}

export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    locals.push(local);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, rest, Buffer.from(name)]));
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
