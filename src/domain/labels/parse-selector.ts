/** Parses what `--label` filters by: `branch=main,team!=infra,env in (a,b),env notin (c),!wip,key`. */

import { Fault } from '../../base/fault.ts';
import type { Labels } from './label.ts';
import { parseLabelKey, quotedExcerpt, readQuotedValue } from './label-value.ts';

/** All selectors must match. */
export function parseSelectors(texts: readonly string[]): Selector {
  return texts.flatMap((text) => parseSelector(text));
}

/** Ignores spaces between words; a value with a comma, space, quote or parenthesis needs double quotes. */
export function parseSelector(text: string): Selector {
  const reader = new SelectorReader(text);
  const requirements = [readRequirement(reader)];
  while (reader.take(',')) requirements.push(readRequirement(reader));
  if (!reader.isAtEnd()) throw reader.unexpected('a comma');
  return requirements;
}

function readRequirement(reader: SelectorReader): Requirement {
  if (reader.take('!')) return { kind: 'absent', key: reader.key() };
  const key = reader.key();
  if (reader.take('!=')) return { kind: 'differs', key, value: reader.value() };
  if (reader.take('=')) return { kind: 'equals', key, value: reader.value() };
  const set = reader.takeWord('in', 'notin');
  if (set) return { kind: set === 'in' ? 'in' : 'not-in', key, values: readSet(reader) };
  return { kind: 'present', key };
}

function readSet(reader: SelectorReader): string[] {
  if (!reader.take('(')) throw reader.unexpected('"("');
  const values = [reader.value()];
  while (reader.take(',')) values.push(reader.value());
  if (!reader.take(')')) throw reader.unexpected('"," or ")"');
  return values;
}

class SelectorReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    this.#match(SPACES);
    return this.#at === this.#text.length;
  }

  take(mark: string): boolean {
    this.#match(SPACES);
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  /** One of the words, if it comes next as a whole word. */
  takeWord(...words: readonly string[]): string | undefined {
    this.#match(SPACES);
    const start = this.#at;
    const word = this.#match(NAME);
    if (words.includes(word)) return word;
    this.#at = start;
    return undefined;
  }

  key(): string {
    this.#match(SPACES);
    if (this.#text[this.#at] === ':') throw aliasInFilter(this.#rest());
    const name = this.#match(NAME);
    if (name === '') throw this.unexpected('a label key');
    if (name.endsWith('-')) throw removalInFilter(name);
    return parseLabelKey(name);
  }

  /** May be empty. */
  value(): string {
    this.#match(SPACES);
    if (this.#text[this.#at] === '=') throw startsWithEquals();
    if (this.#text[this.#at] !== '"') return this.#match(BARE_VALUE);
    const { value, end } = readQuotedValue(this.#text, this.#at);
    this.#at = end;
    return value;
  }

  unexpected(wanted: string): Fault {
    const found = this.isAtEnd() ? 'the end' : quotedExcerpt(this.#rest());
    return new Fault('labels/invalid', `A label selector has ${found} where ${wanted} should be.`, {
      hint: `Write for example ${EXAMPLE}; quote a value with a comma or space: branch="a,b".`,
    });
  }

  #rest(): string {
    return this.#text.slice(this.#at);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}

const SPACES = /[ \t]+/y;
const NAME = /[A-Za-z0-9_-]+/y;
const BARE_VALUE = /[^\s",()]+/uy;
const EXAMPLE = `'branch=main,team!=infra,env in (a,b),!wip'`;

function aliasInFilter(text: string): Fault {
  return new Fault('labels/invalid', `${quotedExcerpt(text)} is an alias, and a filter takes none.`, {
    hint: 'Filters look at the labels that things have, not at configured ones: write key=value or key.',
  });
}

function removalInFilter(name: string): Fault {
  return new Fault('labels/invalid', `"${name}" removes a label, and a filter changes nothing.`, {
    hint: `To find what has no such label write !${name.replace(/-+$/, '')}.`,
  });
}

function startsWithEquals(): Fault {
  return new Fault('labels/invalid', 'A label selector has "==".', {
    hint: 'Write key=value; quote a value that starts with "=": key="=x".',
  });
}

/** Empty matches everything. */
export type Selector = readonly Requirement[];

/** As in kubectl, `differs` and `not-in` also match where the key is absent. */
export type Requirement =
  | { readonly kind: 'present' | 'absent'; readonly key: string }
  | { readonly kind: 'equals' | 'differs'; readonly key: string; readonly value: string }
  | { readonly kind: 'in' | 'not-in'; readonly key: string; readonly values: readonly string[] };

export function matchesSelector(labels: Labels, selector: Selector): boolean {
  return selector.every((requirement) => holds(labels.get(requirement.key), requirement));
}

function holds(value: string | undefined, requirement: Requirement): boolean {
  switch (requirement.kind) {
    case 'present':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'equals':
      return value === requirement.value;
    case 'differs':
      return value !== requirement.value;
    case 'in':
      return value !== undefined && requirement.values.includes(value);
    case 'not-in':
      return value === undefined || !requirement.values.includes(value);
  }
}
