import { Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import { type Change, changeProblems } from './change.ts';
import { formatKeyPath, type KeyPath, parseKeyPath } from './key-path.ts';
import { isProblem, nodeAt, type Problem } from './schema/find-node.ts';
import type { Node } from './schema/node.ts';
import { SCHEMA } from './schema.ts';
import { isTree } from './tree.ts';

export type Assignment =
  /** `@path` */
  | { readonly kind: 'file'; readonly path: string }
  /** A name to look up in the config load paths. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'change'; readonly change: Change };

/** Reads one `--cfg` value; a usage Fault when it cannot be read or does not fit the schema. */
export function parseAssignment(text: string): Assignment {
  if (text.startsWith('@')) return { kind: 'file', path: text.slice(1) };
  if (text.trimStart().startsWith('{')) return { kind: 'change', change: mergedObject(text) };
  const at = equalsSignIn(text);
  if (at === undefined) return { kind: 'name', name: text };
  const { key, isJson, isAppend } = splitKey(text.slice(0, at));
  const change = assign({ path: parseKeyPath(key), value: text.slice(at + 1), isJson, isAppend });
  return { kind: 'change', change };
}

export interface RawAssignment {
  readonly path: KeyPath;
  readonly value: string;
  readonly isJson: boolean;
  readonly isAppend: boolean;
}

/** The change for `key=value`, `key:=JSON`, `key+=value` or `key:+=JSON`. */
export function assign(raw: RawAssignment): Change {
  const node = nodeAt(SCHEMA, raw.path);
  if (isProblem(node)) throw usage(node);
  const change = raw.isAppend ? appendChange(node, raw) : setChange(node, raw);
  const [problem] = changeProblems(SCHEMA, change);
  if (problem) throw usage(problem);
  return change;
}

function setChange(node: Node, { path, value, isJson }: RawAssignment): Change {
  if (isJson) {
    const json = parseJson(value);
    return json === null ? { op: 'unset', path } : { op: 'set', path, value: json };
  }
  const plain = parsePlainValue(node, value);
  if (plain === undefined) throw wantsJson(path, ':=');
  return { op: 'set', path, value: plain };
}

function appendChange(node: Node, { path, value, isJson }: RawAssignment): Change {
  if (node.kind === 'list') {
    const added = isJson ? parseJson(value) : parsePlainValue(node.item, value);
    if (added === undefined) throw wantsJson(path, ':+=');
    return { op: 'append', path, value: isJson && Array.isArray(added) ? added : [added] };
  }
  if (node.kind !== 'map' && !(isJson && node.kind === 'table')) {
    throw usage({
      path,
      message: `${formatKeyPath(path)} is neither a list nor a map`,
      hint: 'Use "=" to set it.',
    });
  }
  return { op: 'append', path, value: isJson ? parseJson(value) : oneEntry(node, path, value) };
}

/** One entry of a map, as in `labels+=team=platform`. */
function oneEntry(node: Node, path: KeyPath, text: string): Json {
  const at = text.indexOf('=');
  const value = node.kind === 'map' && at > 0 ? parsePlainValue(node.value, text.slice(at + 1)) : undefined;
  if (value === undefined) throw wantsJson(path, ':+=');
  return { [text.slice(0, at)]: value };
}

function mergedObject(text: string): Change {
  const value = parseJson(text);
  const change: Change = { op: 'merge', path: [], value };
  const [problem] = changeProblems(SCHEMA, change);
  if (problem || !isTree(value)) throw usage(problem ?? { path: [], message: 'This is not a JSON object' });
  return change;
}

/** Offset of the first `=` outside quotes. */
function equalsSignIn(text: string): number | undefined {
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (quote === '' && letter === '=') return at;
    if (quote === '' && (letter === '"' || letter === "'")) quote = letter;
    else if (letter === quote) quote = '';
  }
  return undefined;
}

function splitKey(text: string): { key: string; isJson: boolean; isAppend: boolean } {
  const isAppend = text.endsWith('+');
  const rest = isAppend ? text.slice(0, -1) : text;
  const isJson = rest.endsWith(':');
  return { key: isJson ? rest.slice(0, -1) : rest, isJson, isAppend };
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new Fault('config/bad-value', `This is not JSON: ${shortened(text)}`, {
      hint: `${(error as Error).message}.`,
      cause: error,
    });
  }
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function wantsJson(path: KeyPath, sign: string): Fault {
  return new Fault('config/bad-value', `${formatKeyPath(path)} cannot be written as a plain value.`, {
    hint: `Write JSON: ${formatKeyPath(path)}${sign}…`,
  });
}

function usage({ message, hint }: Problem): Fault {
  return new Fault('config/bad-value', `${message}.`, { hint });
}

/** Reads a value as a person types it, by the type of its key; undefined for keys that need JSON. */
function parsePlainValue(node: Node, text: string): Json | undefined {
  switch (node.kind) {
    case 'text':
    case 'choice':
    case 'shorthand':
      return text;
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'number':
      return NUMBER.test(text) ? Number(text) : text;
    case 'list':
      return text === '' ? [] : listOfOne(node.item, text);
    case 'any':
      return text;
    case 'table':
    case 'map':
      return undefined;
  }
}

const NUMBER = /^-?\d{1,16}(\.\d{1,16})?$/;

function listOfOne(item: Node, text: string): Json | undefined {
  const value = parsePlainValue(item, text);
  return value === undefined ? undefined : [value];
}
