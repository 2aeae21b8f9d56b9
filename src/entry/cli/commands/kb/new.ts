import path from 'node:path';
import { Fault } from '../../../../base/fault.ts';
import { portabilityProblem } from '../../../../base/text.ts';
import { checkTopicId, knowledgeBaseFrom } from '../../../../domain/knowledge-base/topic.ts';
import { command } from '../../command.ts';
import { whileTrusted } from '../while-trusted.ts';

export const newTopic = command({
  name: 'new',
  summary: 'create a topic: its directory and its config entry',
  description: 'An existing directory is used as it is; nothing in it is changed.',
  examples: ['kb new project --title "Project knowledge"', 'kb new skills --directory docs/skills'],
  arguments: [{ name: 'topic', summary: 'the id: letters, digits, "_" and "-"', required: true }],
  options: [
    { flags: '--title <text>', summary: 'shown to the assistant in place of the id' },
    { flags: '--introduction <text>', summary: 'one sentence for the menu' },
    {
      flags: '--directory <dir>',
      summary: 'the directory of its subjects, in the workspace (default .ken/kb/TOPIC)',
    },
  ],

  async run({ arguments: [topic = ''], options, terminal, open }) {
    const id = checkTopicId(topic, 'kb/invalid-name');
    const problem = portabilityProblem(id);
    if (problem) throw new Fault('kb/invalid-name', `"${id}" cannot be the name of a directory: ${problem}.`);
    const app = await open({ makesPersonal: true });
    const knowledge = knowledgeBaseFrom(app.config.kb);
    if (knowledge.topics.some((known) => known.id === id)) {
      throw new Fault('files/exists', `There is a topic "${id}" already.`, {
        hint: `See "ken config show kb.topic.${id} --origin".`,
      });
    }
    const directory = directoryInside(options.text('directory') ?? `.ken/kb/${id}`);
    await app.newFiles.makeDirectory(app.workspace.root, directory);
    const values = {
      subjects: directory,
      introduction: options.text('introduction'),
      title: options.text('title'),
    };
    const file = path.join(app.workspace.home, 'config.toml');
    const { setKey } = await import('../../../../config/set-key.ts');
    await whileTrusted(app, app.workspace.root, file, async () => {
      for (const [key, value] of Object.entries(values)) {
        if (value === undefined) continue;
        const change = { op: 'set', path: ['kb', 'topic', id, key], value } as const;
        await setKey(app.configFiles, { file, standing: 'workspace', change });
      }
    });
    if (terminal.json) terminal.printJson({ id, directory, config: file });
    else
      terminal.note(
        `The topic ${id} keeps its subjects in ${directory}. Add one with "ken kb add ${id}/NAME FILE".`,
      );
  },
});

function directoryInside(given: string): string {
  const directory = path.posix.normalize(given).replace(/\/$/, '');
  if (directory !== '.' && !directory.startsWith('/') && !/^\.\.(?:\/|$)/.test(directory)) return directory;
  throw new Fault('cli/usage', `"${given}" is not a directory inside the workspace.`, {
    hint:
      directory === '.'
        ? 'The whole repository becomes a topic with "ken init --index-repo".'
        : 'Write a path relative to the workspace, like docs/skills.',
  });
}
