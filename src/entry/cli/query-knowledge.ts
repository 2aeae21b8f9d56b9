import type { WorkspaceApp } from '../../app.ts';
import {
  type KnowledgeBase,
  knowledgeBaseFrom,
  withShippedTopic,
} from '../../domain/knowledge-base/topic.ts';

/**
 * What the assistant can learn in a query: the topics of the workspace, and how to use the reference tools where it
 * has them. `isWanted` says which tools the question is to have.
 */
export function queryKnowledge(
  { config }: Pick<WorkspaceApp, 'config'>,
  isWanted: (tool: string) => boolean = () => true,
): KnowledgeBase {
  const knowledge = knowledgeBaseFrom(config.kb);
  const isEnabled = config.conversation.tools[TAUGHT]?.enable !== false && isWanted(TAUGHT);
  // The assistant without a model calls no such tool.
  return isEnabled && config.assistant.model !== 'ken/extractive' ? withShippedTopic(knowledge) : knowledge;
}

const TAUGHT = 'reference_topic_create';
