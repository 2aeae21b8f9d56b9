import {
  accumulatedList,
  choice,
  flag,
  integer,
  list,
  map,
  requiredText,
  table,
  text,
} from './build-node.ts';
import { atMost } from './effects.ts';
import { ANY_NAME, NAME } from './names.ts';

const SYSTEM_PROMPT =
  'You are a careful assistant with access to a body of knowledge. Prefer what that knowledge says over what ' +
  'you remember, name the sources you used, and say plainly when you do not know.';

const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;

const section = table(
  'A part of the system prompt.',
  {
    title: text('A heading above the content.'),
    tag: text('A tag around the content.'),
    content: requiredText('The text itself.'),
    position: integer('Lower ones come first.', { default: 0, min: -1_000_000 }),
  },
  { required: ['content'] },
);

export const assistant = table('The assistant that answers queries.', {
  // It is shown as the one who asks for an approval, and stands in what it writes.
  name: text('Its identity, written into what it creates.', {
    default: 'ken',
    effect: (name) => (PLAIN_NAME.test(String(name)) ? 'harmless' : 'instructs'),
  }),
  model: text('provider/model; ken/extractive needs no language model.', {
    default: 'ken/extractive',
    effect: 'sends',
    narrows: (value) => value === 'ken/extractive',
  }),
  system_prompt: text('The first words of the system prompt.', {
    default: SYSTEM_PROMPT,
    effect: 'instructs',
  }),
  turn_limit: integer('Most model calls in one turn.', {
    default: 25,
    min: 1,
    effect: 'costs',
    narrows: atMost,
  }),
  confirm_tokens: integer('ken asks before it sends more tokens than this, and again at each doubling.', {
    default: 100_000,
    min: 1,
    onlyDownFor: 'workspace',
    effect: 'costs',
  }),
  instructions: accumulatedList('Instructions, one a line of the system prompt.', text('An instruction.'), {
    effect: 'instructs',
  }),
  sections: accumulatedList('Further parts of the system prompt.', section, { effect: 'instructs' }),
  request: table(
    'How a model is asked.',
    {
      max_retries: integer('Attempts after an overload, a rate limit or a dropped stream.', {
        default: 5,
        narrows: atMost,
      }),
      idle_timeout_s: integer('A stream silent for so many seconds is dropped.', {
        default: 60,
        min: 1,
        narrows: atMost,
      }),
      max_output_tokens: integer("Longest answer; absent: the provider's own limit.", {
        min: 1,
        narrows: atMost,
      }),
    },
    { effect: 'costs' },
  ),
});

const languageModel = table('A provider of language models.', {
  kind: choice('The protocol it speaks.', ['anthropic', 'openai', 'google', 'ollama', 'openai-compatible']),
  base_url: text('Where it answers; absent: the provider’s own address.'),
  api_key_env: text('The environment variable that holds the key.'),
  headers: map('Further request headers.', ANY_NAME, text('A header value.')),
});

const mcpServer = table('An MCP server: a command, or a url.', {
  command: text('The program to start.'),
  args: list('Its arguments.', text('An argument.')),
  env: map('Its environment.', ANY_NAME, text('A value.')),
  url: text('Where it answers.'),
  headers: map('Request headers.', ANY_NAME, text('A header value.')),
  optional: flag('Go on without it when it does not start.', { default: false }),
  startup_timeout_s: integer('Seconds it may take to start.', { default: 20, min: 1 }),
});

export const providers = table('Who ken talks to.', {
  llm: map('Language model providers by name.', NAME, languageModel, {
    by: 'user',
    effect: 'sends',
    default: {
      anthropic: { kind: 'anthropic', api_key_env: 'ANTHROPIC_API_KEY' },
      openai: { kind: 'openai', api_key_env: 'OPENAI_API_KEY' },
      google: { kind: 'google', api_key_env: 'GOOGLE_GENERATIVE_AI_API_KEY' },
      ollama: { kind: 'ollama', base_url: 'http://127.0.0.1:11434' },
    },
  }),
  mcp: map('MCP servers by name.', NAME, mcpServer, { effect: 'runs' }),
});
