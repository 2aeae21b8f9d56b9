import { Fault } from '../../../base/fault.ts';
import type { Hasher } from '../../../base/hasher.ts';
import { lazy } from '../../../base/lazy.ts';
import { HEADING_SEPARATOR } from '../../chunks/chunk.ts';
import { type Conversation, titleFrom } from '../../conversations/conversation.ts';
import type { ConversationId } from '../../conversations/conversation-id.ts';
import type { ConversationEvent } from '../../conversations/event.ts';
import type { ConversationStore } from '../../conversations/store.ts';
import type { Labels } from '../../labels/label.ts';
import { formatCitation } from '../citations/citation.ts';
import { withDigest } from '../citations/compared-with.ts';
import type { IndexChunk, IndexItem, KnownItem, StoredChunk } from '../index/index-item.ts';
import type { ListedSource, SourceItem } from './search-source.ts';

const NAME = 'conversations';

export interface TurnPorts {
  readonly conversations: ConversationStore;
  readonly hasher: Hasher;
}

/** An item for each part of a conversation, one chunk or more for each turn. Only parts with new turns are read again. */
export function turnSource({ conversations, hasher }: TurnPorts): ListedSource {
  const labelsOf = new Map<string, Labels>();
  const titles = new Map<string, string>();
  return {
    name: NAME,
    async list(indexed) {
      const all = await conversations.list({ labels: [], archived: 'with', local: 'with' });
      const known = indexed.get(NAME) ?? new Map<string, KnownItem>();
      const items: SourceItem[] = [];
      for (const conversation of all) {
        const { id, metadata } = conversation;
        if (metadata.labels.size > 0) labelsOf.set(id, metadata.labels);
        titles.set(id, metadata.title ?? id);
        const parts = knownItems(conversation, known) ?? (await itemsOf(conversations, conversation));
        for (const part of parts) items.push(part);
      }
      return items;
    },
    describe: async (chunks) =>
      chunks.map((chunk) => {
        const [turn, id] = [turnIn(chunk), conversationIn(chunk)];
        const uri = formatCitation({ kind: 'turn', conversation: id, ...(turn > 0 && { turn }) });
        const labels = labelsOf.get(id);
        return {
          title: titles.get(id) ?? id,
          citation: withDigest(hasher, { uri }, chunk),
          freshness: { status: 'current' },
          trust: { tier: 'conversation' },
          ...(labels && { labels: Object.fromEntries(labels) }),
        };
      }),
  };
}

/** The first part has the id of the conversation, others a number behind it. */
function partId({ id }: Conversation, at: number): string {
  return at === 0 ? id : `${id}/${at}`;
}

function conversationIn({ id }: StoredChunk): ConversationId {
  return (id.split('/', 1)[0] ?? id) as ConversationId;
}

function stampOf({ metadata: { activeAt, title = '', labels } }: Conversation): string {
  return `${activeAt} ${title} ${JSON.stringify([...labels])}`;
}

/** The items as the index has them, while the conversation is as it was. */
function knownItems(
  conversation: Conversation,
  known: ReadonlyMap<string, KnownItem>,
): readonly SourceItem[] | undefined {
  const first = known.get(conversation.id);
  if (first?.meta.stamp !== stampOf(conversation)) return undefined;
  const items: SourceItem[] = [];
  for (let at = 0; ; at++) {
    const id = partId(conversation, at);
    const item = known.get(id);
    if (!item) return items;
    items.push({ source: NAME, id, ...item, load: async () => undefined });
  }
}

/** The first part is the last item: its stamp says that all parts are in the index. */
async function itemsOf(store: ConversationStore, conversation: Conversation): Promise<readonly SourceItem[]> {
  const { id, metadata } = conversation;
  const parts = await store.parts(id).catch(unlessFault);
  const title = lazy(async () => ownTitle(metadata.title, (await parts?.[0]?.events()) ?? []));
  const items = (parts ?? []).map((part, at): SourceItem => {
    const item = {
      source: NAME,
      id: partId(conversation, at),
      // The title is indexed with every part; labels change without the parts being read again.
      hash: `${part.stamp} ${metadata.title ?? ''}`,
      meta: at === 0 ? { stamp: stampOf(conversation) } : {},
    };
    const { labels } = metadata;
    return {
      ...item,
      labels,
      load: async () => itemOf(conversation, item, await part.events(), await title()),
    };
  });
  return items.reverse();
}

/** A log that cannot be read takes no other conversation away; "ken doctor" names it. */
function unlessFault(error: unknown): undefined {
  if (!(error instanceof Fault)) throw error;
}

async function itemOf(
  { metadata }: Conversation,
  item: Pick<SourceItem, 'source' | 'id' | 'hash' | 'meta'>,
  events: readonly ConversationEvent[],
  title: string,
): Promise<IndexItem> {
  const { turnChunks } = await import('../index/text-chunks.ts');
  const place = { kind: 'turn', topic: '', path: '' } as const;
  return { ...item, ...place, title, labels: metadata.labels, chunks: turnChunks(events) };
}

/** The title that somebody gave; empty for one that is the beginning of the question. */
function ownTitle(title: string | undefined, events: readonly ConversationEvent[]): string {
  const asked = events.find((event) => event.type === 'user_message');
  return title === undefined || title === titleFrom(asked?.text ?? '') ? '' : title;
}

/** The number of the turn; 0 before the first turn. */
function turnIn({ heading }: Pick<IndexChunk, 'heading'>): number {
  const [first = ''] = heading.split(HEADING_SEPARATOR, 1);
  return Number(/^turn (\d+)$/.exec(first)?.[1] ?? 0);
}
