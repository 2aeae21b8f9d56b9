/** Edits one member of a mapping in a YAML file, and keeps every other byte of it. */

import { isMap, isScalar, type Pair, parseAllDocuments, type YAMLMap } from 'yaml';
import { Fault } from '../../../base/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';

interface Member {
  readonly group: string;
  readonly name: string;
}

/** The file as data; a Fault for a broken one. */
export function parseYaml(text: string): JsonObject {
  const value: Json | undefined = contentIn(text)?.toJS();
  return isJsonObject(value ?? {}) ? ((value ?? {}) as JsonObject) : refused('is not a mapping');
}

/** Sets `group: { name: value }`. Comments around it stay. */
export function setInYaml(text: string | undefined, { group, name }: Member, value: JsonObject): string {
  const whole = text ?? '';
  const lineEnd = whole.includes('\r\n') ? '\r\n' : '\n';
  const lines = (indent: string) => memberLines(name, value, indent).join(lineEnd) + lineEnd;
  const root = rootOf(whole);
  const pair = root && pairIn(root, group);
  if (!pair) {
    const start = whole === '' || whole === BOM || whole.endsWith('\n') ? whole : whole + lineEnd;
    return checked(`${start}${group}:${lineEnd}${lines('  ')}`, whole, { group, name }, value);
  }
  const members = blockIn(pair, whole);
  const old = members && pairIn(members, name);
  const [from, to] = old ? rangeOf(whole, old) : afterLine(whole, keyEnd(pair));
  const first = members?.items[0];
  const indent = first ? indentOf(whole, first) : `${indentOf(whole, pair)}  `;
  const head = whole.slice(0, from);
  const joined = head.endsWith('\n') ? head : head + lineEnd;
  return checked(joined + lines(indent) + whole.slice(to), whole, { group, name }, value);
}

/** Undefined if nothing is left but the empty group. */
export function removeInYaml(text: string, { group, name }: Member): string | undefined {
  const pair = pairIn(rootOf(text), group);
  const members = pair && blockIn(pair, text);
  const member = members && pairIn(members, name);
  if (!pair || !members || !member) return text;
  const [from, to] = members.items.length === 1 ? rangeOf(text, pair) : rangeOf(text, member);
  const rest = text.slice(0, from) + text.slice(to);
  return rest.replace(BOM, '').trim() === '' ? undefined : rest;
}

const BOM = '\uFEFF';

function contentIn(text: string) {
  const parts = parseAllDocuments(text, { prettyErrors: true });
  if (!Array.isArray(parts) || parts.length === 0) return undefined;
  if (parts.length > 1) return refused('has several documents');
  const [part] = parts;
  const [error] = part?.errors ?? [];
  if (error)
    throw new Fault(
      'config/invalid',
      `${place(text, error.pos[0])} ${error.code.toLowerCase().replaceAll('_', ' ')}.`,
    );
  return part;
}

/** `3:1:`, which goes after the name of the file. */
function place(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}:`;
}

function refused(why: string): never {
  throw new Fault('config/invalid', `1:1: the file ${why}.`, { hint: 'Add the server by hand.' });
}

type Block = YAMLMap<unknown, unknown>;

function rootOf(text: string): Block | undefined {
  const contents = contentIn(text)?.contents;
  if (contents === null || contents === undefined) return undefined;
  return isMap(contents) && !contents.flow ? contents : refused('is not a mapping in lines');
}

function pairIn(map: Block | undefined, name: string): Pair | undefined {
  return map?.items.find(({ key }) => isScalar(key) && key.value === name);
}

/** Undefined for a group without members. */
function blockIn({ value }: Pair, text: string): Block | undefined {
  if (isMap(value) && !value.flow && value.anchor === undefined) return value;
  if (value === null || (isScalar(value) && value.value === null && sourceOf(value, text) === ''))
    return undefined;
  return refused('has its servers in braces, or behind a name');
}

function sourceOf(node: { range?: readonly number[] | null | undefined }, text: string): string {
  return text.slice(node.range?.[0], node.range?.[1]);
}

function keyStart({ key }: Pair): number {
  return isScalar(key) ? (key.range?.[0] ?? 0) : 0;
}

function keyEnd({ key }: Pair): number {
  return isScalar(key) ? (key.range?.[1] ?? 0) : 0;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function afterLine(text: string, at: number): [number, number] {
  const end = text.indexOf('\n', at);
  const next = end === -1 ? text.length : end + 1;
  return [next, next];
}

/** Whole lines, without comments that follow. */
function rangeOf(text: string, pair: Pair): [number, number] {
  const value = pair.value as { range?: readonly number[] | null } | null;
  const end = Math.max(value?.range?.[1] ?? 0, keyEnd(pair));
  const [, next] = text[end - 1] === '\n' ? [end, end] : afterLine(text, end);
  return [lineStart(text, keyStart(pair)), next];
}

function indentOf(text: string, pair: Pair): string {
  const start = lineStart(text, keyStart(pair));
  const indent = text.slice(start, keyStart(pair)).replace(BOM, '');
  return /^ *$/.test(indent) ? indent : refused('has its servers after a question mark');
}

/** JSON in lines: every YAML reader takes it as it is meant. */
function memberLines(name: string, value: JsonObject, indent: string): string[] {
  const key = /^[a-zA-Z][\w.-]*$/.test(name) ? name : JSON.stringify(name);
  const members = Object.entries(value).map(([each, item]) => `${indent}  ${each}: ${JSON.stringify(item)}`);
  return [`${indent}${key}:`, ...members];
}

/** A file that would say something else afterwards is refused. */
function checked(after: string, before: string, { group, name }: Member, value: JsonObject): string {
  const old = parseYaml(before);
  const members = isJsonObject(old[group]) ? old[group] : {};
  const wanted = { ...old, [group]: { ...members, [name]: value } };
  if (sorted(parseYaml(after)) === sorted(wanted)) return after;
  return refused('is written in a way that ken cannot add to');
}

function sorted(value: Json): string {
  return JSON.stringify(value, (_, each) =>
    isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}
