/** The MCP clients that ken can be set up in, each with where and how it keeps its servers. */

import type { JsonObject } from '../../../base/json.ts';
import type { LayerStanding } from '../../../config/authority.ts';

export const CLIENT_NAMES = ['claude-code', 'cursor', 'vscode', 'codex', 'claude-desktop'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

export interface Client {
  /** As people call it. */
  readonly title: string;
  readonly format: 'jsonc' | 'toml';
  /** Its object or table of servers. */
  readonly servers: string;
  /** What is to be done before it sees ken. */
  readonly next: string;
  place(surroundings: Surroundings): ClientPlace;
}

export interface Surroundings {
  /** The workspace. */
  readonly root: string;
  /** The operator's home directory. */
  readonly home: string;
  readonly configHome: string;
  readonly platform: NodeJS.Platform;
  /** This very program: Node and the launcher. */
  readonly program: readonly string[];
}

export interface ClientPlace {
  /** Absolute. */
  readonly file: string;
  /** Whose file it is. */
  readonly standing: LayerStanding;
  /** What ken is called there. */
  readonly name: string;
  readonly server: JsonObject;
}

export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  'claude-code': {
    title: 'Claude Code',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Start Claude Code in this directory and accept the server; /mcp shows it.',
    place: ({ root }) => inWorkspace(root, '.mcp.json', { type: 'stdio', command: 'ken', args: ['mcp'] }),
  },
  cursor: {
    title: 'Cursor',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Open this directory in Cursor and switch the server on in its settings.',
    place: ({ root }) => inWorkspace(root, '.cursor/mcp.json', { command: 'ken', args: IN_FOLDER }),
  },
  vscode: {
    title: 'VS Code',
    format: 'jsonc',
    servers: 'servers',
    next: 'Open this directory in VS Code and start the server from .vscode/mcp.json.',
    place: ({ root }) =>
      inWorkspace(root, '.vscode/mcp.json', { type: 'stdio', command: 'ken', args: IN_FOLDER }),
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    servers: 'mcp_servers',
    next: 'Codex reads it in directories that it trusts; "codex mcp list" shows it.',
    place: ({ root }) => inWorkspace(root, '.codex/config.toml', { command: 'ken', args: ['mcp'] }),
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Quit Claude Desktop and start it again.',
    place: desktopPlace,
  },
};

/** Both editors put the open directory in its place. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the editors put something there
const IN_FOLDER = ['mcp', '--workspace', '${workspaceFolder}'];

/** The file goes with the workspace to whoever works in it, so it names no path of this machine. */
function inWorkspace(root: string, file: string, server: JsonObject): ClientPlace {
  return { file: `${root}/${file}`, standing: 'workspace', name: 'ken', server };
}

/** It has one file for everything, starts servers anywhere, and finds few programs by name. */
function desktopPlace({ root, home, configHome, platform, program }: Surroundings): ClientPlace {
  const directory = platform === 'darwin' ? `${home}/Library/Application Support` : configHome;
  const [command = '', ...words] = program;
  return {
    file: `${directory}/Claude/claude_desktop_config.json`,
    standing: 'user',
    name: `ken-${root.slice(root.lastIndexOf('/') + 1).replaceAll(/[^\w.-]+/g, '-') || 'workspace'}`,
    server: { command, args: [...words, 'mcp', '--workspace', root] },
  };
}
