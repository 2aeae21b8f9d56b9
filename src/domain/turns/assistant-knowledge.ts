import { OFFLINE_MODEL } from '../conversations/event-text.ts';
import {
  type KnowledgeBase,
  type KnowledgeBaseSettings,
  knowledgeBaseFrom,
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

/** Topics of the workspace, and ken's own for an assistant with reference tools. `isWanted` selects tools. */
export function assistantKnowledge(
  config: KnowledgeConfig,
  isWanted: (tool: string) => boolean = () => true,
): KnowledgeBase {
  const knowledge = knowledgeBaseFrom(config.kb);
  const isEnabled = config.conversation.tools[TAUGHT]?.enable !== false && isWanted(TAUGHT);
  // The offline model calls no such tool.
  return isEnabled && config.assistant.model !== OFFLINE_MODEL ? withShippedTopic(knowledge) : knowledge;
}
