import { checkTopics, type TopicFinding } from '../../../../domain/knowledge-base/check-topics.ts';
import { knowledgeBaseFrom } from '../../../../domain/knowledge-base/topic.ts';
import { command } from '../../command.ts';

export const checkKnowledge = command({
  name: 'check',
  summary: 'find what is wrong with topics and subjects',
  description:
    'Looks for directories that are gone, slugs that two files would share, files that are binary, too long or not ' +
    'UTF-8, links that lead nowhere or out, patterns that match nothing, empty titles, invisible text, and hints to ' +
    'subjects that do not exist. Exits with 6 when it finds something.',
  examples: ['kb check', 'kb check --json'],

  async run({ terminal, open }) {
    const app = await open();
    const knowledge = knowledgeBaseFrom(app.config.kb);
    const findings = await checkTopics(app, knowledge);
    if (terminal.json) terminal.printJson({ findings });
    else for (const finding of findings) terminal.print(findingLine(finding));
    if (findings.length > 0) return 6;
    terminal.note(`Nothing is wrong (topics: ${knowledge.topics.filter(({ enabled }) => enabled).length}).`);
    return 0;
  },
});

function findingLine({ topic, kind, message, slug }: TopicFinding): string {
  const place = slug === undefined ? topic : `${topic}/${slug}`;
  return `${place}: ${message} [${kind}]`;
}
