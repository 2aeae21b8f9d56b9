/** How each client is installed, pointed at the stand-in for its model, connected to ken and started. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Place {
  readonly root: string;
  readonly home: string;
  /** Address of the stand-in. */
  readonly url: string;
  /** Starts ken's server. */
  readonly server: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Record<string, string>;
  };
}

export interface RealClient {
  readonly name: string;
  /** Exact, since recordings are of this version. */
  readonly npm: string;
  readonly program: string;
  /** Whether it hands on the text and the data of an answer. */
  readonly hasBothForms?: boolean;
  /** For one that keeps the instructions of servers, and the rules in them, from its model. */
  readonly keepsInstructions?: boolean;
  /** Its name for `ken setup`, for one that is connected by that too, and how it names the tools of that entry. */
  readonly setUp?: { readonly as: string; readonly beginning: string };
  /** Writes its settings; returns variables and words. */
  prepare(place: Place): { readonly environment: Record<string, string>; readonly words: readonly string[] };
  /** Variables with which it defers tools of servers. Only for one that some tools of ken tell not to. */
  readonly deferring?: Readonly<Record<string, string>>;
  /** Words of further starts that compact the same conversation and go on with it. Only for clients with hooks. */
  readonly afterwards?: (words: readonly string[]) => readonly (readonly string[])[];
}

const PROMPT = 'How do we deploy?';

function put(file: string, value: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

export const REAL_CLIENTS: readonly RealClient[] = [
  {
    name: 'Claude Code',
    npm: '@anthropic-ai/claude-code@2.1.326',
    program: 'claude',
    prepare({ root, url, server }) {
      put(`${root}/../mcp.json`, { mcpServers: { ken: { type: 'stdio', ...server } } });
      return {
        environment: {
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_API_KEY: 'none',
          // Otherwise its model sees names alone, until it asks for the tools.
          ENABLE_TOOL_SEARCH: 'false',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_AUTOUPDATER: '1',
          IS_SANDBOX: '1',
        },
        words: [
          '-p',
          PROMPT,
          '--mcp-config',
          `${root}/../mcp.json`,
          '--strict-mcp-config',
          '--allowedTools',
          'mcp__ken',
        ],
      };
    },
    deferring: { ENABLE_TOOL_SEARCH: 'true' },
    afterwards: ([print = '', , ...rest]) => [
      [print, '/compact', '--continue', ...rest],
      [print, 'And then?', '--continue', ...rest],
    ],
  },
  {
    name: 'Codex',
    npm: '@openai/codex@0.169.0',
    program: 'codex',
    prepare({ root, home, url, server }) {
      const variables = Object.entries(server.env).map(
        ([name, value]) => `${name} = ${JSON.stringify(value)}`,
      );
      put(
        `${home}/.codex/config.toml`,
        [
          'model = "gpt-5"',
          'model_provider = "standin"',
          '[model_providers.standin]',
          'name = "stand-in"',
          `base_url = "${url}/v1"`,
          'wire_api = "responses"',
          'env_key = "STANDIN_KEY"',
          `[projects.${JSON.stringify(root)}]`,
          'trust_level = "trusted"',
          '[mcp_servers.ken]',
          `command = ${JSON.stringify(server.command)}`,
          `args = ${JSON.stringify(server.args)}`,
          `env = { ${variables.join(', ')} }`,
          'startup_timeout_sec = 60',
          // Its first request waits for the server.
          'required = true',
          '',
        ].join('\n'),
      );
      return {
        environment: { STANDIN_KEY: 'none' },
        words: [
          ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
          ...['--dangerously-bypass-hook-trust', PROMPT],
        ],
      };
    },
    // The limit is less than one request, so that the conversation is compacted before the next.
    afterwards: ([exec = '', ...words]) => [
      [
        exec,
        'resume',
        '--last',
        ...words.slice(0, -1),
        '-c',
        'model_auto_compact_token_limit=50',
        'And then?',
      ],
    ],
  },
  {
    name: 'Gemini CLI',
    npm: '@google/gemini-cli@0.61.0',
    program: 'gemini',
    prepare({ home, url, server }) {
      put(`${home}/.gemini/settings.json`, {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { ken: { ...server, trust: true } },
      });
      return {
        environment: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url },
        words: ['--model', 'gemini-2.5-pro', '--approval-mode', 'yolo', '--skip-trust', '-p', PROMPT],
      };
    },
  },
  {
    name: 'opencode',
    npm: 'opencode-ai@1.18.33',
    program: 'opencode',
    prepare({ root, url, server }) {
      const { command, args, env } = server;
      put(`${root}/opencode.json`, {
        model: 'standin/stand-in',
        small_model: 'standin/stand-in',
        autoupdate: false,
        provider: {
          standin: {
            npm: '@ai-sdk/openai-compatible',
            name: 'stand-in',
            options: { baseURL: `${url}/v1`, apiKey: 'none' },
            models: { 'stand-in': { name: 'stand-in', tool_call: true } },
          },
        },
        mcp: {
          ken: {
            type: 'local',
            command: [command, ...args],
            enabled: true,
            environment: env,
            timeout: 60_000,
          },
        },
      });
      return {
        environment: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
        words: ['run', PROMPT],
      };
    },
  },
  {
    name: 'Qwen Code',
    npm: '@qwen-code/qwen-code@0.24.4',
    program: 'qwen',
    hasBothForms: true,
    prepare({ home, url, server }) {
      put(`${home}/.qwen/settings.json`, {
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { ken: { ...server, trust: true } },
      });
      return {
        environment: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'stand-in' },
        words: ['--approval-mode', 'yolo', '-p', PROMPT],
      };
    },
  },
  {
    name: 'Cline',
    npm: 'cline@3.0.65',
    program: 'cline',
    hasBothForms: true,
    keepsInstructions: true,
    setUp: { as: 'cline', beginning: 'ken-work__' },
    prepare({ home, url, server }) {
      const settings = `${home}/.cline/data/settings`;
      const servers = JSON.parse(readFileSync(`${settings}/cline_mcp_settings.json`, 'utf8')).mcpServers;
      put(`${settings}/cline_mcp_settings.json`, { mcpServers: { ...servers, ken: server } });
      const provider = { provider: 'openai-compatible', apiKey: 'none', model: 'stand-in' };
      put(`${settings}/providers.json`, {
        version: 1,
        lastUsedProvider: provider.provider,
        modes: {},
        providers: {
          [provider.provider]: {
            settings: { ...provider, baseUrl: `${url}/v1` },
            updatedAt: '2026-11-20T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      });
      return { environment: {}, words: ['-P', provider.provider, '-m', provider.model, '--json', PROMPT] };
    },
  },
  {
    name: 'Copilot CLI',
    npm: '@github/copilot@1.0.102',
    program: 'copilot',
    hasBothForms: true,
    keepsInstructions: true,
    setUp: { as: 'copilot-cli', beginning: 'ken-' },
    prepare({ home, url, server }) {
      put(`${home}/.copilot/mcp-config.json`, {
        mcpServers: { 'odd-ken': { type: 'local', ...server, tools: ['*'] } },
      });
      return {
        environment: {
          // Without it, it wants a login.
          COPILOT_OFFLINE: 'true',
          COPILOT_AUTO_UPDATE: 'false',
          COPILOT_MODEL: 'stand-in',
          COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
          COPILOT_PROVIDER_API_KEY: 'none',
        },
        words: ['--trust-folder', '--allow-all-tools', '-p', PROMPT],
      };
    },
  },
];
