import type { JsonObject } from '../../../base/json.ts';
import type { LayerStanding } from '../../../config/authority.ts';

export const CLIENT_NAMES = ['claude-code', 'cursor', 'vscode', 'codex', 'claude-desktop'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

export interface Client {
  readonly title: string;
  readonly format: 'jsonc' | 'toml';
  /** Object or table that holds the servers. */
  readonly servers: string;
  /** Printed after the set-up. */
  readonly next: string;
  place(surroundings: ClientContext): ClientPlace;
}

export interface ClientContext {
  readonly root: string;
  readonly home: string;
  readonly configHome: string;
  readonly platform: NodeJS.Platform;
  /** Node and the launcher. */
  readonly program: readonly string[];
}

export interface ClientPlace {
  readonly file: string;
  readonly standing: LayerStanding;
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

/** Both editors replace this with the open directory. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the editors put something there
const IN_FOLDER = ['mcp', '--workspace', '${workspaceFolder}'];

/** The file is committed with the workspace, so it contains no path of this machine. */
function inWorkspace(root: string, file: string, server: JsonObject): ClientPlace {
  return { file: `${root}/${file}`, standing: 'workspace', name: 'ken', server };
}

/** This client has one file for all workspaces, starts servers in any directory, and has a short PATH. */
function desktopPlace({ root, home, configHome, platform, program }: ClientContext): ClientPlace {
  const directory = platform === 'darwin' ? `${home}/Library/Application Support` : configHome;
  const [command = '', ...words] = program;
  return {
    file: `${directory}/Claude/claude_desktop_config.json`,
    standing: 'user',
    name: `ken-${root.slice(root.lastIndexOf('/') + 1).replaceAll(/[^\w.-]+/g, '-') || 'workspace'}`,
    server: { command, args: [...words, 'mcp', '--workspace', root] },
  };
}
