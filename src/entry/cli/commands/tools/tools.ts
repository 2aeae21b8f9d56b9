import { command } from '../../command.ts';
import { buildTool } from './build.ts';
import { checkComponent } from './check.ts';
import { inspectComponent } from './inspect.ts';
import { installTool } from './install.ts';
import { listTools } from './ls.ts';
import { newTool } from './new.ts';
import { runOneTool } from './run.ts';
import { showTool } from './show.ts';

export const tools = command({
  name: 'tools',
  summary: 'list, run and create the tools of the assistant',
  examples: ['tools ls', 'tools show learn', `tools run learn '{"topic":"ken"}'`, 'tools new hello'],
  subcommands: [
    listTools,
    showTool,
    runOneTool,
    checkComponent,
    inspectComponent,
    newTool,
    buildTool,
    installTool,
  ],
});
