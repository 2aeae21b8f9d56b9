/** Reads WIT, the text form of interfaces and worlds, as far as WASI 0.2 and the contract of tools use it. */

import type { Named } from './value-type.ts';

export interface WitInterface {
  /** `wasi:io/streams`, without a version. */
  readonly name: string;
  readonly version: string;
  readonly isUnstable: boolean;
  readonly uses: readonly { readonly from: string; readonly name: string; readonly as: string }[];
  readonly types: readonly Named<WitType>[];
  /** The functions, also those of resources, under the names that components give them. */
  readonly functions: readonly Named<WitFunction>[];
}

export interface WitFunction {
  readonly parameters: readonly Named<WitType>[];
  readonly result: WitType | undefined;
}

/** A type in which other types stand by name. */
export type WitType =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'handle'; readonly handle: 'own' | 'borrow'; readonly name: string }
  | { readonly kind: 'resource' }
  | { readonly kind: 'list' | 'option'; readonly of: WitType }
  | { readonly kind: 'result'; readonly ok: WitType | undefined; readonly error: WitType | undefined }
  | { readonly kind: 'tuple'; readonly parts: readonly WitType[] }
  | { readonly kind: 'record'; readonly fields: readonly Named<WitType>[] }
  | { readonly kind: 'variant'; readonly cases: readonly Named<WitType | undefined>[] }
  | { readonly kind: 'enum' | 'flags'; readonly names: readonly string[] };

export interface WitDocument {
  readonly interfaces: readonly WitInterface[];
  /** The worlds, each with what it uses and the functions that it exports. */
  readonly worlds: readonly WitInterface[];
}

/** Throws an Error for text that is not WIT or uses what WASI 0.2 does not. */
export function parseWit(text: string): WitDocument {
  return new WitParser(text).document();
}

const TOKEN = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(->|%?[A-Za-z][\w-]*|\d[\w.+-]*|[^\s])/gy;

interface Members {
  uses: WitInterface['uses'][number][];
  types: Named<WitType>[];
  functions: Named<WitFunction>[];
}

class WitParser {
  readonly #tokens: string[];
  #at = 0;
  #package = '';
  #version = '';

  constructor(text: string) {
    this.#tokens = [...text.matchAll(TOKEN)].flatMap(([, token]) => (token === undefined ? [] : [token]));
  }

  document(): WitDocument {
    const interfaces: WitInterface[] = [];
    const worlds: WitInterface[] = [];
    this.#packageName();
    while (this.#peek() !== undefined) {
      const isUnstable = this.#gates();
      const kind = this.#next();
      if (kind === 'interface') interfaces.push(this.#interface(isUnstable));
      else if (kind === 'world') worlds.push(this.#world(isUnstable));
      else throw this.#unexpected(kind);
    }
    return { interfaces, worlds };
  }

  #packageName(): void {
    this.#expect('package');
    const space = this.#name();
    this.#expect(':');
    this.#package = `${space}:${this.#name()}`;
    this.#version = this.#versionSuffix();
    this.#expect(';');
  }

  /** `@0.2.12`, where it stands; empty otherwise. */
  #versionSuffix(): string {
    return this.#take('@') ? this.#next() : '';
  }

  /** Skips `@since(…)` and the like; says whether `@unstable` is among them. */
  #gates(): boolean {
    let isUnstable = false;
    while (this.#take('@')) {
      isUnstable ||= this.#next() === 'unstable';
      this.#expect('(');
      while (this.#next() !== ')');
    }
    return isUnstable;
  }

  #interface(isUnstable: boolean): WitInterface {
    const name = `${this.#package}/${this.#name()}`;
    return { name, version: this.#version, isUnstable, ...this.#body((members) => this.#item(members)) };
  }

  #world(isUnstable: boolean): WitInterface {
    const name = `${this.#package}/${this.#name()}`;
    return { name, version: this.#version, isUnstable, ...this.#body((members) => this.#worldItem(members)) };
  }

  #body(item: (members: Members) => void): Members {
    const members: Members = { uses: [], types: [], functions: [] };
    this.#expect('{');
    while (!this.#take('}')) {
      this.#gates();
      item(members);
    }
    return members;
  }

  #worldItem(members: Members): void {
    const isImport = this.#peek() === 'import' || this.#peek() === 'include';
    const isExport = this.#take('export');
    const isFunction = this.#tokens[this.#at + 1] === ':' && this.#tokens[this.#at + 2] === 'func';
    if (isImport || (isExport && !isFunction)) this.#skipStatement();
    else this.#item(members);
  }

  #skipStatement(): void {
    while (this.#next() !== ';');
  }

  #item(members: Members): void {
    const word = this.#next();
    if (word === 'use') members.uses.push(...this.#uses());
    else if (word === 'type') this.#alias(members);
    else if (word === 'resource') this.#resource(members);
    else if (word === 'record' || word === 'variant' || word === 'enum' || word === 'flags') {
      const name = this.#name();
      members.types.push({ name, type: this.#compound(word) });
    } else {
      this.#expect(':');
      this.#expect('func');
      members.functions.push({ name: plain(word), type: this.#function([]) });
      this.#expect(';');
    }
  }

  /** `use wasi:io/poll@0.2.12.{pollable, error as io-error};` or `use types.{descriptor};` */
  #uses(): Members['uses'] {
    let from = this.#name();
    if (this.#take(':')) {
      from = `${from}:${this.#name()}`;
      this.#expect('/');
      from = `${from}/${this.#name()}`;
      // The dot before the braces is read as a part of the version.
      if (!this.#versionSuffix().endsWith('.')) this.#expect('.');
    } else {
      from = `${this.#package}/${from}`;
      this.#expect('.');
    }
    const names = this.#separated('{', '}', () => {
      const name = this.#name();
      return { from, name, as: this.#take('as') ? this.#name() : name };
    });
    this.#expect(';');
    return names;
  }

  #alias(members: Members): void {
    const name = this.#name();
    this.#expect('=');
    members.types.push({ name, type: this.#type() });
    this.#expect(';');
  }

  #resource(members: Members): void {
    const resource = this.#name();
    members.types.push({ name: resource, type: { kind: 'resource' } });
    if (this.#take(';')) return;
    this.#expect('{');
    while (!this.#take('}')) {
      this.#gates();
      members.functions.push(this.#method(resource));
      this.#expect(';');
    }
  }

  #method(resource: string): Named<WitFunction> {
    const name = this.#name();
    if (name === 'constructor') {
      const { parameters } = this.#function([]);
      const result: WitType = { kind: 'handle', handle: 'own', name: resource };
      return { name: `[constructor]${resource}`, type: { parameters, result } };
    }
    this.#expect(':');
    const isStatic = this.#take('static');
    this.#expect('func');
    if (isStatic) return { name: `[static]${resource}.${name}`, type: this.#function([]) };
    const self: Named<WitType> = {
      name: 'self',
      type: { kind: 'handle', handle: 'borrow', name: resource },
    };
    return { name: `[method]${resource}.${name}`, type: this.#function([self]) };
  }

  #function(self: readonly Named<WitType>[]): WitFunction {
    const parameters = this.#separated('(', ')', () => this.#field());
    const result = this.#take('->') ? this.#type() : undefined;
    return { parameters: [...self, ...parameters], result };
  }

  #field(): Named<WitType> {
    const name = this.#name();
    this.#expect(':');
    return { name, type: this.#type() };
  }

  #compound(kind: 'record' | 'variant' | 'enum' | 'flags'): WitType {
    if (kind === 'record') return { kind, fields: this.#separated('{', '}', () => this.#field()) };
    if (kind !== 'variant') return { kind, names: this.#separated('{', '}', () => this.#name()) };
    const cases = this.#separated('{', '}', () => {
      const name = this.#name();
      if (!this.#take('(')) return { name, type: undefined };
      const type = this.#type();
      this.#expect(')');
      return { name, type };
    });
    return { kind, cases };
  }

  #type(): WitType {
    const name = this.#name();
    const isPlain = this.#peek() !== '<';
    if (name === 'result')
      return isPlain ? { kind: 'result', ok: undefined, error: undefined } : this.#result();
    if (isPlain) return { kind: 'name', name };
    if (name === 'tuple') return { kind: 'tuple', parts: this.#separated('<', '>', () => this.#type()) };
    this.#expect('<');
    const of = this.#type();
    this.#expect('>');
    if (name === 'list' || name === 'option') return { kind: name, of };
    if ((name === 'borrow' || name === 'own') && of.kind === 'name') {
      return { kind: 'handle', handle: name, name: of.name };
    }
    throw this.#unexpected(name);
  }

  #result(): WitType {
    const parts = this.#separated('<', '>', () => (this.#take('_') ? undefined : this.#type()));
    return { kind: 'result', ok: parts[0], error: parts[1] };
  }

  /** A list with commas between its items and, if it likes, after the last one. */
  #separated<Item>(open: string, close: string, item: () => Item): Item[] {
    const items: Item[] = [];
    this.#expect(open);
    while (!this.#take(close)) {
      items.push(item());
      if (!this.#take(',') && this.#peek() !== close) throw this.#unexpected(this.#peek());
    }
    return items;
  }

  #name(): string {
    const token = this.#next();
    if (!/^%?[A-Za-z]/.test(token)) throw this.#unexpected(token);
    return plain(token);
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw this.#unexpected(undefined);
    this.#at += 1;
    return token;
  }

  #take(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    const found = this.#next();
    if (found !== token) throw this.#unexpected(found);
  }

  #unexpected(token: string | undefined): Error {
    const before = this.#tokens.slice(Math.max(0, this.#at - 6), this.#at).join(' ');
    return new Error(
      `the WIT of ${this.#package} has ${token ?? 'its end'} in a wrong place, after ${before}`,
    );
  }
}

/** A name without the `%` that marks names which are also words of WIT. */
function plain(name: string): string {
  return name.replace(/^%/, '');
}
