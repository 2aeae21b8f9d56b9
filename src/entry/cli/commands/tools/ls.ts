import { openTopics } from '../../../../domain/knowledge-base/open-topics.ts';
import { preload } from '../../../../domain/knowledge-base/preload.ts';
import { knowledgeBaseFrom } from '../../../../domain/knowledge-base/topic.ts';
import type { Tool } from '../../../../domain/tools/tool.ts';
import type { ToolSettings } from '../../../../domain/tools/tool-settings.ts';
import { assistantTools } from '../../assistant-tools.ts';
import type { Command } from '../../command.ts';
import { type Cell, type Column, table } from '../../render/table.ts';
import { describeSource } from './describe-source.ts';

export const listTools: Command = {
  name: 'ls',
  summary: 'list the tools the assistant may call',
  description: 'Tools that are configured and cannot be called are listed too, with the reason.',
  examples: ['tools ls', 'tools ls --json'],

  async run({ terminal, open }) {
    const app = await open();
    const knowledge = knowledgeBaseFrom(app.config.kb);
    const { opened } = preload(await openTopics(app, knowledge), knowledge);
    const { tools, settings } = assistantTools(app, opened);
    const listed = [...tools.map((tool) => callable(tool, settings)), ...notCallable(tools, settings)];
    if (terminal.json) terminal.printJson({ tools: listed });
    else if (listed.length > 0) terminal.printStyled(table(terminal, COLUMNS, listed.map(row)));
    else terminal.note('There are no tools. A topic brings "learn"; "ken tools new" writes one of your own.');
    return undefined;
  },
};

interface Listed {
  readonly name: string;
  readonly source: string;
  readonly reach: string | null;
  readonly run: string;
  readonly callable: boolean;
  readonly description: string;
}

function callable(tool: Tool, settings: readonly ToolSettings[]): Listed {
  const configured = settings.find(({ name }) => name === tool.name);
  return {
    name: tool.name,
    source: configured ? describeSource(configured.source) : 'builtin',
    reach: tool.reach,
    run: tool.run,
    callable: tool.run !== 'deny',
    description: tool.description,
  };
}

function notCallable(tools: readonly Tool[], settings: readonly ToolSettings[]): Listed[] {
  const known = new Set(tools.map(({ name }) => name));
  return settings
    .filter(({ name }) => !known.has(name))
    .map(({ name, source, isEnabled, description = '' }) => ({
      name,
      source: describeSource(source),
      reach: null,
      run: isEnabled ? 'unavailable' : 'disabled',
      callable: false,
      description,
    }));
}

const COLUMNS: readonly Column[] = [
  { title: 'tool' },
  { title: 'source' },
  { title: 'reach' },
  { title: 'run' },
  { title: 'description', flexible: true },
];

function row({ name, source, reach, run, description }: Listed): Cell[] {
  return [name, source, reach ?? '', run, description.split('\n')[0] ?? ''];
}
