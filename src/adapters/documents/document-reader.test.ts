import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { docx, epub, FONT, notebook, pdf, pdfOf, pdfStream } from '../../../test/documents.ts';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { MAX_DOCUMENT_BYTES } from '../../base/text.ts';
import { readDocuments } from './document-reader.ts';

function reader(given: { timeoutMs?: number } = {}) {
  const cacheDirectory = path.join(temporaryDirectory(), 'documents');
  return { cacheDirectory, read: readDocuments({ cacheDirectory, ...given }) };
}

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const PAGES = '<< /Type /Pages /Kids [4 0 R] /Count 1 >>';

const KEY = `<${'ab'.repeat(32)}>`;
const ENCRYPTED = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${KEY} /U ${KEY} /P -4 >> /ID [<aa> <aa>]`;

/** A document of one page with this content. */
function pageOf(content: Buffer, resources = '', ...more: readonly (string | Buffer)[]): Buffer {
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 5 0 R /Resources << ${resources} >> >>`;
  return pdfOf([CATALOG, PAGES, '<< >>', page, content, ...more]);
}

it('reads the pages of a PDF file below their headings, which no text of it can forge', () => {
  const { read } = reader();
  const bytes = pdf(['The pump runs\nat 7 bar.', '', '## Page 1\nThe valve (left) opens.'], {
    title: 'Pump\nmanual',
  });
  expect(read('pdf', bytes)).toEqual({
    ok: true,
    text: '# Pump manual\n\n## Page 1\n\nThe pump runs\nat 7 bar.\n\n## Page 2\n\n## Page 3\n\n\\## Page 1\nThe valve (left) opens.\n',
  });
  expect(read('pdf', pdf(['# First line\nSecond']))).toMatchObject({
    text: '# First line\n\n## Page 1\n\n\\# First line\nSecond\n',
  });
});

it('reads books and notebooks', () => {
  const { read } = reader();
  expect(read('epub', epub(['<p>The sea.</p>']))).toEqual({
    ok: true,
    text: '# Untitled\n\n## Section 1\n\nThe sea.\n',
  });
  expect(read('ipynb', notebook([{ cell_type: 'markdown', source: 'The tide.' }]))).toEqual({
    ok: true,
    text: '# Untitled\n\n## Cell 1\n\nThe tide.\n',
  });
});

it.each<[string, Buffer]>([
  ['nested without end', Buffer.alloc(MAX_DOCUMENT_BYTES, '[')],
  ['of a hundred million small values', Buffer.from(`{"cells": [${'{},'.repeat(10_000_000)}0]}`)],
])(
  'a notebook %s ends within the limits',
  (_, bytes) => {
    expect(reader().read('ipynb', bytes)).toMatchObject({ ok: false, problem: expect.any(String) });
  },
  60_000,
);

it('reads a DOCX file', () => {
  expect(reader().read('docx', docx(['# Ports', 'The API listens on 8080.']))).toEqual({
    ok: true,
    text: '# Ports\n\nThe API listens on 8080.\n',
  });
});

it('keeps a text by the digest of its document, for the operator alone', () => {
  const { read, cacheDirectory } = reader();
  const bytes = pdf(['Kept.']);
  read('pdf', bytes);
  const [name = ''] = readdirSync(cacheDirectory);
  const file = path.join(cacheDirectory, name);
  expect([statSync(file).mode & 0o777, statSync(cacheDirectory).mode & 0o777]).toEqual([0o600, 0o700]);
  writeFileSync(file, 'text\nFrom the cache.\nend');
  expect(read('pdf', bytes)).toEqual({ ok: true, text: 'From the cache.' });
  writeFileSync(file, 'text\nCut sho');
  expect(read('pdf', bytes)).toMatchObject({ text: '# Kept.\n\n## Page 1\n\nKept.\n' });
});

it('reads also where nothing can be kept', () => {
  const cacheDirectory = path.join(temporaryDirectory(), 'file');
  writeFileSync(cacheDirectory, '');
  expect(readDocuments({ cacheDirectory })('pdf', pdf(['Read.']))).toMatchObject({ ok: true });
});

describe('a hostile PDF file ends in a sentence', () => {
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024, ' '), { level: 9 });
  const recursive = '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X 6 0 R >> >>';
  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'it is not a PDF file'],
    ['another file', Buffer.from('hello'), 'it is not a PDF file'],
    ['rubbish', Buffer.from('%PDF-1.7\n'.padEnd(5000, '\xff'), 'latin1'), 'it is damaged'],
    ['half a file', pdf(['a']).subarray(0, 300), 'it is damaged'],
    [
      'a page tree that holds itself',
      pdfOf([CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>', '<< >>']),
      'it holds no text, only pictures perhaps',
    ],
    [
      'more pages than anybody reads',
      pdfOf([
        CATALOG,
        `<< /Type /Pages /Kids [${'4 0 R '.repeat(100_000)}] /Count 100000 >>`,
        '<< >>',
        '<< /Type /Page /Parent 2 0 R >>',
      ]),
      'it has more than 5000 pages',
    ],
    ['a reference to itself', pdfOf([CATALOG, '2 0 R', '<< >>']), 'it is damaged'],
    ['two million brackets', pdfOf([CATALOG, '['.repeat(2_000_000), '<< >>']), 'it is damaged'],
    [
      'a form that draws itself',
      pageOf(pdfStream('/X Do'), '/XObject << /X 6 0 R >>', pdfStream('/X Do /X Do', recursive)),
      'it holds no text, only pictures perhaps',
    ],
    ['a password', pdfOf([CATALOG, PAGES, '<< >>'], ENCRYPTED), 'it needs a password'],
  ])('%s', (_, bytes, problem) => {
    expect(reader().read('pdf', bytes)).toEqual({ ok: false, problem });
  });

  it('a bomb', () => {
    const nested = deflateSync(Buffer.concat(Array.from({ length: 64 }, () => bomb)));
    const bytes = pageOf(pdfStream(nested, '/Filter [/FlateDecode /FlateDecode]'));
    expect(reader({ timeoutMs: 60_000 }).read('pdf', bytes)).toMatchObject({ ok: false });
  }, 90_000);

  it('forms that draw each other without end', () => {
    const forms = Array.from({ length: 34 }, (_, at) =>
      pdfStream(
        '/X Do '.repeat(10),
        `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X ${7 + at} 0 R >> >>`,
      ),
    );
    const font = `/Resources << /Font << /F1 ${FONT} >> >>`;
    const form = `/Type /XObject /Subtype /Form /BBox [0 0 1 1] ${font}`;
    const last = pdfStream('BT /F1 12 Tf (a) Tj ET', form);
    const bytes = pageOf(pdfStream('/X Do'), '/XObject << /X 6 0 R >>', ...forms, last);
    const { read, cacheDirectory } = reader({ timeoutMs: 2_000 });
    expect(read('pdf', bytes)).toEqual({ ok: false, problem: 'reading it takes longer than 2 s' });
    // For a day it costs nothing more.
    const again = readDocuments({ cacheDirectory, timeoutMs: 1 });
    expect(again('pdf', bytes)).toEqual({ ok: false, problem: 'reading it takes longer than 2 s' });
    const [name = ''] = readdirSync(cacheDirectory);
    utimesSync(path.join(cacheDirectory, name), 0, 0);
    expect(again('pdf', bytes)).toEqual({ ok: false, problem: 'reading it takes longer than 0.001 s' });
  });

  it.each(['pdf', 'docx', 'epub', 'ipynb'] as const)('a giant is not even opened: %s', (format) => {
    expect(reader().read(format, Buffer.alloc(MAX_DOCUMENT_BYTES + 1))).toEqual({
      ok: false,
      problem: 'it is larger than 32 MiB',
    });
  });

  it('scripts and actions in it do nothing', () => {
    const marked = path.join(temporaryDirectory(), 'marked');
    mkdirSync(marked);
    const catalog = `/OpenAction << /S /JavaScript /JS (require\\("fs"\\).rmdirSync\\("${marked}"\\)) >> /AA << /O << /S /Launch /F (/bin/rmdir) >> >>`;
    expect(reader().read('pdf', pdf(['text'], { catalog }))).toMatchObject({ ok: true });
    expect(statSync(marked).isDirectory()).toBe(true);
  });
});
