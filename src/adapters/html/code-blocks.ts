import { backticksAround } from './escape-markdown.ts';
import {
  attribute,
  descendants,
  findElement,
  type HtmlElement,
  type HtmlNode,
  isElement,
  namesOf,
} from './html-tree.ts';

export function renderCodeBlock(pre: HtmlElement, around: readonly HtmlElement[] = []): string[] {
  const text = codeText(pre)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  if (text === '') return [];
  const fence = backticksAround(text, 3);
  return [`${fence}${codeLanguage(pre, around)}\n${text}\n${fence}`];
}

/** Leaves out line numbers and hidden lines; an element that a highlighter puts around a line is a line. */
function codeText(node: HtmlNode): string {
  const pieces: string[] = [];
  const isLineOpen = () => pieces.length > 0 && !pieces.at(-1)?.endsWith('\n');
  const add = (text: string) => {
    if (text !== '') pieces.push(text);
  };
  const visit = (one: HtmlNode) => {
    if (!isElement(one)) return add(one);
    if (one.name === 'br') return add('\n');
    if (one !== node && one.name !== 'code' && isGutter(one)) return;
    const isLine = LINES.has(one.name);
    if (isLine && isLineOpen()) add('\n');
    one.children.forEach(visit);
    if (isLine && isLineOpen()) add('\n');
  };
  visit(node);
  return pieces.join('');
}

const LINES = new Set(['div', 'li', 'p', 'tr']);

function isGutter(element: HtmlElement): boolean {
  return element.attributes.has('data-line-number') || namesOf(element).some((name) => GUTTER.test(name));
}

const GUTTER = /^(boring|line-?nos?|line-?numbers?(-rows)?|gutter|linenodiv|blob-num|hljs-ln-numbers|ln)$/;

/** Renders a table that puts line numbers beside code; `undefined` for any other table. */
export function renderListing(table: HtmlElement): string | undefined {
  const cells = [...descendants(table)].filter(({ name }) => name === 'td');
  const code = cells.filter((cell) => !isGutter(cell));
  if (code.length === cells.length || code.length === 0) return undefined;
  const [only] = code;
  const pre = code.length === 1 && only ? findElement(only, ({ name }) => name === 'pre') : undefined;
  const lines: HtmlElement = { name: 'pre', attributes: table.attributes, children: code.map(asLine) };
  return renderCodeBlock(pre ?? lines, [table, ...code])[0];
}

function asLine(cell: HtmlElement): HtmlElement {
  return { ...cell, name: 'div' };
}

/**
 * Language in class names and attributes that a highlighter left; `''` when there is none. The nearest hint counts:
 * the block itself, then the elements around it.
 */
function codeLanguage(pre: HtmlElement, around: readonly HtmlElement[]): string {
  for (const element of [pre, ...[...descendants(pre)].filter(({ name }) => name === 'code'), ...around]) {
    const language = hintOf(element);
    if (language !== undefined) return language;
  }
  return '';
}

function hintOf(element: HtmlElement): string | undefined {
  const named =
    attribute(element, 'data-language') || attribute(element, 'data-lang') || attribute(element, 'lang-code');
  if (named !== '') return normalise(named);
  const text = attribute(element, 'class').toLowerCase();
  const [, brush] = /\bbrush:\s*([\w+#-]+)/.exec(text) ?? [];
  if (brush) return normalise(brush);
  const classes = text.split(/\s+/);
  for (const name of classes) {
    const [, language] = PREFIXED.exec(name) ?? [];
    if (language && !NOT_LANGUAGES.has(language)) return normalise(language);
  }
  // Pandoc, highlight.js and others put the bare name beside a class of their own.
  if (!classes.some((name) => HIGHLIGHTERS.has(name)) && !NAMED.has(element.name)) return undefined;
  const bare = classes.find((name) => COMMON.has(name));
  return bare === undefined ? undefined : normalise(bare);
}

const PREFIXED =
  /^(?:language|lang|highlight-source|highlight-text|highlight|code|syntax|src)-([a-z0-9+#._-]+)$/;
const NOT_LANGUAGES = new Set(
  'area block body box container content example inline lines snippet toolbar wrap wrapper'.split(' '),
);
const NAMED = new Set(['code', 'pre']);
const HIGHLIGHTERS = new Set('code codehilite highlight hljs prettyprint rouge shiki sourcecode'.split(' '));
const COMMON = new Set(
  (
    'bash c clojure cpp cs csharp css dart diff dockerfile elixir erlang fsharp go graphql groovy haskell hcl html ' +
    'ini java javascript js json json5 jsx julia kotlin latex less lua makefile markdown md nginx nix objc ocaml ' +
    'perl php powershell proto python py r ruby rb rust rs scala scss sh shell sql svelte swift toml ts tsx ' +
    'typescript vue wasm xml yaml yml zig zsh'
  ).split(' '),
);

function normalise(name: string): string {
  const language = name.toLowerCase().trim();
  if (!/^[a-z0-9+#._-]{1,30}$/.test(language)) return '';
  return PLAIN.has(language) ? '' : (ALIASES.get(language) ?? language);
}

const PLAIN = new Set(
  'default nohighlight no-highlight none plain plaintext raw text txt unknown'.split(' '),
);
const ALIASES = new Map([
  ['ipython3', 'python'],
  ['python3', 'python'],
  ['shell-session', 'console'],
  ['sh-session', 'console'],
]);
