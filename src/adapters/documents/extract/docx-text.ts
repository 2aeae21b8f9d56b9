/**
 * The text of a DOCX file. Only its main document is unpacked, up to a limit, and scanned once from start to end: nothing
 * in it is run, fetched or expanded.
 */

import { inflateRawSync } from 'node:zlib';
import { DocumentProblem } from './problem.ts';

const MAX_XML_BYTES = 16 * 1024 * 1024;

/** Paragraphs and rows are lines; headings begin with `#`. Throws a `DocumentProblem`. */
export function docxText(bytes: Buffer): string {
  const xml = mainXml(bytes);
  if (typeof xml === 'string') throw new DocumentProblem(xml);
  return textIn(xml.toString('utf8'));
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
/** The end record, and the longest comment behind it. */
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const DEFLATED = 8;

/** A sentence about the problem if it cannot be unpacked. */
function mainXml(zip: Buffer): Buffer | string {
  try {
    const entry = findEntry(zip, 'word/document.xml');
    if (!entry) return 'it is not a DOCX file';
    if (entry.isEncrypted) return 'it is encrypted';
    const start = entry.start + LOCAL_HEADER_BYTES;
    const names = zip.readUInt16LE(start - 4) + zip.readUInt16LE(start - 2);
    const packed = zip.subarray(start + names, start + names + entry.packedBytes);
    if (entry.method === 0) return packed.length > MAX_XML_BYTES ? TOO_LARGE : packed;
    if (entry.method !== DEFLATED) return 'it is packed in an unknown way';
    return inflateRawSync(packed, { maxOutputLength: MAX_XML_BYTES });
  } catch (error) {
    const isTooLarge =
      error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? TOO_LARGE : 'it is damaged';
  }
}

const TOO_LARGE = 'its text unpacks to more than 16 MiB';

interface ZipEntry {
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packedBytes: number;
  /** Offset of its local header. */
  readonly start: number;
}

/** Undefined when the bytes are no ZIP file, or have no such entry. */
function findEntry(zip: Buffer, wanted: string): ZipEntry | undefined {
  const end = endRecord(zip);
  if (end === undefined) return undefined;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) return undefined;
    const nameBytes = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + DIRECTORY_ENTRY_BYTES, at + DIRECTORY_ENTRY_BYTES + nameBytes);
    if (name === wanted) {
      return {
        method: zip.readUInt16LE(at + 10),
        isEncrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
        packedBytes: zip.readUInt32LE(at + 20),
        start: zip.readUInt32LE(at + 42),
      };
    }
    at += DIRECTORY_ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return undefined;
}

function endRecord(zip: Buffer): number | undefined {
  const first = Math.max(0, zip.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = zip.length - END_BYTES; at >= first; at--) {
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  return undefined;
}

function textIn(xml: string): string {
  const pieces: string[] = [];
  let isText = false;
  for (let at = 0; at < xml.length; ) {
    const open = xml.indexOf('<', at);
    if (isText) pieces.push(plain(xml.slice(at, open === -1 ? xml.length : open)));
    const close = open === -1 ? -1 : xml.indexOf('>', open);
    if (close === -1) break;
    const tag = xml.slice(open + 1, close);
    isText = /^w:t(?:\s|$)/.test(tag) && !tag.endsWith('/');
    pieces.push(markFor(tag));
    at = close + 1;
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
function markFor(tag: string): string {
  if (tag.startsWith('/w:p') && tag.trim() === '/w:p') return '\n\n';
  if (/^w:(?:br|cr)(?:\s|\/|$)/.test(tag)) return '\n';
  if (/^w:tab\s*\/?$/.test(tag)) return '\t';
  const [, level] = /^w:pStyle\s+w:val="Heading([1-6])"/.exec(tag) ?? [];
  return level === undefined ? '' : `${'#'.repeat(Number(level))} `;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Knows the entities of XML itself alone; others stay as they are. */
function plain(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
