// The part of `npm run package` for assistants: a plugin for Claude Code and one for Codex with the marketplaces that list
// them, an MCPB bundle for desktop clients, and the server.json of the MCP registry. Also run by itself:
// node scripts/package-assistants.ts DIRECTORY [UNPACKED-PACKAGE]
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withHooks } from '../src/entry/cli/setup/hooks.ts';
import { zipFile } from './zip-file.ts';

const root = path.join(import.meta.dirname, '..');

export interface PackageInput {
  /** The directory for everything that is made; it is replaced. */
  readonly out: string;
  /** The npm package, unpacked; without it no bundle is made. */
  readonly unpacked?: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  /** In the registry of MCP servers, which looks for it in the package. */
  readonly mcpName: string;
  readonly repository: { readonly url: string };
}

/** The program and the client plugins. */
const NAME = 'ken';

const AUTHOR = { name: 'ken' };
const KEYWORDS = ['knowledge-base', 'search', 'documentation', 'decisions', 'local-first'];

/** Returns the files that it made, relative to `out`. */
export function packageAssistants({ out, unpacked }: PackageInput): readonly string[] {
  const manifest: Manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  rmSync(out, { recursive: true, force: true });
  const put = (file: string, content: object | string) => {
    const place = path.join(out, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  };
  putClaudePlugin(manifest, out, put);
  putCodexPlugin(manifest, out, put);
  put('server.json', registryEntry(manifest));
  if (unpacked !== undefined) putBundle(manifest, out, unpacked);
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(out, path.join(entry.parentPath, entry.name)))
    .sort();
}

type Put = (file: string, content: object | string) => void;

function about({ version, description, license }: Manifest) {
  return { name: NAME, version, description, author: AUTHOR, license, keywords: KEYWORDS };
}

/** Parts that both clients read: the server, the hooks of `ken setup --hooks`, and the skills. */
function putParts(plugin: string, out: string, put: Put): void {
  put(`${plugin}/.mcp.json`, { mcpServers: { ken: { command: 'ken', args: ['mcp'] } } });
  put(`${plugin}/hooks/hooks.json`, withHooks({ program: 'ken' }, undefined));
  for (const skills of ['skills', 'plugins/skills'])
    cpSync(path.join(root, skills), path.join(out, plugin, 'skills'), { recursive: true });
}

function putClaudePlugin(manifest: Manifest, out: string, put: Put): void {
  const plugin = 'plugins/claude-code';
  putParts(plugin, out, put);
  put(`${plugin}/.claude-plugin/plugin.json`, about(manifest));
  const { description, version } = manifest;
  put('.claude-plugin/marketplace.json', {
    name: NAME,
    owner: AUTHOR,
    metadata: { description, version },
    plugins: [{ name: NAME, source: `./${plugin}`, description }],
  });
}

function putCodexPlugin(manifest: Manifest, out: string, put: Put): void {
  const plugin = 'plugins/codex';
  putParts(plugin, out, put);
  const { description } = manifest;
  put(`${plugin}/.codex-plugin/plugin.json`, {
    ...about(manifest),
    skills: './skills/',
    mcpServers: './.mcp.json',
    hooks: './hooks/hooks.json',
    interface: {
      displayName: 'ken',
      shortDescription: description,
      longDescription: `${description} Needs the program "ken" on the PATH.`,
      developerName: AUTHOR.name,
      category: 'Productivity',
      capabilities: ['Read', 'Write'],
      defaultPrompt: ['How do we deploy? Ask ken.'],
    },
  });
  put('.agents/plugins/marketplace.json', {
    name: NAME,
    interface: { displayName: 'ken' },
    plugins: [
      {
        name: NAME,
        source: { source: 'local', path: `./${plugin}` },
        policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
        category: 'Productivity',
      },
    ],
  });
}

function registryEntry({ name, version, description, mcpName, repository }: Manifest): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: NAME,
    description,
    repository: { url: repository.url.replace(/^git\+|\.git$/g, ''), source: 'github' },
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        transport: { type: 'stdio' },
        runtimeHint: 'npx',
        packageArguments: [{ type: 'positional', value: 'mcp' }],
        environmentVariables: [
          { name: 'KEN_HOME', description: 'Where ken keeps its own files, if not in the usual places.' },
        ],
      },
    ],
  };
}

/** Parts of the package that a server does not read. */
const LEFT_OUT = /^(?:examples\/|dist\/types\/|dist\/library\.|CHANGELOG\.md$)/;

function putBundle(manifest: Manifest, out: string, unpacked: string): void {
  const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(unpacked, path.join(entry.parentPath, entry.name)))
    .filter((file) => !LEFT_OUT.test(file))
    .sort();
  const server = files.map((file) => ({
    name: `server/${file}`,
    bytes: readFileSync(path.join(unpacked, file)),
  }));
  const described = {
    name: 'manifest.json',
    bytes: Buffer.from(`${JSON.stringify(bundleManifest(manifest), null, 2)}\n`),
  };
  writeFileSync(path.join(out, `${NAME}-${manifest.version}.mcpb`), zipFile([described, ...server]));
}

function bundleManifest(manifest: Manifest): object {
  const directory = '$' + '{__dirname}';
  const chosen = '$' + '{user_config.workspace}';
  return {
    manifest_version: '0.3',
    ...about(manifest),
    display_name: 'ken',
    tools_generated: true,
    prompts_generated: true,
    server: {
      type: 'node',
      entry_point: 'server/bin/ken.cjs',
      mcp_config: {
        command: 'node',
        args: [`${directory}/server/bin/ken.cjs`, 'mcp', '--workspace', chosen],
      },
    },
    user_config: {
      workspace: {
        type: 'directory',
        title: 'Workspace',
        description: 'A directory in which "ken init" was run.',
        required: true,
      },
    },
    compatibility: { platforms: ['darwin', 'linux'], runtimes: { node: manifest.engines.node } },
  };
}

if (process.argv[1] === import.meta.filename) {
  const [out = path.join(root, 'build/assistants'), unpacked] = process.argv.slice(2);
  for (const file of packageAssistants({ out, ...(unpacked !== undefined && { unpacked }) }))
    process.stdout.write(`${path.join(out, file)}\n`);
}
