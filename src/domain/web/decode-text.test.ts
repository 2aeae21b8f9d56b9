import { expect, it } from 'vitest';
import { decodeText, parseMediaType } from './decode-text.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
const utf8 = (text: string) => Buffer.from(text);

it.each([
  ['the header', bytes([0xe9]), 'text/html; charset=ISO-8859-1', 'é'],
  ['a quoted header', bytes([0x80]), 'text/plain;charset="windows-1252"', '€'],
  [
    'a mark before the header',
    bytes([0xef, 0xbb, 0xbf], utf8('é').toString('latin1')),
    'text/html; charset=latin1',
    'é',
  ],
  ['UTF-16, little end first', bytes([0xff, 0xfe, 0x41, 0, 0xac, 0x20]), 'text/plain', 'A€'],
  ['UTF-16, big end first', bytes([0xfe, 0xff, 0, 0x41, 0x20, 0xac]), 'text/plain', 'A€'],
  ['meta', bytes('<meta charset="koi8-r">', [0xc4, 0xc1]), 'text/html', '<meta charset="koi8-r">да'],
  [
    'the older meta',
    bytes('<META http-equiv=Content-Type content="text/html; charset=Shift_JIS">', [0x93, 0xfa]),
    'text/html',
    '<META http-equiv=Content-Type content="text/html; charset=Shift_JIS">日',
  ],
  [
    'no meta of a comment',
    bytes('<!-- <meta charset=koi8-r> --><meta charset=gbk>', [0xd6, 0xd0]),
    'text/html',
    '<!-- <meta charset=koi8-r> --><meta charset=gbk>中',
  ],
  [
    'the header before meta',
    bytes('<meta charset=koi8-r>', [0xe9]),
    'text/html; charset=latin1',
    '<meta charset=koi8-r>é',
  ],
  ['a meta that cannot be true', utf8('<meta charset=utf-16>é'), 'text/html', '<meta charset=utf-16>é'],
  [
    'an XML declaration',
    bytes('<?xml version="1.0" encoding="iso-8859-2"?>', [0xb1]),
    'application/xhtml+xml',
    '<?xml version="1.0" encoding="iso-8859-2"?>ą',
  ],
  [
    'an unknown label, then meta',
    bytes('<meta charset=euc-kr>', [0xb0, 0xa1]),
    'text/html; charset=x-nonsense',
    '<meta charset=euc-kr>가',
  ],
  ['nothing, and it is UTF-8', utf8('日本'), 'text/plain', '日本'],
  ['nothing, and it is not', bytes([0x93, 0x61, 0x94, 0xe9]), undefined, '“a”é'],
  ['no meta in plain text', bytes('<meta charset=koi8-r>', [0xc4]), 'text/plain', '<meta charset=koi8-r>Ä'],
  ['a false header, as browsers do', bytes([0xe9]), 'text/html; charset=utf-8', '\ufffd'],
  ['nothing at all', bytes(), undefined, ''],
])('%s', (_name, body, contentType, text) => {
  expect(decodeText(body, parseMediaType(contentType))).toBe(text);
});
