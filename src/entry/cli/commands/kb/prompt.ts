import { estimateTokens } from '../../../../base/text.ts';
import { parseKnowledgeFlag, withKnowledgeFlags } from '../../../../domain/knowledge-base/knowledge-flag.ts';
import { knowledgeSection } from '../../../../domain/knowledge-base/knowledge-section.ts';
import { openTopics } from '../../../../domain/knowledge-base/open-topics.ts';
import { preload } from '../../../../domain/knowledge-base/preload.ts';
import { command } from '../../command.ts';

export const showPrompt = command({
  name: 'prompt',
  summary: 'print the knowledge section of the next query, with its price',
  description: 'The section goes to standard output, its price in estimated tokens to standard error.',
  examples: ['kb prompt', "kb prompt -k 'project/maintainers/*'", 'kb prompt --json'],
  options: [
    {
      flags: '-k, --knowledge <topic/glob>',
      summary: 'preload these subjects too; a topic alone means all of it',
      repeatable: true,
      complete: 'topic-subjects',
    },
  ],

  async run({ options, terminal, open }) {
    const flags = options.texts('knowledge').map(parseKnowledgeFlag);
    const { assistantKnowledge } = await import('../../../../domain/turns/assistant-knowledge.ts');
    const app = await open();
    const knowledge = withKnowledgeFlags(assistantKnowledge(app.config), flags);
    const section = knowledgeSection(preload(await openTopics(app, knowledge), knowledge));
    const tokens = estimateTokens({ bytes: Buffer.byteLength(section ?? '') });
    if (terminal.json) terminal.printJson({ section: section ?? null, tokens });
    else if (section === undefined) terminal.note('The next query has no knowledge section.');
    else {
      terminal.write(section);
      terminal.write('\n');
      terminal.note(`About ${tokens} tokens.`);
    }
    return undefined;
  },
});
