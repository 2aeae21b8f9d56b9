import type { App } from '../../../app.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { LayerStanding } from '../../../config/authority.ts';

export const CLIENT_NAMES = [
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'claude-desktop',
  'gemini-cli',
  'qwen-code',
  'opencode',
  'cline',
  'copilot-cli',
  'amp',
  'zed',
  'devin',
  'windsurf',
  'goose',
  'lm-studio',
  'junie',
] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

export interface Client {
  readonly title: string;
  readonly format: 'jsonc' | 'toml' | 'yaml';
  /** Object or table that holds the servers. */
  readonly servers: string;
  /** Printed after the set-up. */
  readonly next: string;
  place(surroundings: ClientContext): ClientPlace;
  /** The operator's own file, where `place` is one of the workspace and the client has both. */
  ownPlace?(surroundings: ClientContext): ClientPlace;
}

export interface ClientContext {
  readonly root: string;
  readonly home: string;
  readonly configHome: string;
  readonly platform: NodeJS.Platform;
  /** Node and the launcher. */
  readonly program: readonly string[];
  /** Variables that say where ken keeps its files, as far as they are set. */
  readonly variables: Readonly<Record<string, string>>;
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
    ownPlace: (context) => atHome(context, '.claude.json', { type: 'stdio', ...startedAnywhere(context) }),
  },
  cursor: {
    title: 'Cursor',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Open this directory in Cursor and switch the server on in its settings.',
    place: ({ root }) => inWorkspace(root, '.cursor/mcp.json', { command: 'ken', args: IN_FOLDER }),
    ownPlace: (context) =>
      atHome(context, '.cursor/mcp.json', { ...startedAnywhere(context), args: inFolder(context) }),
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
    place: ({ root, variables }) =>
      inWorkspace(root, '.codex/config.toml', { command: 'ken', args: ['mcp'], ...handedOn(variables) }),
    ownPlace: (context) => atHome(context, '.codex/config.toml', startedAnywhere(context)),
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Quit Claude Desktop and start it again.',
    place: desktopPlace,
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Start Gemini CLI in this directory; /mcp shows the server.',
    place: ({ root }) => inWorkspace(root, '.gemini/settings.json', { command: 'ken', args: ['mcp'] }),
    ownPlace: (context) => atHome(context, '.gemini/settings.json', startedAnywhere(context)),
  },
  'qwen-code': {
    title: 'Qwen Code',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Start Qwen Code in this directory; /mcp shows the server.',
    place: ({ root }) => inWorkspace(root, '.qwen/settings.json', { command: 'ken', args: ['mcp'] }),
    ownPlace: (context) => atHome(context, '.qwen/settings.json', startedAnywhere(context)),
  },
  opencode: {
    title: 'opencode',
    format: 'jsonc',
    servers: 'mcp',
    next: 'Start opencode in this directory; "opencode mcp list" shows the server.',
    place: ({ root }) =>
      inWorkspace(root, 'opencode.json', { type: 'local', command: ['ken', 'mcp'], enabled: true }),
    ownPlace(context) {
      const { program, variables, configHome } = context;
      return {
        file: `${configHome}/opencode/opencode.json`,
        standing: 'user',
        name: 'ken',
        server: {
          type: 'local',
          command: [...program, 'mcp'],
          enabled: true,
          ...named('environment', variables),
        },
      };
    },
  },
  cline: {
    title: 'Cline',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Start Cline again; "cline mcp" shows the server.',
    place: (context) =>
      forOneWorkspace(context, `${context.home}/.cline/data/settings/cline_mcp_settings.json`),
  },
  'copilot-cli': {
    title: 'Copilot CLI',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Start Copilot CLI in this directory; "/mcp show" lists the server.',
    place: ({ root }) =>
      inWorkspace(root, '.github/mcp.json', { type: 'local', command: 'ken', args: ['mcp'], tools: ['*'] }),
    ownPlace: (context) =>
      atHome(context, '.copilot/mcp-config.json', {
        type: 'local',
        ...startedAnywhere(context),
        tools: ['*'],
      }),
  },
  amp: {
    title: 'Amp',
    format: 'jsonc',
    servers: 'amp.mcpServers',
    next: 'Start Amp in this directory and approve the server.',
    place: ({ root }) => inWorkspace(root, '.amp/settings.json', { command: 'ken', args: ['mcp'] }),
    ownPlace: (context) => ({
      ...atHome(context, '', startedAnywhere(context)),
      file: `${context.configHome}/amp/settings.json`,
    }),
  },
  zed: {
    title: 'Zed',
    format: 'jsonc',
    servers: 'context_servers',
    next: 'Open this directory in Zed; its AI settings list the server.',
    place: ({ root }) => inWorkspace(root, '.zed/settings.json', { command: 'ken', args: ['mcp'] }),
    ownPlace: (context) => forOneWorkspace(context, `${context.configHome}/zed/settings.json`),
  },
  devin: {
    title: 'Devin Desktop',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Open this directory in Devin Desktop (earlier: Windsurf); its list of MCP servers shows it.',
    place: ({ root }) => inWorkspace(root, '.devin/mcp_config.json', { command: 'ken', args: ['mcp'] }),
    ownPlace: (context) => ({
      ...atHome(context, '', startedAnywhere(context)),
      file: `${context.configHome}/devin/mcp_config.json`,
    }),
  },
  goose: {
    title: 'Goose',
    format: 'yaml',
    servers: 'extensions',
    next: 'Start Goose in this directory; "goose configure" lists the extension.',
    place: goosePlace,
  },
  windsurf: {
    title: 'Windsurf',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Refresh the list of MCP servers in Windsurf.',
    place: (context) => forOneWorkspace(context, `${context.home}/.codeium/windsurf/mcp_config.json`),
  },
  'lm-studio': {
    title: 'LM Studio',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Switch the server on in LM Studio, under Program.',
    place: (context) => forOneWorkspace(context, `${context.home}/.lmstudio/mcp.json`),
  },
  junie: {
    title: 'Junie',
    format: 'jsonc',
    servers: 'mcpServers',
    next: 'Open this directory in your JetBrains IDE; Junie’s MCP settings list the server.',
    place: ({ root }) => inWorkspace(root, '.junie/mcp/mcp.json', { command: 'ken', args: ['mcp'] }),
    ownPlace: (context) => forOneWorkspace(context, `${context.home}/.junie/mcp/mcp.json`),
  },
};

/** Both editors replace this with the open directory. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the editors put something there
const IN_FOLDER = ['mcp', '--workspace', '${workspaceFolder}'];

/** The file is committed with the workspace, so it contains no path of this machine. */
function inWorkspace(root: string, file: string, server: JsonObject): ClientPlace {
  return { file: `${root}/${file}`, standing: 'workspace', name: 'ken', server };
}

/** A file of the operator's own; the client starts the server in the directory of the project that is open. */
function atHome({ home }: ClientContext, file: string, server: JsonObject): ClientPlace {
  return { file: `${home}/${file}`, standing: 'user', name: 'ken', server };
}

function startedAnywhere({ program, variables }: ClientContext): JsonObject {
  const [command = '', ...words] = program;
  return { command, args: [...words, 'mcp'], ...named('env', variables) };
}

function inFolder({ program }: ClientContext): string[] {
  return [...program.slice(1), ...IN_FOLDER];
}

function named(key: string, variables: ClientContext['variables']): JsonObject {
  return Object.keys(variables).length > 0 ? { [key]: { ...variables } } : {};
}

/** Codex gives a server few variables; these names it hands on, without their values. */
function handedOn(variables: ClientContext['variables']): JsonObject {
  const names = Object.keys(variables);
  return names.length > 0 ? { env_vars: names } : {};
}

function desktopPlace(context: ClientContext): ClientPlace {
  const { home, configHome, platform } = context;
  const directory = platform === 'darwin' ? `${home}/Library/Application Support` : configHome;
  return forOneWorkspace(context, `${directory}/Claude/claude_desktop_config.json`);
}

/** Goose has one file, and starts servers in the directory that is open. */
function goosePlace({ configHome, program, variables }: ClientContext): ClientPlace {
  const [cmd = '', ...words] = program;
  return {
    file: `${configHome}/goose/config.yaml`,
    standing: 'user',
    name: 'ken',
    server: {
      enabled: true,
      type: 'stdio',
      name: 'ken',
      description: 'What is known about the open project.',
      cmd,
      args: [...words, 'mcp'],
      envs: { ...variables },
      env_keys: [],
      timeout: 300,
    },
  };
}

/** These clients have one file for all workspaces, start servers in any directory, and have a short PATH. */
function forOneWorkspace({ root, program, variables }: ClientContext, file: string): ClientPlace {
  const [command = '', ...words] = program;
  return {
    file,
    standing: 'user',
    name: `ken-${root.slice(root.lastIndexOf('/') + 1).replaceAll(/[^\w.-]+/g, '-') || 'workspace'}`,
    server: { command, args: [...words, 'mcp', '--workspace', root], ...named('env', variables) },
  };
}

/** The lock of approvals, for `ken doctor`; that there is none is a warning only where an assistant is set up. */
export async function checkLock(app: App) {
  const { lockReport } = await import('../../../domain/approvals/lock/lock-report.ts');
  const report = await lockReport(app);
  if (report.status !== 'ok') return report;
  if (report.isOn || !(await hasAssistant(app))) return { status: 'ok', message: report.message } as const;
  return {
    status: 'warning',
    message: 'an assistant is set up here, and approvals are not locked',
    hint: 'Run "ken approvals lock", so that an assistant with a shell cannot decide.',
  } as const;
}

/** Whether a client's file in the workspace names ken as a server. */
async function hasAssistant({
  workspace,
  configFiles,
}: Pick<App, 'workspace' | 'configFiles'>): Promise<boolean> {
  if (!workspace) return false;
  const { root } = workspace;
  const context = {
    root,
    home: root,
    configHome: root,
    platform: 'linux',
    program: [],
    variables: {},
  } as const;
  for (const client of Object.values(CLIENTS)) {
    const { file, standing } = client.place(context);
    if (standing !== 'workspace') continue;
    const text = await configFiles.read(file, root).catch(() => undefined);
    if (text?.includes(client.servers) && /\bken\b/.test(text)) return true;
  }
  return false;
}
