import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { docxText } from './docx-text.ts';

interface Packed {
  readonly name?: string;
  readonly method?: number;
  readonly flags?: number;
  readonly data?: Buffer;
}

/** A ZIP file with one entry. */
function zip(xml: string | Buffer, { name = 'word/document.xml', method = 8, flags = 0, data }: Packed = {}) {
  const packed = data ?? (method === 8 ? deflateRawSync(xml) : Buffer.from(xml));
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end]);
}

const OLE = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4000)]);

const body = (inner: string) => `<?xml version="1.0"?><w:document><w:body>${inner}</w:body></w:document>`;
const paragraph = (text: string, style = '') =>
  `<w:p><w:pPr>${style}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

it.each([8, 0])('reads paragraphs, headings, tabs, breaks and entities, packed by method %d', (method) => {
  const xml = body(
    paragraph('Ports', '<w:pStyle w:val="Heading1"/>') +
      '<w:p><w:r><w:t>The API</w:t><w:tab/><w:t>8080 &lt;&amp;&#x41;&gt;</w:t><w:br/><w:t>and 9090</w:t></w:r></w:p>' +
      '<w:p><w:r><w:delText>deleted</w:delText><w:t/></w:r></w:p>',
  );
  expect(docxText(zip(xml, { method }))).toBe('# Ports\n\nThe API\t8080 <&A>\nand 9090\n');
});

it('unpacks no entry but the main document, whatever its name leads to', () => {
  const slip = zip('x', { name: '../../../../tmp/slipped' });
  expect(() => docxText(slip)).toThrow('it is not a DOCX file');
  const external = `<!DOCTYPE x [<!ENTITY p SYSTEM "file:///etc/passwd">]>${body(paragraph('&p; here'))}`;
  expect(docxText(zip(external))).toBe('&p; here\n');
});

it('expands no entity of its own', () => {
  const xml = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${body(paragraph('&b; &#0;'))}`;
  expect(docxText(zip(xml))).toBe('&b; &#0;\n');
});

it.each<[string, Buffer, string]>([
  ['another file', Buffer.from('Not a ZIP file, but long enough for one.'), 'it is not a DOCX file'],
  ['nothing', Buffer.alloc(0), 'it is not a DOCX file'],
  ['another ZIP file', zip('x', { name: 'other.xml' }), 'it is not a DOCX file'],
  ['a bomb', zip(Buffer.alloc(64 * 1024 * 1024, 'a')), 'its text unpacks to more than 16 MiB'],
  [
    'a stored giant',
    zip(Buffer.alloc(17 * 1024 * 1024, 'a'), { method: 0 }),
    'its text unpacks to more than 16 MiB',
  ],
  ['half a file', zip('x').subarray(0, 60), 'it is damaged'],
  ['a file of Word with a password', OLE, 'it needs a password, or was written by a Word before 2007'],
  ['no text', zip(body('<w:p>'.repeat(100_000))), 'it holds no text, only pictures perhaps'],
  ['torn data', zip('x', { data: Buffer.from([1, 2, 3]) }), 'it is damaged'],
  ['a password', zip('x', { flags: 1 }), 'it is encrypted'],
  ['another method', zip('x', { method: 14 }), 'it is packed in an unknown way'],
])('refuses %s in a sentence', (_, bytes, why) => {
  expect(() => docxText(bytes)).toThrow(why);
});

it('is done with tags that never end in the time of one scan', () => {
  expect(() => docxText(zip('<'.repeat(8_000_000)))).toThrow('it holds no text');
  expect(() => docxText(zip('<w:t>'.repeat(500_000)))).toThrow('it holds no text');
});
