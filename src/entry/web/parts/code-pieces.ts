/** Code in pieces, each of one kind. The highlighter says which part is what; page and terminal write the text themselves. */

import hljs, { type Emitter, type HLJSApi, type LanguageFn } from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scala from 'highlight.js/lib/languages/scala';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { withinTime } from './within-time.ts';

const LANGUAGES: Readonly<Record<string, LanguageFn>> = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin, lua, markdown },
  ...{ php, python, ruby, rust, scala, sql, typescript, xml, yaml },
};

/** Longer text is shown without colours. */
const MOST_CHARACTERS = 200_000;

let prepared: HLJSApi | undefined;

function highlighter(): HLJSApi {
  if (prepared) return prepared;
  for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
  hljs.configure({ __emitter: Pieces });
  prepared = hljs;
  return hljs;
}

export type PieceKind = 'keyword' | 'string' | 'number' | 'comment' | 'title';

/** A part of a line. */
export interface Piece {
  readonly kind: PieceKind | undefined;
  readonly text: string;
}

/** The pieces of each line. `language` is a name or an extension; lines of an unknown one are one piece without a kind. */
export function codePieces(text: string, language: string | undefined): readonly (readonly Piece[])[] {
  const name = language?.toLowerCase() ?? '';
  const isKnown = text.length <= MOST_CHARACTERS && name !== '' && highlighter().getLanguage(name);
  if (!isKnown) return withoutKinds(text);
  prepare(name);
  const found = withinTime(() => highlighter().highlight(text, { language: name, ignoreIllegals: true }));
  if (!found) return withoutKinds(text);
  return found._emitter instanceof Pieces ? found._emitter.lines : [];
}

function withoutKinds(text: string): readonly (readonly Piece[])[] {
  return text.split('\n').map((line) => [{ kind: undefined, text: line }]);
}

const ready = new Set<string>();

/** The first use makes the expressions of a language, which may not be stopped half way. */
function prepare(name: string): void {
  if (ready.has(name)) return;
  highlighter().highlight('', { language: name, ignoreIllegals: true });
  ready.add(name);
}

/** Collects what the highlighter says. A piece that spans lines is cut at their ends. */
class Pieces implements Emitter {
  readonly lines: Piece[][] = [[]];
  readonly #kinds: (PieceKind | undefined)[] = [];

  openNode(scope: string): void {
    this.#kinds.push(KINDS[scope.split('.')[0] ?? ''] ?? this.#kinds.at(-1));
  }

  closeNode(): void {
    this.#kinds.pop();
  }

  startScope(scope: string): void {
    this.openNode(scope);
  }

  endScope(): void {
    this.closeNode();
  }

  addText(text: string): void {
    this.#add(text, this.#kinds.at(-1));
  }

  /** Code within code, such as a script in HTML. */
  __addSublanguage(inner: Emitter): void {
    if (!(inner instanceof Pieces)) return;
    inner.lines.forEach((pieces, at) => {
      if (at > 0) this.lines.push([]);
      for (const { text, kind } of pieces) this.#add(text, kind);
    });
  }

  #add(text: string, kind: PieceKind | undefined): void {
    text.split('\n').forEach((part, at) => {
      if (at > 0) this.lines.push([]);
      if (part !== '') this.lines.at(-1)?.push({ kind, text: part });
    });
  }

  finalize(): void {}

  toHTML(): string {
    return '';
  }
}

const KINDS: Readonly<Record<string, PieceKind>> = {
  keyword: 'keyword',
  built_in: 'keyword',
  literal: 'keyword',
  tag: 'keyword',
  name: 'keyword',
  'selector-tag': 'keyword',
  string: 'string',
  regexp: 'string',
  addition: 'string',
  code: 'string',
  number: 'number',
  symbol: 'number',
  deletion: 'number',
  comment: 'comment',
  quote: 'comment',
  meta: 'comment',
  title: 'title',
  section: 'title',
  type: 'title',
  attr: 'title',
  strong: 'title',
};

/** The language of a file by its name; undefined for one that is not known. */
export function languageOf(path: string): string | undefined {
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  if (name === 'dockerfile' || name === 'makefile') return name === 'dockerfile' ? name : 'bash';
  const extension = /\.([a-z0-9+]+)$/.exec(name)?.[1];
  return extension !== undefined && highlighter().getLanguage(extension) ? extension : undefined;
}
