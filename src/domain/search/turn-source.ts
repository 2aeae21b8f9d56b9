/** Turns of conversations as something to search. */

import type { Conversation } from '../conversations/conversation.ts';
import { type EventText, eventTexts } from '../conversations/event-text.ts';
import type { ConversationStore } from '../conversations/store.ts';
import type { Labels } from '../labels/label.ts';
import { formatCitation } from './citation.ts';
import type { IndexItem } from './index-item.ts';
import type { ListedSource, SourceItem } from './search-source.ts';
import { textChunks } from './text-chunks.ts';

const NAME = 'conversations';

/** One item a conversation, one chunk or more a turn; a conversation is read again when something was said in it. */
export function turnSource(conversations: ConversationStore): ListedSource {
  const labelsOf = new Map<string, Labels>();
  return {
    name: NAME,
    async list() {
      const all = await conversations.list({ labels: [], archived: 'with', local: 'with' });
      return all.map((conversation): SourceItem => {
        const { id, metadata } = conversation;
        if (metadata.labels.size > 0) labelsOf.set(id, metadata.labels);
        const labels = JSON.stringify([...metadata.labels]);
        const hash = `${metadata.activeAt} ${metadata.title ?? ''} ${labels}`;
        return { id, hash, load: () => itemOf(conversations, conversation, hash) };
      });
    },
    citationOf({ id, heading }) {
      const turn = Number(/^turn (\d+)$/.exec(heading)?.[1] ?? 0);
      return { uri: formatCitation({ kind: 'turn', conversation: id, ...(turn > 0 && { turn }) }) };
    },
    tierOf: () => 'conversation',
    standingOf({ id }) {
      const labels = labelsOf.get(id);
      return {
        freshness: { status: 'current' },
        trust: { tier: 'conversation' },
        ...(labels && { labels: Object.fromEntries(labels) }),
      };
    },
  };
}

async function itemOf(
  store: ConversationStore,
  { id, metadata }: Conversation,
  hash: string,
): Promise<IndexItem | undefined> {
  const log = await store.log(id);
  if (!log) return undefined;
  const said = [...eventTexts(log.events)].filter(({ kind }) => kind === 'user' || kind === 'assistant');
  return {
    source: NAME,
    id,
    kind: 'turn',
    topic: '',
    path: '',
    title: metadata.title ?? id,
    hash,
    labels: metadata.labels,
    chunks: said.flatMap(chunksOf),
  };
}

/** The heading says which turn it is; there are no lines to point at. */
function chunksOf({ turn, text }: EventText): IndexItem['chunks'] {
  return textChunks(text).map(({ body }) => ({ heading: `turn ${turn}`, body, firstLine: 0, lastLine: 0 }));
}
