import { estimateTokens } from '../../../../base/text.ts';
import { checkTopics, type TopicFinding } from '../../../../domain/knowledge-base/check-topics.ts';
import { parseKnowledgeFlag, withKnowledgeFlags } from '../../../../domain/knowledge-base/knowledge-flag.ts';
import { knowledgeSection } from '../../../../domain/knowledge-base/knowledge-section.ts';
import { openTopics } from '../../../../domain/knowledge-base/open-topics.ts';
import { preload, requireMatches } from '../../../../domain/knowledge-base/preload.ts';
import { offeredKnowledge } from '../../../../domain/knowledge-base/topic.ts';
import { command } from '../../command.ts';
import { addSubject } from './add.ts';
import { exportTopic } from './export-skills.ts';
import { listTopics } from './ls.ts';
import { newTopic } from './new.ts';
import { editSubject, moveSubject, removeSubject } from './subject.ts';

const checkKnowledge = command({
  name: 'check',
  summary: 'check topics and subjects for mistakes',
  description:
    'Finds missing directories, slugs that two files share, files that are binary, too long or not UTF-8, links that are ' +
    'broken or lead out of the topic, patterns that match nothing, empty titles, invisible text, and mentions of ' +
    'subjects that do not exist. Exit 6 when it finds something.',
  examples: ['kb check', 'kb check --json'],

  async run({ terminal, open }) {
    const app = await open();
    app.keepHeapSmall();
    const knowledge = offeredKnowledge(app);
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

const showPrompt = command({
  name: 'prompt',
  summary: 'print the rules and the knowledge section of the next query',
  description:
    'Rules are the entries of the ledger that you promoted. Both sections go to standard output, their estimated size in ' +
    'tokens to standard error.',
  examples: ['kb prompt', "kb prompt -k 'project/maintainers/*'", 'kb prompt --json'],
  options: [
    {
      flags: '-k, --knowledge <topic/glob>',
      summary: 'preload these subjects too; a topic alone means all its subjects',
      repeatable: true,
      complete: 'topic-subjects',
    },
  ],

  async run({ options, terminal, open }) {
    const flags = options.texts('knowledge').map(parseKnowledgeFlag);
    const { assistantKnowledge } = await import('../../../../domain/turns/assistant-knowledge.ts');
    const app = await open();
    const knowledge = withKnowledgeFlags(assistantKnowledge(app), flags);
    const { rulesSection } = await import('../../../../domain/turns/rules-section.ts');
    const rules = await rulesSection(app);
    const opened = await openTopics(app, knowledge);
    requireMatches(opened);
    const topics = knowledgeSection(preload(opened, knowledge));
    const parts = [rules, topics].filter((part) => part !== undefined);
    const section = parts.length > 0 ? parts.join('\n\n') : undefined;
    const tokens = estimateTokens({ bytes: Buffer.byteLength(section ?? '') });
    if (terminal.json) terminal.printJson({ section: section ?? null, tokens });
    else if (section === undefined) terminal.note('The next query has no rules and no knowledge section.');
    else {
      terminal.write(section);
      terminal.write('\n');
      terminal.note(`About ${tokens} tokens.`);
    }
  },
});

export const kb = command({
  name: 'kb',
  summary: 'manage the knowledge base: topics and subjects',
  examples: [
    'kb ls',
    'kb new project --title "Project knowledge"',
    'kb add project/code-quality notes.md',
    'kb check',
  ],
  subcommands: [
    listTopics,
    checkKnowledge,
    newTopic,
    addSubject,
    editSubject,
    moveSubject,
    removeSubject,
    showPrompt,
    exportTopic,
  ],
});
