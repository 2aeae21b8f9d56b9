/** Copies conversations, each by its name, between a workspace and a team. */

import type { Hasher } from '../../../base/hasher.ts';
import { memberOf } from '../../../base/json.ts';
import { utf8Length } from '../../../base/text.ts';
import type { Conversation } from '../../conversations/conversation.ts';
import { selectConversation } from '../../conversations/conversation-id.ts';
import type { CreatePorts } from '../../conversations/create-conversation.ts';
import { type ImportEnd, importConversation } from '../../conversations/import/import-conversation.ts';
import type { ConversationStore } from '../../conversations/store.ts';
import { secretIn } from '../../ledger/entry/checked-input.ts';
import { eventsIn, type SharedConversations, type SharedForm, sharedForm } from './shared-conversations.ts';

export interface SharePorts {
  readonly conversations: ConversationStore;
  readonly teamConversations: SharedConversations;
  readonly hasher: Hasher;
}

export interface ConversationEnd {
  readonly id: string;
  readonly title: string;
  readonly what: 'imported' | 'updated' | 'unchanged' | 'conflict' | 'refused';
  readonly reason?: string;
  readonly turns: number;
  readonly bytes: number;
}

export interface PlannedConversation {
  readonly end: ConversationEnd;
  /** Copies it, and tells what came of it. */
  run(): Promise<ConversationEnd>;
}

export async function planPush(
  ports: SharePorts,
  conversation: Conversation,
  { allowSecret }: { readonly allowSecret: boolean },
): Promise<PlannedConversation> {
  const form = await localForm(ports, conversation);
  const { shared, lines } = form;
  const there = await ports.teamConversations.get(shared.id);
  const rule = allowSecret ? undefined : secretIn(`${shared.metadata.title ?? ''}\n${lines}`);
  const what = !there ? 'imported' : there.digest === shared.digest ? 'unchanged' : 'updated';
  const told = endOf(form, what);
  const reason = `it looks like it holds a secret (${rule}); --allow-secret copies it`;
  const end: ConversationEnd =
    rule === undefined || what === 'unchanged' ? told : { ...told, what: 'refused', reason };
  return {
    end,
    async run() {
      if (end.what === 'imported' || end.what === 'updated') await ports.teamConversations.put(shared, lines);
      return end;
    },
  };
}

export async function localForm(
  { conversations, hasher }: Pick<SharePorts, 'conversations' | 'hasher'>,
  conversation: Conversation,
): Promise<SharedForm> {
  return sharedForm(hasher, conversation, (await conversations.log(conversation.id))?.events ?? []);
}

function endOf({ shared, lines, turns }: SharedForm, what: ConversationEnd['what']): ConversationEnd {
  const { id, metadata } = shared;
  return { id, title: metadata.title ?? '', what, turns, bytes: utf8Length(lines) };
}

/** `part` selects one of the team's. It becomes a conversation of its own here, as an import does. */
export async function planPull(
  ports: SharePorts & CreatePorts,
  part: string,
  { isLocal }: { readonly isLocal: boolean },
): Promise<PlannedConversation> {
  const all = await ports.teamConversations.list();
  const id = selectConversation(
    part,
    all.map((each) => each.id),
  );
  const found = all.find((each) => each.id === id);
  if (!found) throw new Error('The chosen conversation is not among those to choose from.');
  const { events } = eventsIn((await ports.teamConversations.lines(id)) ?? '');
  const form = sharedForm(ports.hasher, found, events);
  const here = await ports.conversations.list({ labels: [], archived: 'with', local: 'with' });
  if (here.some((each) => each.id === id)) {
    const end: ConversationEnd = { ...endOf(form, 'unchanged'), reason: 'it is one of this workspace' };
    return { end, run: async () => end };
  }
  const isKnown = here.some(({ metadata: { others } }) => memberOf(others.imported, 'id') === id);
  return {
    end: endOf(form, isKnown ? 'updated' : 'imported'),
    async run() {
      const others = { imported: { from: 'ken', id } };
      const imported = {
        source: 'ken' as const,
        sourceId: id,
        metadata: { ...form.shared.metadata, others },
        events,
      };
      const place = { isLocal, labels: form.shared.metadata.labels, decisions: [] };
      const { what } = await importConversation(ports, imported, place);
      return pulledEnd(form, what);
    },
  };
}

function pulledEnd(form: SharedForm, what: ImportEnd['what']): ConversationEnd {
  if (what === 'kept') return { ...endOf(form, 'conflict'), reason: 'it was continued here' };
  return endOf(form, what === 'grown' ? 'updated' : what);
}
