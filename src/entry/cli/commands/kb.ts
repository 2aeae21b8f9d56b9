import { command } from '../command.ts';
import { addSubject } from './kb/add.ts';
import { checkKnowledge } from './kb/check.ts';
import { exportTopic } from './kb/export-skills.ts';
import { listTopics } from './kb/ls.ts';
import { newTopic } from './kb/new.ts';
import { showPrompt } from './kb/prompt.ts';

export const kb = command({
  name: 'kb',
  summary: 'look after the knowledge base: topics and subjects',
  examples: [
    'kb ls',
    'kb new project --title "Project knowledge"',
    'kb add project/code-quality notes.md',
    'kb check',
  ],
  subcommands: [listTopics, checkKnowledge, newTopic, addSubject, showPrompt, exportTopic],
});
