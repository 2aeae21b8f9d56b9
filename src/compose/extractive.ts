import type { Config } from '../config/schema.ts';
import { knowledgeBaseFrom } from '../domain/knowledge-base/topic.ts';
import { extractiveModel } from '../domain/turns/extractive/extractive-model.ts';
import type { Model } from '../domain/turns/model.ts';

export function openExtractive(kb: Config['kb']): Model {
  return extractiveModel(knowledgeBaseFrom(kb).topics);
}
