/** Everything that rests on a place: entries whose evidence it is, and turns that name it. */

import type { Conversation } from '../../conversations/conversation.ts';
import type { ConversationEvent } from '../../conversations/event.ts';
import type { ConversationStore } from '../../conversations/store.ts';
import type { Entry } from '../../ledger/entry/entry.ts';
import type { LedgerReader } from '../../ledger/store.ts';

export interface CitedByPorts {
  readonly ledger: Pick<LedgerReader, 'list'>;
  readonly conversations: Pick<ConversationStore, 'list' | 'scan'>;
}

/** The whole file, subject, entry or conversation. */
export interface CitedPlace {
  /** Without lines and digest. */
  readonly uri: string;
  /** Path in the workspace, if it has one. */
  readonly path?: string | undefined;
}

export interface CitedBy {
  readonly entries: readonly Entry[];
  readonly turns: readonly { readonly conversation: Conversation; readonly turn: number }[];
}

const MOST_ENTRIES = 50;
const MOST_TURNS = 20;
/** Turns are looked for in this many conversations, the most recently active ones. */
const READ = 100;

export async function citedBy(ports: CitedByPorts, place: CitedPlace): Promise<CitedBy> {
  return { entries: await citingEntries(ports, place), turns: await citingTurns(ports, place) };
}

async function citingEntries({ ledger }: CitedByPorts, { uri, path }: CitedPlace): Promise<readonly Entry[]> {
  const places = [`ref:${uri}`, ...(path === undefined ? [] : [`file:${path}`])];
  const found = new Map<string, Entry>();
  for (const cites of places)
    for (const entry of await ledger.list({ cites, limit: MOST_ENTRIES })) {
      if (entry.citations.some(({ provenance }) => isIn(provenance, cites))) found.set(entry.id, entry);
    }
  return [...found.values()];
}

/** A longer name that begins like the place is another place. */
function isIn(text: string, place: string): boolean {
  return text.startsWith(place) && /^(?:$|[#?@])/.test(text.slice(place.length));
}

async function citingTurns({ conversations }: CitedByPorts, { uri }: CitedPlace): Promise<CitedBy['turns']> {
  const recent = await conversations.list({ labels: [], archived: 'with', local: 'with', limit: READ });
  const turns: { conversation: Conversation; turn: number }[] = [];
  for (const conversation of recent) {
    if (turns.length >= MOST_TURNS) break;
    for (const turn of turnsThatName(uri, (await conversations.scan(conversation.id, uri)) ?? []))
      turns.push({ conversation, turn });
  }
  return turns;
}

function turnsThatName(uri: string, events: Iterable<ConversationEvent>): Set<number> {
  const found = new Set<number>();
  let turn = 0;
  for (const event of events) {
    if (event.type === 'turn_start') turn = event.turn;
    else if (event.type === 'assistant_message' && names(event.text, uri)) found.add(turn);
  }
  return found;
}

function names(text: string, uri: string): boolean {
  for (let at = text.indexOf(uri); at !== -1; at = text.indexOf(uri, at + 1))
    if (!/^[\w%~/-]/.test(text.slice(at + uri.length))) return true;
  return false;
}
