import { toolSettings } from '../../../../domain/tools/tool-settings.ts';
import { findTool } from '../../assistant-tools.ts';
import type { Command } from '../../command.ts';
import { describeSource } from './describe-source.ts';

export const showTool: Command = {
  name: 'show',
  summary: 'show one tool as the assistant sees it',
  examples: ['tools show learn', 'tools show learn --json'],
  arguments: [{ name: 'tool', summary: 'its name', required: true, complete: 'tools' }],

  async run({ arguments: [name = ''], terminal, open }) {
    const app = await open();
    const tool = await findTool(app, name);
    const settings = toolSettings(app.config.conversation.tools).find((each) => each.name === name);
    const { description, parameters, reach, run } = tool;
    const source = settings ? describeSource(settings.source) : 'builtin';
    if (terminal.json) {
      terminal.printJson({ tool: { name, source, reach, run, description, parameters } });
      return undefined;
    }
    terminal.print(`${name} (${source})`);
    terminal.print(`reach ${reach}, run ${run}\n`);
    terminal.print(`${description}\n`);
    terminal.print(JSON.stringify(parameters, null, 2));
    return undefined;
  },
};
