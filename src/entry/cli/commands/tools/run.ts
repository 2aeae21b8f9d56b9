import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../../base/json.ts';
import { answerQuestion } from '../../../../domain/tools/answer-question.ts';
import { checkArguments } from '../../../../domain/tools/check-arguments.ts';
import { componentTool } from '../../../../domain/tools/component-tool.ts';
import { outcomeToJson } from '../../../../domain/tools/outcome-json.ts';
import { runTool } from '../../../../domain/tools/run-tool.ts';
import type { Tool, ToolProgress, ToolResult } from '../../../../domain/tools/tool.ts';
import { toolSettings } from '../../../../domain/tools/tool-settings.ts';
import { askingUndisturbed } from '../../asking.ts';
import { findTool } from '../../assistant-tools.ts';
import type { Command } from '../../command.ts';
import type { Options } from '../../options.ts';
import { receiptLines } from '../../render/receipt.ts';
import { toolProgress } from '../../render/tool-progress.ts';
import type { Terminal } from '../../terminal.ts';

export const runOneTool: Command = {
  name: 'run',
  summary: 'call a tool yourself and see what it touched',
  description:
    'The answer goes to standard output, what the call touched and cost to standard error. Nobody is asked for ' +
    'approval: you call it. A file that ends in .wasm is run as a component that may read the workspace.',
  examples: [
    `tools run learn '{"topic":"ken"}'`,
    `tools run .ken/tools/hello.wasm '{"name":"you"}'`,
    `tools run deploy '{}' --answer sure=true`,
  ],
  arguments: [
    { name: 'tool', summary: 'its name, or a .wasm file', required: true, complete: 'tools' },
    { name: 'arguments', summary: 'a JSON object' },
  ],
  options: [
    {
      flags: '--answer <id=value>',
      summary: 'the answer to a question of the tool; a value that is JSON counts as such',
      repeatable: true,
    },
    { flags: '--write', summary: 'let a .wasm file change the workspace' },
  ],

  async run({ arguments: [name = '', text = '{}'], options, terminal, directory, signal, open }) {
    const given = parseJson(text);
    if (!isJsonObject(given)) throw new Fault('cli/usage', 'The arguments must be a JSON object.');
    const app = askingUndisturbed(terminal, await open());
    const file = name.endsWith('.wasm') ? path.resolve(directory, name) : undefined;
    const tool = file ? fileTool(app, file, options) : await findTool(app, name, { signal });
    const checked = file ? { fits: true as const, arguments: given } : checkArguments(tool, given);
    if (!checked.fits)
      throw new Fault('cli/usage', checked.message, { hint: `See "ken tools show ${name}".` });
    const shown = toolProgress(terminal, app.clock, signal);
    const ports = {
      answerQuestion: answersOf(app, options),
      onProgress: (progress: ToolProgress) => void shown.show(tool.name, progress),
    };
    const call = { tool, arguments: checked.arguments };
    return tell(terminal, await runTool(ports, call, signal).finally(shown.end));
  },
};

/** Without configuration nothing is known of its parameters, so it gets what it is given. */
function fileTool(app: WorkspaceApp, file: string, options: Options): Tool {
  const name = path.basename(file, '.wasm');
  return componentTool(app, {
    name,
    description: '',
    parameters: undefined,
    run: 'unattended',
    component: { file },
    tool: name,
    root: app.workspace.root,
    access: options.has('write') ? 'write' : 'read',
    paths: [],
    timeoutMs: app.config.tools.wasm.timeout_s * 1000,
  });
}

function answersOf(app: WorkspaceApp, options: Options) {
  const given = new Map(options.texts('answer').map(readAnswer));
  const others = answerQuestion(app, toolSettings(app.config.conversation.tools));
  return (asked: Parameters<typeof others>[0], signal: AbortSignal) => {
    const answer = given.get(asked.question.id);
    return answer === undefined ? others(asked, signal) : Promise.resolve(answer);
  };
}

function readAnswer(text: string): [string, Json] {
  const at = text.indexOf('=');
  if (at < 1) throw new Fault('cli/usage', `--answer wants id=value, not "${text}".`);
  const value = text.slice(at + 1);
  return [text.slice(0, at), parseJson(value) ?? value];
}

function tell(terminal: Terminal, { outcome, receipt }: ToolResult): 0 | 1 {
  if (terminal.json) {
    const json: JsonObject = outcomeToJson(outcome);
    terminal.printJson({ outcome: json, receipt: receipt ?? null });
  } else {
    if (outcome.type === 'success')
      terminal.write(outcome.text === '' || outcome.text.endsWith('\n') ? outcome.text : `${outcome.text}\n`);
    if (outcome.type === 'error') terminal.warn([outcome.message, ...outcome.trace].join('\n'));
    if (receipt) for (const line of receiptLines(receipt)) terminal.dim(line);
  }
  return outcome.type === 'success' ? 0 : 1;
}
