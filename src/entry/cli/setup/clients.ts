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
  /** Names of its programs, any of which may be on the `PATH`. */
  readonly programs: readonly string[];
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
  /** Where the operator moved Claude Code's files, which are otherwise at home. */
  readonly claudeHome?: string | undefined;
  /** Where the operator moved Codex's files. */
  readonly codexHome?: string | undefined;
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
    programs: ['claude'],
    next: 'Start Claude Code in this directory and accept the server; /mcp shows it.',
    place: ({ root }) => inWorkspace(root, '.mcp.json', { type: 'stdio', command: 'ken', args: ['mcp'] }),
    ownPlace: (context) =>
      ownFile(`${context.claudeHome ?? context.home}/.claude.json`, {
        type: 'stdio',
        ...startedAnywhere(context),
      }),
  },
  cursor: {
    title: 'Cursor',
    format: 'jsonc',
    servers: 'mcpServers',
    programs: ['cursor', 'cursor-agent'],
    next: 'Open this directory in Cursor and switch the server on in its settings.',
    place: ({ root }) => inWorkspace(root, '.cursor/mcp.json', { command: 'ken', args: IN_FOLDER }),
    // Here the folder would be the home; Cursor tells a server which directories are open.
    ownPlace: (context) => ownFile(`${context.home}/.cursor/mcp.json`, startedAnywhere(context)),
  },
  vscode: {
    title: 'VS Code',
    format: 'jsonc',
    servers: 'servers',
    programs: ['code', 'codium', 'code-insiders'],
    next: 'Open this directory in VS Code and start the server from .vscode/mcp.json.',
    place: ({ root }) =>
      inWorkspace(root, '.vscode/mcp.json', { type: 'stdio', command: 'ken', args: IN_FOLDER }),
    ownPlace: (context) =>
      ownFile(`${applicationHome(context)}/Code/User/mcp.json`, {
        type: 'stdio',
        ...startedAnywhere(context),
      }),
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    servers: 'mcp_servers',
    programs: ['codex'],
    next: 'Codex reads it in directories that it trusts; "codex mcp list" shows it.',
    place: ({ root, variables }) =>
      inWorkspace(root, '.codex/config.toml', { command: 'ken', args: ['mcp'], ...handedOn(variables) }),
    ownPlace: (context) => ownFile(`${codexDirectory(context)}/config.toml`, startedAnywhere(context)),
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'jsonc',
    servers: 'mcpServers',
    programs: ['claude-desktop'],
    next: 'Quit Claude Desktop and start it again.',
    place: (context) =>
      forOneWorkspace(context, `${applicationHome(context)}/Claude/claude_desktop_config.json`),
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    format: 'jsonc',
    servers: 'mcpServers',
    programs: ['gemini'],
    next: 'Start Gemini CLI in this directory and trust it; /mcp shows the server.',
    place: ({ root }) => inWorkspace(root, '.gemini/settings.json', { command: 'ken', args: ['mcp'] }),
    ownPlace: (context) => ownFile(`${context.home}/.gemini/settings.json`, startedAnywhere(context)),
  },
  'qwen-code': {
    title: 'Qwen Code',
    format: 'jsonc',
    servers: 'mcpServers',
    programs: ['qwen'],
    next: 'Start Qwen Code in this directory and approve the server; /mcp shows it.',
    place: ({ root }) => inWorkspace(root, '.qwen/settings.json', { command: 'ken', args: ['mcp'] }),
    ownPlace: (context) => ownFile(`${context.home}/.qwen/settings.json`, startedAnywhere(context)),
  },
  opencode: {
    title: 'opencode',
    format: 'jsonc',
    servers: 'mcp',
    programs: ['opencode'],
    next: 'Start opencode in this directory; "opencode mcp list" shows the server.',
    place: ({ root }) =>
      inWorkspace(root, 'opencode.json', { type: 'local', command: ['ken', 'mcp'], enabled: true }),
    ownPlace: ({ program, variables, configHome }) =>
      ownFile(`${configHome}/opencode/opencode.json`, {
        type: 'local',
        command: [...program, 'mcp'],
        enabled: true,
        ...named('environment', variables),
      }),
  },
  cline: {
    title: 'Cline',
    format: 'jsonc',
    servers: 'mcpServers',
    programs: ['cline'],
    next: 'Start Cline again; "cline mcp" shows the server.',
    place: (context) =>
      forOneWorkspace(context, `${context.home}/.cline/data/settings/cline_mcp_settings.json`),
  },
  'copilot-cli': {
    title: 'Copilot CLI',
    format: 'jsonc',
    servers: 'mcpServers',
    programs: ['copilot'],
    next: 'Start Copilot CLI in this directory and trust it; "/mcp show" lists the server.',
    place: ({ root }) =>
      inWorkspace(root, '.github/mcp.json', { type: 'local', command: 'ken', args: ['mcp'], tools: ['*'] }),
    ownPlace: (context) =>
      ownFile(`${context.home}/.copilot/mcp-config.json`, {
        type: 'local',
        ...startedAnywhere(context),
        tools: ['*'],
      }),
  },
  amp: {
    title: 'Amp',
    format: 'jsonc',
    servers: 'amp.mcpServers',
    programs: ['amp'],
    next: 'Start Amp in this directory and approve the server.',
    place: ({ root }) => inWorkspace(root, '.amp/settings.json', { command: 'ken', args: ['mcp'] }),
    ownPlace: (context) => ownFile(`${context.configHome}/amp/settings.json`, startedAnywhere(context)),
  },
  zed: {
    title: 'Zed',
    format: 'jsonc',
    servers: 'context_servers',
    programs: ['zed', 'zeditor'],
    next: 'Open this directory in Zed; its AI settings list the server.',
    place: ({ root }) => inWorkspace(root, '.zed/settings.json', { command: 'ken', args: ['mcp'] }),
    ownPlace: (context) => forOneWorkspace(context, `${context.configHome}/zed/settings.json`),
  },
  devin: {
    title: 'Devin Desktop',
    format: 'jsonc',
    servers: 'mcpServers',
    programs: ['devin'],
    next: 'Open this directory in Devin Desktop (earlier: Windsurf); its list of MCP servers shows it.',
    place: ({ root }) => inWorkspace(root, '.devin/mcp_config.json', { command: 'ken', args: ['mcp'] }),
    ownPlace: (context) => ownFile(`${context.configHome}/devin/mcp_config.json`, startedAnywhere(context)),
  },
  goose: {
    title: 'Goose',
    format: 'yaml',
    servers: 'extensions',
    programs: ['goose'],
    next: 'Start Goose in this directory; "goose configure" lists the extension.',
    place: goosePlace,
  },
  windsurf: {
    title: 'Windsurf',
    format: 'jsonc',
    servers: 'mcpServers',
    programs: ['windsurf'],
    next: 'Refresh the list of MCP servers in Windsurf.',
    place: (context) => forOneWorkspace(context, `${context.home}/.codeium/windsurf/mcp_config.json`),
  },
  'lm-studio': {
    title: 'LM Studio',
    format: 'jsonc',
    servers: 'mcpServers',
    programs: ['lms', 'lm-studio'],
    next: 'Switch the server on in LM Studio, under Program.',
    place: (context) => forOneWorkspace(context, `${context.home}/.lmstudio/mcp.json`),
  },
  junie: {
    title: 'Junie',
    format: 'jsonc',
    servers: 'mcpServers',
    programs: ['junie', 'idea'],
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

/** A file of the operator's own; the client starts the server in the project that is open, or says which it is. */
function ownFile(file: string, server: JsonObject): ClientPlace {
  return { file, standing: 'user', name: 'ken', server };
}

export function codexDirectory({ codexHome, home }: ClientContext): string {
  return codexHome ?? `${home}/.codex`;
}

/** The directory in which desktop programs keep their settings. */
function applicationHome({ home, configHome, platform }: ClientContext): string {
  return platform === 'darwin' ? `${home}/Library/Application Support` : configHome;
}

function startedAnywhere({ program, variables }: ClientContext): JsonObject {
  const [command = '', ...words] = program;
  return { command, args: [...words, 'mcp'], ...named('env', variables) };
}

function named(key: string, variables: ClientContext['variables']): JsonObject {
  return Object.keys(variables).length > 0 ? { [key]: { ...variables } } : {};
}

/** Codex gives a server few variables; these names it hands on, without their values. */
function handedOn(variables: ClientContext['variables']): JsonObject {
  const names = Object.keys(variables);
  return names.length > 0 ? { env_vars: names } : {};
}

/** Goose has one file, and starts servers in the directory that is open. */
function goosePlace({ configHome, program, variables }: ClientContext): ClientPlace {
  const [cmd = '', ...words] = program;
  return ownFile(`${configHome}/goose/config.yaml`, {
    enabled: true,
    type: 'stdio',
    name: 'ken',
    description: 'What is known about the open project.',
    cmd,
    args: [...words, 'mcp'],
    envs: { ...variables },
    env_keys: [],
    timeout: 300,
  });
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
