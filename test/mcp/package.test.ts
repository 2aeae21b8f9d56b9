import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { packageAssistants } from '../../scripts/package-assistants.ts';
import { zipFile } from '../../scripts/zip-file.ts';
import { parseFrontMatter } from '../../src/domain/knowledge-base/front-matter.ts';
import { sandboxHere } from '../cli/ken-here.ts';

const root = path.join(import.meta.dirname, '../..');
const { name, version, mcpName } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

function temporary(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'ken-packaged-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** As a reader of ZIP archives finds them, by the directory at the end. */
function unzipped(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const count = archive.readUInt16LE(end + 10);
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    const [crc, packed, length] = [16, 20, 28].map((offset) =>
      offset === 28 ? archive.readUInt16LE(at + offset) : archive.readUInt32LE(at + offset),
    );
    const file = archive.toString('utf8', at + 46, at + 46 + (length ?? 0));
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = inflateRawSync(archive.subarray(start, start + (packed ?? 0)));
    expect([file, crc32(bytes)]).toEqual([file, crc]);
    files.set(file, bytes);
    at += 46 + (length ?? 0);
  }
  return files;
}

it('makes a plugin for each of two clients, with the hooks that ken setup installs', async () => {
  const out = path.join(temporary(), 'out');
  const parts = (plugin: string, manifest: string) =>
    [
      manifest,
      '.mcp.json',
      'hooks/hooks.json',
      'skills/ask-ken/SKILL.md',
      'skills/reference-researcher/SKILL.md',
    ].map((file) => `plugins/${plugin}/${file}`);
  expect(packageAssistants({ out })).toEqual(
    [
      '.agents/plugins/marketplace.json',
      '.claude-plugin/marketplace.json',
      ...parts('claude-code', '.claude-plugin/plugin.json'),
      ...parts('codex', '.codex-plugin/plugin.json'),
      'server.json',
    ].sort(),
  );
  const json = (file: string) => JSON.parse(readFileSync(path.join(out, file), 'utf8'));
  const place = sandboxHere('');
  for (const [client, file] of [
    ['claude-code', '.claude/settings.json'],
    ['codex', '.codex/hooks.json'],
  ] as const) {
    await place.ken(['setup', client, '--hooks']);
    expect(json(`plugins/${client}/hooks/hooks.json`)).toEqual(
      JSON.parse(readFileSync(path.join(place.root, file), 'utf8')),
    );
    expect(json(`plugins/${client}/.mcp.json`).mcpServers).toEqual({
      ken: { command: 'ken', args: ['mcp'] },
    });
    for (const skill of ['ask-ken', 'reference-researcher']) {
      const text = readFileSync(path.join(out, `plugins/${client}/skills/${skill}/SKILL.md`), 'utf8');
      expect(parseFrontMatter(text)?.fields).toMatchObject({ name: skill, description: expect.any(String) });
    }
  }
  for (const manifest of [
    'plugins/claude-code/.claude-plugin/plugin.json',
    'plugins/codex/.codex-plugin/plugin.json',
    'server.json',
  ])
    expect(json(manifest)).toMatchObject({ version });
  expect(REGISTRY_ENTRY.parse(json('server.json'))).toEqual({
    ...json('server.json'),
    name: mcpName,
    packages: [expect.objectContaining({ registryType: 'npm', identifier: name, version })],
  });
  const marketplace = json('.claude-plugin/marketplace.json');
  expect(existsSync(path.join(out, marketplace.plugins[0].source))).toBe(true);
  expect(existsSync(path.join(out, json('.agents/plugins/marketplace.json').plugins[0].source.path))).toBe(
    true,
  );
});

it('makes the same bundle of the same files', () => {
  const directory = temporary();
  const unpacked = path.join(directory, 'package');
  // The launcher alone: what else is packed, the library's test of a consumer has.
  for (const file of ['package.json', 'bin'])
    cpSync(path.join(root, file), path.join(unpacked, file), { recursive: true });
  const out = path.join(directory, 'out');
  packageAssistants({ out, unpacked });
  const archive = readFileSync(path.join(out, `ken-${version}.mcpb`));
  packageAssistants({ out, unpacked });
  expect(readFileSync(path.join(out, `ken-${version}.mcpb`)).equals(archive)).toBe(true);
  const files = unzipped(archive);
  const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '');
  expect(files.has(manifest.server.entry_point)).toBe(true);
  expect(manifest.server.mcp_config.args[0]).toBe(`\${__dirname}/${manifest.server.entry_point}`);
});

it('packs names and bytes of every kind', () => {
  const entries = [
    { name: 'empty', bytes: Buffer.alloc(0) },
    { name: 'ordner/größe 界.txt', bytes: Buffer.from('wide 界') },
    { name: 'zeros', bytes: Buffer.alloc(1_000_000) },
  ];
  expect([...unzipped(zipFile(entries))]).toEqual(entries.map((entry) => [entry.name, entry.bytes]));
});

/** The demands of the registry's schema of 2025-12-11, as far as ken uses it; other members are refused. */
const INPUT = { description: z.string().optional(), value: z.string().optional() };
const REGISTRY_ENTRY = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
  version: z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string().min(1),
      version: z.string().regex(/^\d/),
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(
        z.strictObject({ ...INPUT, type: z.literal('positional'), value: z.string() }),
      ),
      environmentVariables: z.array(z.strictObject({ ...INPUT, name: z.string().min(1) })),
    }),
  ]),
});

const tools = process.env.KEN_TEST_VENDORS ?? 'none';
const missing = existsSync(path.join(tools, 'node_modules/.bin/mcpb'))
  ? undefined
  : 'there are no @anthropic-ai/mcpb, @anthropic-ai/claude-code and @openai/codex in KEN_TEST_VENDORS';

it.skipIf(missing)(`is accepted by the tools of the vendors${missing ? ` (${missing})` : ''}`, () => {
  const directory = temporary();
  const out = path.join(directory, 'out');
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', directory], {
    cwd: root,
  });
  const [tarball = ''] = readdirSync(directory).filter((file) => file.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', tarball], { cwd: directory });
  packageAssistants({ out, unpacked: path.join(directory, 'package') });
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    CODEX_HOME: path.join(directory, '.codex'),
  };
  mkdirSync(environment.CODEX_HOME);
  const told = (program: string, ...words: string[]) => {
    const file = path.join(tools, 'node_modules/.bin', program);
    const { status, stdout, stderr } = spawnSync(file, words, { env: environment, encoding: 'utf8' });
    expect([words, status, status === 0 ? '' : stdout + stderr]).toEqual([words, 0, '']);
    return stdout;
  };
  expect(
    told('mcpb', 'unpack', path.join(out, `ken-${version}.mcpb`), path.join(directory, 'opened')),
  ).toContain('successfully');
  told('mcpb', 'validate', path.join(directory, 'opened/manifest.json'));
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'desktop', version: '1' },
    },
  };
  const place = sandboxHere('');
  const launcher = path.join(directory, 'opened/server/bin/ken.cjs');
  const { stdout } = spawnSync(process.execPath, [launcher, 'mcp', '--workspace', place.root], {
    env: { ...environment, KEN_HOME: place.home },
    input: `${JSON.stringify(initialize)}\n`,
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout).result.serverInfo).toMatchObject({ name: 'ken', version });
  told('claude', 'plugin', 'validate', path.join(out, 'plugins/claude-code'));
  told('claude', 'plugin', 'validate', out);
  told('claude', 'plugin', 'marketplace', 'add', out);
  told('claude', 'plugin', 'install', 'ken@ken');
  told('codex', 'plugin', 'marketplace', 'add', out);
  told('codex', 'plugin', 'add', 'ken@ken');
  expect(told('codex', 'mcp', 'list')).toMatch(/^ken +ken +mcp /m);
});
