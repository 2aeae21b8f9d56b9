import { expect, it } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { elementsOf, type HtmlNode, isElement } from './html-tree.ts';
import { parseHtml } from './parse-html.ts';

/** The tree in one line: `p(text b(bold))`. */
const outline = (node: HtmlNode): string =>
  isElement(node) ? `${node.name}(${node.children.map(outline).join(' ')})` : node.trim() || '·';
/** The content of head and body. */
const contentOf = (html: string) =>
  elementsOf(parseHtml(html))
    .flatMap(elementsOf)
    .flatMap(({ children }) => children);
const tree = (html: string) => contentOf(html).map(outline).join(' ');

it.each([
  ['<p>a<p>b', 'p(a) p(b)'],
  ['<p>a<div>b</div>c', 'p(a) div(b) c'],
  ['<p>a<span>b<p>c', 'p(a span(b)) p(c)'],
  ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>', 'ul(li(a) li(b ul(li(c))) li(d))'],
  ['<dl><dt>a<dd>b<dt>c</dl>', 'dl(dt(a) dd(b) dt(c))'],
  ['<h1>a<h2>b</h3>c', 'h1(a) h2(b) c'],
  ['<a href=x>a<a href=y>b', 'a(a) a(b)'],
  ['<table><tr><td>a<td>b<tr><td>c</table>d', 'table(tbody(tr(td(a) td(b)) tr(td(c)))) d'],
  ['<table><td>a</table>', 'table(tbody(tr(td(a))))'],
  ['<table><thead><th>a<tbody><tr><td>b</table>', 'table(thead(tr(th(a))) tbody(tr(td(b))))'],
  ['<div><table><tr><td>a</div></p>b</table>c</div>', 'div(table(tbody(tr(td(a p() b)))) c)'],
  ['<table>stray<tr><div>x</div><td>a</table>', 'stray div(x) table(tbody(tr(td(a))))'],
  ['<table><tr><td>a<table><tr><td>b</table></table>c', 'table(tbody(tr(td(a table(tbody(tr(td(b)))))))) c'],
  ['<table><table><tr><td>a</table>', 'table() table(tbody(tr(td(a))))'],
  ['<p><b>a</p>b', 'p(b(a)) b(b)'],
  ['</p></div>a</br>b', 'a br() b'],
  ['<html><head><title>t</title><p>a', 'title(t) p(a)'],
  ['<html><head>text', 'text'],
  ['<body>a</body></html>b<body>c', 'abc'],
  ['<br/><img src=x>a<hr>', 'br() img() a hr()'],
  ['<div/>a', 'div(a)'],
  ['<svg><path/><g/>x</svg>y', 'svg(path() g() x) y'],
  ['<script>a<b></script>c', 'script(a<b>) c'],
  ['<textarea><b></textarea>c', 'textarea(<b>) c'],
  ['<title>a<b>&amp;</title>c', 'title(a<b>&) c'],
  ['a<!-- <b> -->c', 'ac'],
  ['a &lt; &#65;&#x42; &amp', 'a < AB &'],
  ['<ruby>a<rt>b<rp>c</ruby>', 'ruby(a rt(b) rp(c))'],
])('%s', (html, expected) => {
  expect(tree(html)).toBe(expected);
});

it('keeps the first of two equal attributes, decoded, and no prototype', () => {
  const [link] = contentOf('<a HREF="x?a&amp;b" href=second __proto__=y>');
  expect(link && isElement(link) && [...link.attributes]).toEqual([
    ['href', 'x?a&b'],
    ['__proto__', 'y'],
  ]);
});

it('keeps the text of elements that are too deep, and no script of theirs', () => {
  const html = `${'<div>'.repeat(10_000)}word<script>code</script><b>bold</b>`;
  expect(htmlToMarkdown(html, 'https://site.example/').markdown).toBe('word**bold**\n');
});

const SIZE = 100_000;
const many = (text: string) => text.repeat(Math.ceil(SIZE / text.length));

it.each([
  ['elements without end', many('<div>')],
  ['links without end', many('<a href=x>')],
  ['end tags of nothing', `${'<i>'.repeat(1000)}${many('</b>')}`],
  ['deep text', `${'<b><i>'.repeat(2000)}${many('word ')}`],
  ['lists in lists', many('<ul><li>x')],
  ['quotations in quotations', many('<blockquote>x')],
  ['tables in tables', many('<table><tr><td>')],
  ['a table with one wide row and many short ones', `<table><tr>${many('<th>x')}${many('<tr><td>y')}`],
  ['spans that cover everything', `<table>${many('<tr><td rowspan=65534 colspan=1000>x<td>y')}`],
  ['neighbours that join', many('<b>a</b>')],
  ['empty neighbours', many('<span> </span>')],
  ['line breaks', many('<br> ')],
  ['space before the end of code', `<pre>${many(' ')}x</pre>`],
  ['code made of backticks', `<pre>${many('` ')}</pre>`],
  ['a heading made of signs', `<h1>${many('#')}x</h1>`],
  ['attributes', `<a ${many('x ')}>`],
  [
    'formatting that each block opens again',
    Array.from({ length: SIZE / 20 }, (_, at) => `<font color=${at}><p>`).join(''),
  ],
  ['comments', many('<!--')],
  ['less-than signs', many('<')],
  ['ampersands', many('&')],
  ['brackets', `<a href=/x>${many('[')}</a>`],
  ['cards in cards', many('<a href=/x><div><p>')],
  ['names of noise', many('<div class="sidebar toc">x')],
  ['numbered code', `<table>${many('<tr><td class=lineno>1<td>code')}`],
])('%s: read in time, and no larger than they were by far', (_name, html) => {
  expect(htmlToMarkdown(html, 'https://site.example/').markdown.length).toBeLessThan(10 * html.length);
});
