import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../../base/json.ts';
import { notGrantedFault } from '../../../../domain/approvals/approval-fault.ts';
import { requireOperator } from '../../../../domain/approvals/operator/operator-presence.ts';
import { answerQuestion } from '../../../../domain/tools/answer-question.ts';
import { callTool, type Refusal, type ToolCaller } from '../../../../domain/tools/call-tool.ts';
import type { ComponentFunction } from '../../../../domain/tools/component-host.ts';
import { componentTool } from '../../../../domain/tools/component-tool.ts';
import { outcomeToJson } from '../../../../domain/tools/outcome-json.ts';
import { EndedCall, type Tool, type ToolProgress, type ToolResult } from '../../../../domain/tools/tool.ts';
import { toolSettings } from '../../../../domain/tools/tool-settings.ts';
import { findTool } from '../../../../domain/turns/tools/assistant-tools.ts';
import { turnPorts } from '../../../turn-ports.ts';
import { command } from '../../command.ts';
import type { Options } from '../../options.ts';
import { receiptLines } from '../../render/receipt.ts';
import { toolProgress } from '../../render/tool-progress.ts';
import type { Terminal } from '../../terminal.ts';
import { hidingProgressWhileAsking } from '../../terminal.ts';

export const runOneTool = command({
  name: 'run',
  summary: 'call a tool yourself and see which resources it used',
  description:
    'The result goes to standard output, the resources it used to standard error. At your terminal the call ' +
    'is your own decision: ken does not ask, and "ken approvals ls --all" lists it. Without a terminal, a tool with ' +
    'run = "ask" waits for your approval (exit 4). A file that ends in .wasm is run as a component that may read the ' +
    'workspace.',
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
      summary: 'the answer to a question of the tool; JSON values are parsed',
      repeatable: true,
    },
    { flags: '--write', summary: 'let a .wasm file change the workspace' },
    { flags: '--function <name>', summary: 'the function of a .wasm file that has several' },
  ],

  async run({ arguments: [name = '', text = '{}'], options, terminal, directory, signal, open }) {
    const given = parseJson(text);
    if (!isJsonObject(given)) throw new Fault('cli/usage', 'The arguments must be a JSON object.');
    const app = hidingProgressWhileAsking(terminal, await open({ runsOneTool: true }));
    const file = name.endsWith('.wasm') ? path.resolve(directory, name) : undefined;
    const tool = file ? await fileTool(app, file, options) : await findTool(turnPorts(app), name, { signal });
    const shown = toolProgress(terminal, app.clock, signal);
    const ports = {
      ...app,
      answerQuestion: answersOf(app, options),
      onProgress: (progress: ToolProgress) => void shown.show(tool.name, progress),
    };
    const input = {
      tools: [tool],
      name: tool.name,
      arguments: given,
      caller: await callerOf(app),
      workspace: app.workspace.root,
    };
    const called = await callTool(ports, input, signal).finally(shown.end).catch(withReceipt(terminal));
    if (called.refused) throw refusalFault(tool.name, called.refused);
    return tell(terminal, called);
  },
});

/** Tells what a call did that gave no result; in JSON, the error itself does. */
function withReceipt(terminal: Terminal): (error: unknown) => never {
  return (error) => {
    const receipt = error instanceof EndedCall && !terminal.json ? error.receipt : undefined;
    if (receipt) for (const line of receiptLines(receipt)) terminal.dim(line);
    throw error;
  };
}

/** A person at the terminal acts for themselves; any other caller may be an assistant with a shell. */
async function callerOf(app: WorkspaceApp): Promise<ToolCaller> {
  const { isPresent } = await app.operator.presence('question');
  if (!isPresent) return { policy: 'asks', actor: 'ken tools run' };
  const name = async () => {
    await requireOperator(app, 'Running this tool');
    return app.operator.name();
  };
  return { policy: 'is-the-operator', name };
}

function refusalFault(name: string, refused: Refusal): Fault {
  switch (refused.kind) {
    case 'bad-arguments':
      return new Fault('cli/usage', refused.message, { hint: `See "ken tools show ${name}".` });
    case 'unknown':
      return new Fault('approvals/denied', `The tool "${name}" is denied by its configuration.`, {
        hint: 'Run it at a terminal, where the call is your own decision, or change its "run".',
      });
    case 'not-granted':
      return notGrantedFault(refused.result);
  }
}

/** A .wasm file has no declared parameters, so it gets the arguments unchecked. */
async function fileTool(
  app: WorkspaceApp,
  file: string,
  options: Options<'write' | 'function', 'function'>,
): Promise<Tool> {
  const name = path.basename(file, '.wasm');
  const ownFunction = chosenFunction(await app.components.describe({ file }), options.text('function'));
  return componentTool(app, {
    name,
    description: '',
    parameters: ownFunction?.parameters ?? { type: 'object' },
    ...(ownFunction && { ownFunction }),
    run: 'unattended',
    component: () => ({ file }),
    tool: name,
    root: app.workspace.root,
    grants: [{ path: '', access: options.has('write') ? 'write' : 'read' }],
    isUndeclared: false,
    timeoutMs: app.config.tools.wasm.timeout_s * 1000,
  });
}

/** Undefined for a component that implements the contract. */
function chosenFunction(
  functions: readonly ComponentFunction[],
  name: string | undefined,
): ComponentFunction | undefined {
  const found =
    name === undefined && functions.length === 1
      ? functions[0]
      : functions.find((each) => each.name === name);
  if (found || (functions.length === 0 && name === undefined)) return found;
  const names = functions.map((each) => each.name).join(', ') || 'none';
  throw new Fault('cli/usage', `Name a function of the file with --function. It has: ${names}.`);
}

function answersOf(app: WorkspaceApp, options: Options<'answer'>) {
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

function tell(terminal: Terminal, { outcome, receipt, data }: ToolResult): 0 | 1 {
  if (terminal.json) {
    const json: JsonObject = outcomeToJson(outcome);
    terminal.printJson({ outcome: json, receipt: receipt ?? null, ...(data && { data }) });
  } else {
    if (outcome.type === 'success')
      terminal.write(outcome.text === '' || outcome.text.endsWith('\n') ? outcome.text : `${outcome.text}\n`);
    if (outcome.type === 'error') terminal.warn([outcome.message, ...outcome.trace].join('\n'));
    if (receipt) for (const line of receiptLines(receipt)) terminal.dim(line);
  }
  return outcome.type === 'success' ? 0 : 1;
}
