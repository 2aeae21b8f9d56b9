import { command } from '../command.ts';
import { buildTool } from './tools/build.ts';
import { checkComponent } from './tools/check.ts';
import { listTools } from './tools/ls.ts';
import { newTool } from './tools/new.ts';
import { runOneTool } from './tools/run.ts';
import { showTool } from './tools/show.ts';

export const tools = command({
  name: 'tools',
  summary: 'list, try and write the tools of the assistant',
  examples: ['tools ls', 'tools show learn', `tools run learn '{"topic":"ken"}'`, 'tools new hello'],
  subcommands: [listTools, showTool, runOneTool, checkComponent, newTool, buildTool],
});
