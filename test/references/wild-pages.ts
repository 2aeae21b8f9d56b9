/** Pages as they are found, and what is kept of them. `ORIGIN` stands for where they are served. */

import zlib from 'node:zlib';

export interface WildPage {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly body: string | Uint8Array;
  /** The whole of it. */
  readonly markdown: string;
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const around = (content: string) => `<!doctype html>
<html><head><title>Kettle manual</title><script>track()</script><style>p{}</style></head>
<body><header><a href="/">Kettle</a> <nav><ul><li><a href="/docs">Docs</a></li></ul></nav></header>
<aside class="sidebar"><a href="/one">One</a><a href="/two">Two</a></aside>
<main>${content}</main>
<footer>© Kettle. <a href="/imprint">Imprint</a></footer></body></html>`;
const greeting = '<h1>Grüße</h1><p>Schöne Öfen für 5 €.</p>';
const greetingText = '# Grüße\n\nSchöne Öfen für 5 €.\n';
const packed = '<main><h1>Packed</h1><p>Unpacked on the way in.</p></main>';
const packedText = '# Packed\n\nUnpacked on the way in.\n';

const LINKS =
  '# Links\n\n[up](ORIGIN/a), [beside](ORIGIN/deep/b?c=1#d), [elsewhere](http://other.example/x), nowhere, ' +
  '![a pot](ORIGIN/deep/pot.png).\n';

export const WILD_PAGES: readonly WildPage[] = [
  {
    path: '/table',
    headers: HTML,
    body: around(
      '<h1>Sizes</h1><table><thead><tr><th>Size</th><th align="right">Cups</th></tr></thead>' +
        '<tbody><tr><td>small | flat</td><td>2</td></tr><tr><td><b>large</b></td><td>12</td></tr></tbody></table>',
    ),
    markdown: '# Sizes\n\n| Size | Cups |\n| --- | ---: |\n| small \\| flat | 2 |\n| **large** | 12 |\n',
  },
  {
    path: '/code',
    headers: HTML,
    body: around(
      '<h1>Code</h1><pre><code class="language-rust">fn main() {\n    pour(&quot;tea&quot;);\n}\n</code></pre>' +
        '<div class="highlight highlight-source-python"><pre><span class="k">def</span> pour():\n  return 1\n</pre></div>' +
        '<p>Call <code>pour()</code>.</p>',
    ),
    markdown:
      '# Code\n\n```rust\nfn main() {\n    pour("tea");\n}\n```\n\n```python\ndef pour():\n  return 1\n```\n\nCall `pour()`.\n',
  },
  {
    path: '/lists',
    headers: HTML,
    body: around(
      '<h1>Lists</h1><ol start="3"><li>Fill<ul><li>cold</li><li>fresh</li></ul></li><li>Boil</li></ol>' +
        '<dl><dt>Limescale</dt><dd>What hard water leaves.</dd><dt>Element</dt><dd>What heats.</dd></dl>',
    ),
    markdown:
      '# Lists\n\n3. Fill\n   - cold\n   - fresh\n4. Boil\n\n' +
      '- **Limescale**: What hard water leaves.\n- **Element**: What heats.\n',
  },
  {
    path: '/deep/links',
    headers: HTML,
    body: around(
      '<h1>Links</h1><p><a href="../a">up</a>, <a href="b?c=1#d">beside</a>, <a href="//other.example/x">elsewhere</a>, ' +
        '<a href="javascript:alert(1)">nowhere</a>, <img src="pot.png" alt="a pot">.</p>',
    ),
    markdown: LINKS,
  },
  {
    path: '/latin1',
    headers: { 'content-type': 'text/html; charset=iso-8859-1' },
    body: Buffer.from(`<main>${greeting.replace(' €', ' EUR')}</main>`, 'latin1'),
    markdown: greetingText.replace(' €', ' EUR'),
  },
  {
    path: '/windows-1252',
    headers: { 'content-type': 'text/html' },
    body: Buffer.concat([
      Buffer.from(`<meta charset="windows-1252"><main>${greeting.replace(/€.*/, '')}`, 'latin1'),
      Buffer.from([0x80]),
      Buffer.from('.</p></main>'),
    ]),
    markdown: greetingText,
  },
  {
    path: '/bom',
    headers: { 'content-type': 'text/html' },
    body: `\ufeff<main>${greeting}</main>`,
    markdown: greetingText,
  },
  {
    path: '/utf-16',
    headers: { 'content-type': 'text/html' },
    body: Buffer.from(`\ufeff<main>${greeting}</main>`, 'utf16le'),
    markdown: greetingText,
  },
  {
    path: '/shift-jis',
    headers: { 'content-type': 'text/html' },
    body: Buffer.concat([
      Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=shift_jis"><main><p>'),
      Buffer.from([0x82, 0xe2, 0x82, 0xa9, 0x82, 0xf1]),
      Buffer.from('</p></main>'),
    ]),
    markdown: 'やかん\n',
  },
  {
    path: '/markdown',
    headers: { 'content-type': 'text/markdown' },
    body: '# As it is\n\n<b>kept</b>   \n* so\n',
    markdown: '# As it is\n\n<b>kept</b>   \n* so\n',
  },
  {
    path: '/plain.txt',
    headers: { 'content-type': 'text/plain' },
    body: 'a < b\n\n    indented',
    markdown: 'a < b\n\n    indented\n',
  },
  {
    path: '/gzip',
    headers: { ...HTML, 'content-encoding': 'gzip' },
    body: zlib.gzipSync(packed),
    markdown: packedText,
  },
  {
    path: '/brotli',
    headers: { ...HTML, 'content-encoding': 'br' },
    body: zlib.brotliCompressSync(packed),
    markdown: packedText,
  },
  {
    path: '/deflate',
    headers: { ...HTML, 'content-encoding': 'deflate' },
    body: zlib.deflateSync(packed),
    markdown: packedText,
  },
  { path: '/moved', status: 301, headers: { location: 'deep/links' }, body: '', markdown: LINKS },
  {
    path: '/llms.txt',
    headers: { 'content-type': 'text/plain' },
    body: '# Kettle\n\n> For machines.\n\n- [Lists](/lists): all of them\n- [Code](code.md)\n',
    markdown: '# Kettle\n\n> For machines.\n\n- [Lists](/lists): all of them\n- [Code](code.md)\n',
  },
];
