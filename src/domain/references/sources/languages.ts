import { compareCodePoints } from '../../../base/text.ts';
import type { LanguageCount } from './git-reader.ts';
import { extensionOf } from './skip.ts';

/** Counts languages by file name; unknown ones are not counted. Most files first. */
export function countLanguages(files: readonly { readonly path: string }[]): readonly LanguageCount[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const name = languageOf(path);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, files: count }))
    .sort((a, b) => b.files - a.files || compareCodePoints(a.name, b.name));
}

function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return BY_NAME.get(name) ?? BY_EXTENSION.get(extensionOf(path));
}

const BY_NAME = new Map([
  ['dockerfile', 'Dockerfile'],
  ['makefile', 'Makefile'],
  ['cmakelists.txt', 'CMake'],
  ['rakefile', 'Ruby'],
  ['gemfile', 'Ruby'],
]);

const EXTENSIONS: Readonly<Record<string, string>> = {
  Bash: 'sh bash zsh',
  C: 'c h',
  'C#': 'cs',
  'C++': 'cc cpp cxx hh hpp hxx',
  CSS: 'css scss sass less',
  Clojure: 'clj cljs cljc edn',
  Dart: 'dart',
  Elixir: 'ex exs',
  Erlang: 'erl hrl',
  Go: 'go',
  HTML: 'html htm xhtml',
  Haskell: 'hs lhs',
  JSON: 'json jsonc json5',
  Java: 'java',
  JavaScript: 'js mjs cjs jsx',
  Julia: 'jl',
  Kotlin: 'kt kts',
  Lua: 'lua',
  Markdown: 'md mdx markdown',
  Nix: 'nix',
  OCaml: 'ml mli',
  PHP: 'php',
  Perl: 'pl pm',
  PowerShell: 'ps1 psm1',
  'Protocol Buffers': 'proto',
  Python: 'py pyi',
  R: 'r rmd',
  Ruby: 'rb erb',
  Rust: 'rs',
  SQL: 'sql',
  SVG: 'svg',
  Scala: 'scala sc sbt',
  Svelte: 'svelte',
  Swift: 'swift',
  TOML: 'toml',
  Text: 'txt rst adoc',
  TypeScript: 'ts tsx mts cts',
  Vue: 'vue',
  XML: 'xml',
  YAML: 'yml yaml',
  Zig: 'zig',
};

const BY_EXTENSION = new Map(
  Object.entries(EXTENSIONS).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension) => [extension, language] as const),
  ),
);
