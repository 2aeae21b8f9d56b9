import type { Json } from '../../base/json.ts';
import {
  accumulatedList,
  anyValue,
  choice,
  flag,
  integer,
  list,
  map,
  shorthand,
  table,
  text,
} from './build-node.ts';
import { isPlainPath } from './effects.ts';
import { ANY_NAME, command, LABEL_KEY, TOOL_NAME } from './names.ts';
import type { Effect } from './node.ts';

const label = shorthand(
  'A label: its value, or { value, multi, apply_on, run, timeout }.',
  table('A label with its rules.', {
    value: shorthand(
      'A text, or { cmd } whose output becomes the value.',
      table('A command.', { cmd: command }),
    ),
    multi: flag('Each line of the value is a label of its own, KEY or KEY=VALUE.', { default: false }),
    apply_on: table('When it is put on by itself.', {
      new: flag('On a new conversation.', { default: true }),
      fork: flag('Again on a fork.', { default: false }),
      turn: flag('Again before each question; a command only if its run is unattended.', { default: false }),
    }),
    run: choice('Whether its command may run.', ['ask', 'unattended', 'deny'], { default: 'ask' }),
    timeout: integer('Seconds its command may take.', { default: 10, min: 1, max: 3600 }),
  }),
  { expand: (value) => ({ value }), effect: (value) => (namesCommand(value) ? 'runs' : 'harmless') },
);

const parameter = table('A parameter of the tool.', {
  type: anyValue('A JSON Schema type, or a list of them.'),
  description: text('What it means, for the assistant.'),
  required: flag('Whether a call must name it.'),
  default: anyValue('Its value when a call does not name it.'),
  enum: list('The values it may have.', anyValue('A value.')),
  items: anyValue('The JSON Schema of its elements.'),
});

const question = table('A question the tool may ask.', {
  answer: anyValue('The answer, given without asking anyone.'),
  target: choice('Who may answer: you alone, or the assistant when you do not.', ['user', 'assistant']),
});

const grantedPath = shorthand(
  'A path relative to the workspace, or { path, access }.',
  table('A path with what the tool may do there.', {
    path: text('A path relative to the workspace.'),
    access: choice("What the tool may do there; the tool's own access, unless it is said.", [
      'none',
      'read',
      'write',
    ]),
  }),
);

const secret = table('A secret.', {
  from: text('Where its value is: env:VARIABLE, keyring:SERVICE or keyring:SERVICE/ACCOUNT.'),
});

const tool = table('A tool.', {
  source: text('builtin, local or mcp, with a name behind a dot where one source holds several tools.'),
  description: text('What it does, for the assistant.'),
  parameters: map('Its parameters by name.', ANY_NAME, parameter),
  enable: flag('Whether the assistant may call it.'),
  run: choice('Whether a person is asked before it runs.', ['ask', 'unattended', 'deny']),
  timeout: integer('Seconds it may take.', { min: 1 }),
  result_limit: integer('Longer results are shortened for the assistant; in bytes.', { min: 1 }),
  questions: map('Its questions by id.', ANY_NAME, question),
  command,
  wasm: text(
    'A Wasm component: relative to the workspace, an absolute path, or sha256: and the digest of an installed one.',
  ),
  access: choice('What a Wasm tool may do in the workspace; nothing, unless it is said.', [
    'none',
    'read',
    'write',
  ]),
  paths: list('The only paths a Wasm tool sees.', grantedPath),
  functions: map(
    'Settings of single functions, for a component that describes its own, by name.',
    ANY_NAME,
    table('Settings of one function.', {
      enable: flag('Whether the assistant may call it.'),
      run: choice('Whether a person is asked before it runs.', ['ask', 'unattended', 'deny']),
      description: text('What it does, for the assistant.'),
    }),
  ),
  net: list('The hosts that a Wasm tool may send requests to.', text('A host and its port, host:port.')),
  env: map('Secrets that a Wasm tool gets as environment variables, by name.', ANY_NAME, secret),
});

/** Every tool can run something, so a workspace must be trusted to define one. */
const tools = map('Tools by name.', TOOL_NAME, tool, { effect: 'runs' });

export const conversation = table('Conversations.', {
  labels: map('Labels by key.', LABEL_KEY, label, { hasStrategies: true }),
  expose_to_tools: accumulatedList(
    'Labels of the conversation that commands get with a call, as context.labels.',
    text('A label key.', { effect: 'weakens' }),
  ),
  tools,
  attachments: accumulatedList(
    'What every query carries along: files, globs, directories, http(s): and cmd: sources.',
    text('A path or a source.', { effect: attachmentEffect }),
  ),
  start_local: flag('Keep new conversations out of the workspace.', {
    default: false,
    effect: 'weakens',
    narrows: (value, below) => value === true || below !== true,
  }),
  share: flag(
    'Let git commit the conversations of the workspace, for everybody who can read the repository.',
    {
      default: false,
      effect: 'sends',
      narrows: (value) => value === false,
    },
  ),
  title: table('Titles.', {
    generate: flag('Ask the model for one.', {
      default: false,
      effect: 'costs',
      narrows: (value) => value === false,
    }),
  }),
});

/** Whether a label has a command, or lets the command of another layer run unattended. */
function namesCommand(value: Json): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { value: inner, run } = value as Record<string, Json>;
  if (inner === undefined) return run === 'unattended';
  return typeof inner === 'object' && inner !== null;
}

function attachmentEffect(value: Json): Effect {
  if (/^[a-z][a-z0-9+.-]*:/i.test(String(value).trim())) return 'runs';
  return isPlainPath(value) ? 'harmless' : 'reads';
}
