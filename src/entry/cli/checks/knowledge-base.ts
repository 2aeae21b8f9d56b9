import { checkTopics, type TopicFinding } from '../../../domain/knowledge-base/check-topics.ts';
import { knowledgeBaseFrom } from '../../../domain/knowledge-base/topic.ts';
import { counted } from '../render/counted.ts';
import { ok, problem, type RunCheck, warning } from './check.ts';

/** Whoever learns from a topic without a directory gets nothing; everything else is worth a look. */
export const checkKnowledgeBase: RunCheck = async ({ app }) => {
  const knowledge = knowledgeBaseFrom(app.config.kb);
  const findings = await checkTopics(app, knowledge);
  const dead = findings.filter(({ kind }) => kind === 'directory');
  if (dead.length > 0) {
    return problem(
      dead.map(sentence).join('; '),
      'Create the directory, or correct "subjects" of the topic.',
    );
  }
  if (findings.length > 0) {
    return warning(counted(findings.length, 'finding'), 'Run "ken kb check" to see each.');
  }
  return ok(counted(knowledge.topics.filter(({ enabled }) => enabled).length, 'topic'));
};

function sentence({ topic, message }: TopicFinding): string {
  return `${topic}: ${message}`;
}
