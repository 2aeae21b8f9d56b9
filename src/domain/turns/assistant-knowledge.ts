import { OFFLINE_MODEL } from '../conversations/event-text.ts';
import {
  type KnowledgeBase,
  type KnowledgeBaseSettings,
  type OfferingPorts,
  offeredKnowledge,
  withShippedTopic,
} from '../knowledge-base/topic.ts';

export interface KnowledgeConfig {
  readonly assistant: { readonly model: string };
  readonly kb: KnowledgeBaseSettings;
  readonly conversation: {
    readonly tools: Readonly<Record<string, { readonly enable?: boolean | undefined }>>;
  };
}

const TAUGHT = 'reference_topic_create';

/** Topics that are offered here, and ken's own for an assistant with reference tools. `isWanted` selects tools. */
export function assistantKnowledge(
  { config, personalTopics }: { readonly config: KnowledgeConfig } & OfferingPorts,
  isWanted: (tool: string) => boolean = () => true,
): KnowledgeBase {
  const knowledge = offeredKnowledge({ config, personalTopics });
  const isEnabled = config.conversation.tools[TAUGHT]?.enable !== false && isWanted(TAUGHT);
  // The offline model calls no such tool.
  return isEnabled && config.assistant.model !== OFFLINE_MODEL ? withShippedTopic(knowledge) : knowledge;
}
