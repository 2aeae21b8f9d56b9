import {
  type KnowledgeBase,
  type KnowledgeBaseSettings,
  knowledgeBaseFrom,
  withShippedTopic,
} from '../knowledge-base/topic.ts';
import { OFFLINE_MODEL } from './model/models.ts';

export interface KnowledgeConfig {
  readonly assistant: { readonly model: string };
  readonly kb: KnowledgeBaseSettings;
  readonly conversation: {
    readonly tools: Readonly<Record<string, { readonly enable?: boolean | undefined }>>;
  };
}

const TAUGHT = 'reference_topic_create';

/**
 * The topics of the workspace, and how to use the reference tools for an assistant that has them. `isWanted` says
 * which tools the question may use.
 */
export function assistantKnowledge(
  config: KnowledgeConfig,
  isWanted: (tool: string) => boolean = () => true,
): KnowledgeBase {
  const knowledge = knowledgeBaseFrom(config.kb);
  const isEnabled = config.conversation.tools[TAUGHT]?.enable !== false && isWanted(TAUGHT);
  // The offline model calls no such tool.
  return isEnabled && config.assistant.model !== OFFLINE_MODEL ? withShippedTopic(knowledge) : knowledge;
}
