/**
 * Caches the `metadata.json` files below one directory in one file, which is deletable. It has a header and four
 * lines: columns that lists show, sets of labels, fields that few conversations have, and stamps. Each line is parsed
 * on demand.
 */

import {
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
  parseJson,
} from '../../../base/json.ts';
import type { Conversation, Metadata } from '../../../domain/conversations/conversation.ts';
import { isConversationId } from '../../../domain/conversations/conversation-id.ts';
import { labelsFromJson } from '../../../domain/conversations/metadata-file.ts';
import type { Labels } from '../../../domain/labels/label.ts';
import { readIfPossible, writeWithDirectory } from '../../paths/change-directory.ts';

export interface ListPlace {
  readonly file: string;
  readonly directory: string;
  readonly isLocal: boolean;
}

export interface ConversationList {
  readonly conversations: readonly Conversation[];
  /** One for each conversation, in their order. A file with another stamp is read again. */
  stamps(): readonly string[];
  /** When every file was checked, and the state of the directory then. Absent when the directory had just changed. */
  readonly compared?: { readonly at: number; readonly state: string };
}

/** Undefined when there is no list of this directory. */
export function readList({ file, directory, isLocal }: ListPlace): ConversationList | undefined {
  const bytes = readIfPossible(file);
  if (!bytes) return undefined;
  const [head, columns, labels, rare, stamps] = linesOf(bytes, 5);
  const header = head && parseJson(head());
  if (!columns || !labels || !rare || !stamps || memberOf(header, 'directory') !== directory)
    return undefined;
  const conversations = conversationsFrom(
    parseJson(columns()),
    listIn(labels()).map((text) => new LazyLabels(String(text))),
    isLocal,
  );
  if (!conversations) return undefined;
  for (const [row, value] of Object.entries(parseJson(rare()) ?? {})) {
    const conversation = conversations[Number(row)];
    if (conversation) addRare(conversation.metadata, value);
  }
  const at = memberOf(header, 'at');
  const state = memberOf(header, 'state');
  return {
    ...(typeof at === 'number' && typeof state === 'string' && { compared: { at, state } }),
    conversations,
    stamps: () => stamps().split(' '),
  };
}

/** Ignores a failure, which only makes the next list slower. */
export function writeList(
  { file, directory }: ListPlace,
  { conversations, compared, stamps }: ConversationList,
): void {
  const all = conversations.map(({ metadata }) => metadata);
  const sets = new Map<string, number>();
  const lines = [
    JSON.stringify({ directory, ...compared }),
    JSON.stringify([
      conversations.map(({ id }) => id),
      all.map(({ createdAt }) => createdAt),
      all.map(({ activeAt }) => activeAt),
      all.map(({ title }) => title ?? null),
      all.map(({ labels }) => numberIn(sets, JSON.stringify(Object.fromEntries(labels)))),
    ]),
    JSON.stringify([...sets.keys()]),
    JSON.stringify(Object.fromEntries(all.flatMap(rareEntry))),
    stamps().join(' '),
  ];
  writeWithDirectory(file, lines.join('\n'));
}

function linesOf(bytes: Buffer, count: number): (() => string)[] {
  const lines: (() => string)[] = [];
  for (let start = 0; lines.length < count && start <= bytes.length; ) {
    const from = start;
    const newline = bytes.indexOf(0x0a, from);
    const end = newline === -1 ? bytes.length : newline;
    lines.push(() => bytes.toString('utf8', from, end));
    start = end + 1;
  }
  return lines;
}

interface DraftConversation extends Conversation {
  readonly metadata: Draft;
}

type Draft = { -readonly [Name in keyof Metadata]: Metadata[Name] };

/** Undefined when a row is malformed. No spreads or closures: V8 interprets this long before it compiles it. */
function conversationsFrom(
  columns: Json | undefined,
  sets: readonly Labels[],
  isLocal: boolean,
): DraftConversation[] | undefined {
  const [ids, created, active, titles, labelled] = isJsonList(columns) ? columns : [];
  if (!isJsonList(ids) || !isJsonList(created) || !isJsonList(active)) return undefined;
  if (!isJsonList(titles) || !isJsonList(labelled)) return undefined;
  const found: DraftConversation[] = [];
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row];
    const createdAt = created[row];
    const activeAt = active[row];
    const title = titles[row];
    const labels = sets[Number(labelled[row])];
    if (typeof id !== 'string' || !isConversationId(id) || !labels) return undefined;
    if (typeof createdAt !== 'number' || typeof activeAt !== 'number') return undefined;
    const metadata: Draft =
      typeof title === 'string'
        ? { title, createdAt, activeAt, labels, others: NONE }
        : { createdAt, activeAt, labels, others: NONE };
    found.push({ id, isLocal, metadata });
  }
  return found;
}

/** Many conversations have the same labels; each set is kept once. */
function numberIn(sets: Map<string, number>, set: string): number {
  const number = sets.get(set) ?? sets.size;
  sets.set(set, number);
  return number;
}

const NONE: JsonObject = {};

function rareEntry({ pinnedAt, archivedAt, parent, others }: Metadata, row: number): [number, object][] {
  const hasOthers = Object.keys(others).length > 0;
  if (pinnedAt === undefined && archivedAt === undefined && parent === undefined && !hasOthers) return [];
  return [[row, { pinnedAt, archivedAt, parent, ...(hasOthers && { others }) }]];
}

function addRare(metadata: Draft, rare: Json): void {
  const pinnedAt = memberOf(rare, 'pinnedAt');
  const archivedAt = memberOf(rare, 'archivedAt');
  const parent = memberOf(rare, 'parent');
  const others = memberOf(rare, 'others');
  if (typeof pinnedAt === 'number') metadata.pinnedAt = pinnedAt;
  if (typeof archivedAt === 'number') metadata.archivedAt = archivedAt;
  if (typeof parent === 'string' && isConversationId(parent)) metadata.parent = parent;
  if (isJsonObject(others)) metadata.others = others;
}

function listIn(text: string): readonly Json[] {
  const value = parseJson(text);
  return isJsonList(value) ? value : [];
}

/** Labels that are parsed from their JSON text at the first access: most rows of a long list never need theirs. */
export class LazyLabels implements Labels {
  readonly #text: string;
  #parsed: Labels | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get size(): number {
    return this.#labels.size;
  }

  get(key: string): string | undefined {
    return this.#labels.get(key);
  }

  has(key: string): boolean {
    return this.#labels.has(key);
  }

  forEach(visit: (value: string, key: string, labels: Labels) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }

  keys(): MapIterator<string> {
    return this.#labels.keys();
  }

  values(): MapIterator<string> {
    return this.#labels.values();
  }

  entries(): MapIterator<[string, string]> {
    return this.#labels.entries();
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }

  get #labels(): Labels {
    this.#parsed ??= labelsFromJson(parseJson(this.#text));
    return this.#parsed;
  }
}
