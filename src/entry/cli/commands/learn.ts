import { Fault } from '../../../base/fault.ts';
import { learnFrom } from '../../../domain/knowledge-base/learn/learn-from.ts';
import { offeredKnowledge } from '../../../domain/knowledge-base/topic.ts';
import { command } from '../command.ts';
import { printLong } from '../terminal.ts';

export const learn = command({
  name: 'learn',
  summary: 'read subjects of the knowledge base',
  description:
    'Prints what the learn tool returns to an assistant; without subjects, a list of them. Select subjects by ' +
    'slug, which also finds hidden ones, or by glob: * and ? match within one level, ** any number of levels, and ' +
    '[..] and {a,b} work too.',
  examples: [
    'learn skills',
    'learn skills ast-grep/rules',
    "learn project 'maintainers/*'",
    'learn project --search "code review"',
  ],
  arguments: [
    { name: 'topic', summary: 'the id or title of a topic', required: true, complete: 'topics' },
    { name: 'subject', summary: 'slugs or globs', variadic: true, complete: 'subjects' },
  ],
  options: [{ flags: '--search <words>', summary: 'rank the subjects by these words instead' }],

  async run({ arguments: [topic = '', ...patterns], options, terminal, open }) {
    const search = options.text('search');
    if (search?.trim() === '') throw new Fault('cli/usage', '--search takes words to look for.');
    const app = await open();
    const question = { topic, patterns, search };
    const { text, data } = await learnFrom(app, offeredKnowledge(app), question);
    if (terminal.json) terminal.printJson(data);
    else await printLong(terminal, app, text === '' || text.endsWith('\n') ? text : `${text}\n`);
  },
});
