/** The language of a block of code, as highlighters leave it in class names and attributes. */

import { attribute, descendants, type HtmlElement } from './html-tree.ts';

/** `''` when nothing tells. The nearest hint counts: the block itself, then what stands around it. */
export function codeLanguage(pre: HtmlElement, around: readonly HtmlElement[]): string {
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
