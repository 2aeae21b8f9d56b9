import type { Hasher } from '../../../base/hasher.ts';
import { HEADING_SEPARATOR } from '../../chunks/chunk.ts';
import { type Conversation, titleFrom } from '../../conversations/conversation.ts';
import type { ConversationEvent } from '../../conversations/event.ts';
import type { ConversationStore } from '../../conversations/store.ts';
import type { Labels } from '../../labels/label.ts';
import { formatCitation } from '../citations/citation.ts';
import { withDigest } from '../citations/compared-with.ts';
import type { IndexChunk, IndexItem } from '../index/index-item.ts';
import type { ListedSource, SourceItem } from './search-source.ts';

const NAME = 'conversations';

export interface TurnPorts {
  readonly conversations: ConversationStore;
  readonly hasher: Hasher;
}

/** One item for each conversation, one chunk or more for each turn. A continued conversation is read again. */
export function turnSource({ conversations, hasher }: TurnPorts): ListedSource {
  const labelsOf = new Map<string, Labels>();
  const titles = new Map<string, string>();
  return {
    name: NAME,
    async list() {
      const all = await conversations.list({ labels: [], archived: 'with', local: 'with' });
      return all.map((conversation): SourceItem => {
        const { id, metadata } = conversation;
        if (metadata.labels.size > 0) labelsOf.set(id, metadata.labels);
        titles.set(id, metadata.title ?? id);
        const labels = JSON.stringify([...metadata.labels]);
        const hash = `${metadata.activeAt} ${metadata.title ?? ''} ${labels}`;
        return {
          source: NAME,
          id,
          hash,
          meta: {},
          load: () => itemOf(conversations, conversation, hash),
        };
      });
    },
    describe: async (chunks) =>
      chunks.map((chunk) => {
        const turn = turnIn(chunk);
        const uri = formatCitation({ kind: 'turn', conversation: chunk.id, ...(turn > 0 && { turn }) });
        const labels = labelsOf.get(chunk.id);
        return {
          title: titles.get(chunk.id) ?? chunk.id,
          citation: withDigest(hasher, { uri }, chunk),
          freshness: { status: 'current' },
          trust: { tier: 'conversation' },
          ...(labels && { labels: Object.fromEntries(labels) }),
        };
      }),
  };
}

async function itemOf(
  store: ConversationStore,
  { id, metadata }: Conversation,
  hash: string,
): Promise<IndexItem | undefined> {
  const log = await store.log(id);
  if (!log) return undefined;
  const { turnChunks } = await import('../index/text-chunks.ts');
  return {
    source: NAME,
    id,
    kind: 'turn',
    topic: '',
    path: '',
    title: ownTitle(metadata.title, log.events),
    hash,
    meta: {},
    labels: metadata.labels,
    chunks: turnChunks(log.events),
  };
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
