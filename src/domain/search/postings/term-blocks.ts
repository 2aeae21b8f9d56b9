/**
 * A segment's sorted terms, packed into blocks: one database row each, found by its first term. A term is stored as
 * its difference from the one before. A long list has its own block, so that short ones stay cheap.
 */

import { ByteReader, ByteWriter } from './bytes.ts';
import { termKey } from './term-key.ts';

export interface TermBlock {
  /** In UTF-8. */
  readonly first: Uint8Array;
  readonly content: Uint8Array;
}

const BLOCK_BYTES = 3000;
const LONG_LIST_BYTES = 1000;

export class TermBlockWriter {
  readonly #blocks: TermBlock[] = [];
  readonly #writer = new ByteWriter(BLOCK_BYTES * 2);
  #first = '';
  #previous = '';

  /** Terms must rise from call to call. Empties `list`. */
  add(term: string, list: ByteWriter): void {
    const isLong = list.length >= LONG_LIST_BYTES;
    if (isLong || this.#writer.length >= BLOCK_BYTES) this.#endBlock();
    if (this.#writer.length === 0) this.#first = term;
    this.#addTerm(term);
    this.#writer.number(list.length);
    this.#writer.append(list);
    this.#previous = term;
    if (isLong) this.#endBlock();
  }

  finish(): readonly TermBlock[] {
    this.#endBlock();
    return this.#blocks;
  }

  #addTerm(term: string): void {
    if (isAscii(term) && isAscii(this.#previous)) {
      const shared = sharedLength(this.#previous, term);
      this.#writer.number(shared);
      this.#writer.ascii(term, shared);
      return;
    }
    const key = termKey(term);
    const shared = sharedBytes(termKey(this.#previous), key);
    this.#writer.number(shared);
    this.#writer.number(key.length - shared);
    this.#writer.bytes(key.subarray(shared));
  }

  #endBlock(): void {
    if (this.#writer.length > 0)
      this.#blocks.push({ first: termKey(this.#first), content: this.#writer.take() });
    this.#previous = '';
  }
}

/** Copies nothing: skips entries that share more with the one before than the wanted term did. */
export function findInBlock(content: Uint8Array, key: Uint8Array): Uint8Array | undefined {
  const reader = new ByteReader(content);
  let matched = 0;
  while (!reader.isAtEnd) {
    const shared = reader.number();
    const length = reader.number();
    const start = reader.at;
    reader.at += length;
    const listLength = reader.number();
    if (shared < matched) return undefined;
    if (shared === matched) {
      let at = 0;
      while (at < length && matched < key.length && content[start + at] === key[matched]) {
        at += 1;
        matched += 1;
      }
      if (at === length && matched === key.length) return reader.take(listLength);
      if (
        at < length &&
        (matched === key.length || (content[start + at] as number) > (key[matched] as number))
      ) {
        return undefined;
      }
    }
    reader.at += listLength;
  }
  return undefined;
}

/** In order. Lists are views of `content`; keys are copies. */
export function* entriesOf(content: Uint8Array): Generator<{ key: Uint8Array; list: Uint8Array }> {
  const reader = new ByteReader(content);
  let previous: Uint8Array = new Uint8Array(0);
  while (!reader.isAtEnd) {
    const shared = Math.min(reader.number(), previous.length);
    const added = reader.take(reader.number());
    const key = new Uint8Array(shared + added.length);
    key.set(previous.subarray(0, shared));
    key.set(added, shared);
    previous = key;
    yield { key, list: reader.take(reader.number()) };
  }
}

export function isAscii(term: string): boolean {
  for (let at = 0; at < term.length; at++) if (term.charCodeAt(at) >= 0x80) return false;
  return true;
}

function sharedLength(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at += 1;
  return at;
}
