import { describe, expect, it } from 'vitest';
import { epub, zipOf } from '../../../../test/documents.ts';
import { epubText } from './epub-text.ts';

const body = (inner: string) =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${inner}</body></html>`;

const textOf = (...chapters: string[]) => epubText(epub(chapters.map(body), { title: 'The sea' }));

it('reads sections in their reading order, below headings that no text of the book can forge', () => {
  expect(
    textOf('<h1>Tides</h1><p>Twice a day &amp;&nbsp;night.</p>', '<p>## Section 1</p><p># Other</p>'),
  ).toBe(
    '# The sea\n\n## Section 1\n\n### Tides\n\nTwice a day & night.\n\n## Section 2\n\n\\## Section 1\n\n\\# Other\n',
  );
  expect(textOf('<pre>## Section 7\n```\ncode</pre><p>```</p>')).toBe(
    '# The sea\n\n## Section 1\n\n````\n## Section 7 \n```\ncode\n````\n\n\\```\n',
  );
});

it.each<[string, string, string]>([
  ['lists', '<ul><li>one</li>\n<li><p>two</p></li></ul><p>after</p>', '- one\n- two\n\nafter'],
  [
    'rows',
    '<table><tr><th>Port</th><th>Use</th></tr><tr><td>80</td><td>web</td></tr></table>',
    'Port | Use\n80 | web',
  ],
  ['breaks', '<p>one<br/>two <img src="x.png" alt="a tide"/></p>', 'one\ntwo a tide'],
  ['deep headings', '<h6>Small</h6><h2>A<br/>B</h2>x', '###### Small\n\n#### A B\n\nx'],
  ['comments and CDATA', '<p>a<!-- <p>no</p> --><![CDATA[<b>]]></p>', 'a<b>'],
  ['signs in attributes', '<p title="a > b">text</p>', 'text'],
  [
    'what nobody reads',
    '<script>alert(1)</script><style>p{}</style><svg><text>no</text></svg><p>yes</p>',
    'yes',
  ],
])('writes %s', (_, inner, text) => {
  expect(textOf(inner)).toBe(`# The sea\n\n## Section 1\n\n${text}\n`);
});

it('keeps the number of a section that is missing, and takes no entry from outside of the book', () => {
  const made = epub([body('<p>here</p>')], {
    spine: ['nothing', 'chapter-1'],
    items: '<item id="nothing" href="../../../etc/passwd" media-type="application/xhtml+xml"/>',
  });
  expect(epubText(made)).toBe('# Untitled\n\n## Section 1\n\n## Section 2\n\nhere\n');
});

describe('a hostile book ends in a sentence', () => {
  const container = (place: string) =>
    `<container><rootfiles><rootfile full-path="${place}"/></rootfiles></container>`;
  const entities = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${body('<p>&b;&b;</p>')}`;

  it('that calls entities of its own expands none', () => {
    expect(epubText(epub([entities]))).toBe('# Untitled\n\n## Section 1\n\n&b;&b;\n');
  });

  it.each<[string, Buffer, string]>([
    ['another file', Buffer.from('Not a ZIP file, but long enough for one.'), 'it is not an EPUB file'],
    ['another ZIP file', zipOf({ 'word/document.xml': '<x/>' }), 'it is not an EPUB file'],
    ['no list of contents', zipOf({ 'META-INF/container.xml': container('gone.opf') }), 'it is damaged'],
    ['no place of it', zipOf({ 'META-INF/container.xml': '<container/>' }), 'it is damaged'],
    ['only pictures', epub([body('<img src="a.png"/>')]), 'it holds no text, only pictures perhaps'],
    ['a bomb', epub([`<p>${'a'.repeat(17 * 1024 * 1024)}</p>`]), 'its text unpacks to more than 16 MiB'],
    [
      'one chapter, unpacked again and again',
      epub([body('a'.repeat(1024 * 1024))], { spine: Array.from({ length: 400 }, () => 'chapter-1') }),
      'its text is too long',
    ],
    [
      'one empty chapter, unpacked again and again',
      epub([body(' '.repeat(1024 * 1024))], { spine: Array.from({ length: 400 }, () => 'chapter-1') }),
      'its text unpacks to more than 16 MiB',
    ],
    [
      'more sections than anybody reads',
      epub([body('a')], { spine: Array.from({ length: 5001 }, () => 'chapter-1') }),
      'it has more than 5000 sections',
    ],
    [
      'a lock',
      epub([body('a')], {
        more: {
          'META-INF/encryption.xml':
            '<encryption><enc:CipherReference URI="OEBPS/chapter-1.xhtml"/></encryption>',
        },
      }),
      'it is encrypted',
    ],
  ])('%s', (_, bytes, problem) => {
    expect(() => epubText(bytes)).toThrow(problem);
  });

  it.each([
    ['tags that never end', '<'.repeat(8_000_000)],
    ['attributes that never end', '<p a="'.repeat(1_000_000)],
    ['elements in elements', '<div>'.repeat(1_000_000)],
    ['hidden elements that never end', '<script>'.repeat(1_000_000)],
    ['comments that never end', '<!--'.repeat(1_000_000)],
  ])('%s, in the time of one scan', (_, inner) => {
    expect(textOf('seen', inner)).toContain('seen');
  });
});

it('reads a book whose fonts alone are scrambled', () => {
  const encryption = '<encryption><enc:CipherReference URI="OEBPS/font.otf"/></encryption>';
  expect(epubText(epub([body('open')], { more: { 'META-INF/encryption.xml': encryption } }))).toContain(
    'open',
  );
});
