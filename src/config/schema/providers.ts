import { choice, flag, list, map, table, text, whole } from '../build-node.ts';
import { ANY_NAME, NAME } from './names.ts';

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
  startup_timeout_s: whole('Seconds it may take to start.', { default: 20, min: 1 }),
});

export const providers = table('Who ken talks to.', {
  llm: map('Language model providers by name.', NAME, languageModel, {
    by: 'user',
    default: {
      anthropic: { kind: 'anthropic', api_key_env: 'ANTHROPIC_API_KEY' },
      openai: { kind: 'openai', api_key_env: 'OPENAI_API_KEY' },
      google: { kind: 'google', api_key_env: 'GOOGLE_GENERATIVE_AI_API_KEY' },
      ollama: { kind: 'ollama', base_url: 'http://127.0.0.1:11434' },
    },
  }),
  mcp: map('MCP servers by name.', NAME, mcpServer, { by: 'trusted' }),
});
