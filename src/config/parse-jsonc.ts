/** JSON with comments and trailing commas, as editors keep their settings in, with where everything stands. */

import { Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';

export interface JsoncNode {
  /** Of its first character. */
  readonly start: number;
  /** After its last. */
  readonly end: number;
  readonly value: Json;
  /** Of an object, in order. */
  readonly members?: readonly JsoncMember[];
}

export interface JsoncMember {
  readonly key: string;
  /** Of the key's quote. */
  readonly start: number;
  readonly node: JsoncNode;
}

const MAX_DEPTH = 200;

/** The one value of a text; a Fault that names the place of what cannot be read. */
export function parseJsonc(text: string): JsoncNode {
  let at = text.startsWith('\uFEFF') ? 1 : 0;

  const fail = (what: string) => faultAt(text, at, what);

  function space(): void {
    at = afterSpace(text, at);
  }

  function take(pattern: RegExp): string | undefined {
    const found = matchAt(pattern, text, at);
    at += found?.length ?? 0;
    return found;
  }

  function string(): string {
    const found = take(/"(?:[^"\\\n]|\\.)*"/y);
    if (found === undefined) throw fail('a text in double quotes is expected');
    try {
      return JSON.parse(found);
    } catch {
      at -= found.length;
      throw fail('this text has what JSON does not allow in one');
    }
  }

  function list<Item>(close: string, item: () => Item): Item[] {
    const items: Item[] = [];
    at += 1;
    for (space(); text[at] !== close; space()) {
      items.push(item());
      space();
      if (text[at] === ',') at += 1;
      else if (text[at] !== close) throw fail(`"," or "${close}" is expected`);
    }
    at += 1;
    return items;
  }

  function member(depth: number): JsoncMember {
    const start = at;
    const key = string();
    space();
    if (text[at] !== ':') throw fail('":" is expected');
    at += 1;
    space();
    return { key, start, node: node(depth) };
  }

  function node(depth: number): JsoncNode {
    if (depth > MAX_DEPTH) throw fail('this is nested too deeply');
    const start = at;
    if (text[at] === '{') {
      const members = list('}', () => member(depth + 1));
      const value = Object.fromEntries(members.map((each) => [each.key, each.node.value]));
      return { start, end: at, value, members };
    }
    if (text[at] === '[') {
      const value = list(']', () => node(depth + 1)).map((each) => each.value);
      return { start, end: at, value };
    }
    if (text[at] === '"') return { start, value: string(), end: at };
    const word = take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y);
    if (word === undefined) throw fail(at < text.length ? 'a value is expected' : 'the text ends too early');
    return { start, end: at, value: JSON.parse(word) };
  }

  space();
  const root = node(0);
  space();
  if (at < text.length) throw fail('there is more after the value');
  return root;
}

function faultAt(text: string, at: number, what: string): Fault {
  const before = text.slice(0, at).split('\n');
  return new Fault('config/invalid', `${before.length}:${(before.at(-1) ?? '').length + 1}: ${what}.`);
}

/** The first place from `at` on that is neither space nor comment. */
export function afterSpace(text: string, at: number): number {
  return at + (matchAt(TRIVIA, text, at)?.length ?? 0);
}

const TRIVIA = /(?:[ \t\r\n]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
