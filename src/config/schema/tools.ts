import { anything, choice, flag, list, map, table, text, whole } from '../build-node.ts';
import { command } from './command.ts';
import { ANY_NAME, TOOL_NAME } from './names.ts';

const parameter = table('A parameter of the tool.', {
  type: anything('A JSON Schema type, or a list of them.'),
  description: text('What it means, for the assistant.'),
  required: flag('Whether a call must name it.'),
  default: anything('Its value when a call does not name it.'),
  enum: list('The values it may have.', anything('A value.')),
  items: anything('The JSON Schema of its elements.'),
});

const question = table('A question the tool may ask.', {
  answer: anything('The answer, given without asking anyone.'),
  target: choice('Who may answer: you alone, or the assistant when you do not.', ['user', 'assistant']),
});

const tool = table('A tool.', {
  source: text('builtin, local or mcp, with a name behind a dot where one source holds several tools.'),
  description: text('What it does, for the assistant.'),
  parameters: map('Its parameters by name.', ANY_NAME, parameter),
  enable: flag('Whether the assistant may call it.'),
  run: choice('Whether a person is asked before it runs.', ['ask', 'unattended', 'deny']),
  timeout: whole('Seconds it may take.', { min: 1 }),
  result_limit: whole('Longer results are shortened for the assistant; in bytes.', { min: 1 }),
  questions: map('Its questions by id.', ANY_NAME, question),
  command,
  wasm: text('A Wasm component, relative to the workspace; then command is ignored.'),
  access: choice('What a Wasm tool may do in the workspace.', ['read', 'write']),
  paths: list('The only paths a Wasm tool sees.', text('A path relative to the workspace.')),
});

/** Every definition can run something, so a workspace must be trusted to bring one. */
export const tools = map('Tools by name.', TOOL_NAME, tool, { by: 'trusted' });
