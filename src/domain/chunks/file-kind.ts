export const LANGUAGES = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'css',
  'go',
  'html',
  'java',
  'javascript',
  'kotlin',
  'lua',
  'php',
  'python',
  'ruby',
  'rust',
  'scala',
  'tsx',
  'typescript',
] as const;

export type Language = (typeof LANGUAGES)[number];

/** `code`: a language without a grammar. `text`: everything else. */
export type FileKind = Language | 'markdown' | 'json' | 'toml' | 'yaml' | 'code' | 'text';

const ENDINGS: Record<Exclude<FileKind, 'text'>, string> = {
  bash: 'sh bash zsh ksh bats',
  c: 'c h',
  cpp: 'cc cpp cxx hh hpp hxx ipp cu cuh ino',
  csharp: 'cs csx',
  css: 'css',
  go: 'go',
  html: 'html htm xhtml',
  java: 'java',
  javascript: 'js mjs cjs jsx',
  kotlin: 'kt kts',
  lua: 'lua',
  php: 'php phtml',
  python: 'py pyi pyw',
  ruby: 'rb rake gemspec podspec',
  rust: 'rs',
  scala: 'scala sc sbt',
  tsx: 'tsx',
  typescript: 'ts mts cts',
  markdown: 'md markdown mdx mkd pdf docx epub ipynb',
  json: 'json jsonc json5 webmanifest geojson',
  toml: 'toml ini cfg conf editorconfig gitconfig desktop service',
  yaml: 'yaml yml',
  code: `swift sql m mm dart zig nim jl hs ml mli fs fsx ex exs erl clj cljs lisp el scm r pl pm d v sv vhd vhdl
    groovy gradle ps1 psm1 fish proto thrift graphql gql sol cr pas f90 f95 asm s hcl tf scss sass less styl vue svelte
    astro glsl wgsl hlsl metal cmake nix odin gleam`,
};

/** Names that determine the kind, whatever their ending. */
const NAMES = new Map<string, FileKind>([
  ['.bashrc', 'bash'],
  ['.bash_profile', 'bash'],
  ['.profile', 'bash'],
  ['.zshrc', 'bash'],
  ['build.bazel', 'python'],
  ['gemfile', 'ruby'],
  ['podfile', 'ruby'],
  ['rakefile', 'ruby'],
  ['vagrantfile', 'ruby'],
  ['dockerfile', 'code'],
  ['makefile', 'code'],
  ['cmakelists.txt', 'code'],
]);

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([kind, endings]) =>
    endings.split(/\s+/).map((ending) => [ending, kind as FileKind] as const),
  ),
);

export function fileKind(path: string): FileKind {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  const ending = dot < 0 ? '' : name.slice(dot + 1);
  return NAMES.get(name) ?? BY_ENDING.get(ending) ?? 'text';
}

/** The names by which people call a language, where they are not its file ending. */
const LANGUAGE_NAMES: Partial<Record<FileKind, string>> = {
  bash: 'bash shell script',
  cpp: 'cpp c++',
  csharp: 'csharp c#',
  css: 'css',
  go: 'go golang',
  html: 'html',
  java: 'java',
  javascript: 'javascript',
  kotlin: 'kotlin',
  lua: 'lua',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
  scala: 'scala',
  tsx: 'typescript react',
  typescript: 'typescript',
};

/** The names of the language that a file is written in; empty for prose, data and languages that have no grammar. */
export function languageNames(path: string): string {
  return LANGUAGE_NAMES[fileKind(path)] ?? '';
}

/** The language whose grammar parses a file. */
export function languageOf(path: string): Language | undefined {
  const kind = fileKind(path);
  return LANGUAGES.find((language) => language === kind);
}
