import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJsonc } from '../../src/config/parse-jsonc.ts';
import { parseToml } from '../../src/config/parse-toml.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { LAUNCHER } from './connect.ts';

interface Case {
  readonly client: string;
  readonly file: string;
  /** A file as people have it: comments, odd spaces, other servers. */
  readonly before: string;
  /** What stands in it for ken, as data. */
  entry(place: Sandbox): object;
  parse(text: string): unknown;
}

const read = (text: string) => parseJsonc(text).value;
const SETTINGS = `// mine
{
    "mcpServers": {
        "files":   { "command": "files-mcp", "args": [ "--root", "." ] }, // do not touch
        /* { "ken": 1 } */
    },
    "other": [1,2,   3],
}`;
const VSCODE = SETTINGS.replace('mcpServers', 'servers');
const CODEX = `# mine
model = "o9"   # spaces   stay

[mcp_servers.files]
command = 'files-mcp'
args = [ "--root",
  "." ] # here too

[profiles.x]
model = "o9-mini"`;

// biome-ignore lint/suspicious/noTemplateCurlyInString: the editors put something there
const IN_FOLDER = ['mcp', '--workspace', '${workspaceFolder}'];

const CASES: readonly Case[] = [
  {
    client: 'claude-code',
    file: '.mcp.json',
    before: SETTINGS,
    entry: () => ({ mcpServers: { ken: { type: 'stdio', command: 'ken', args: ['mcp'] } } }),
    parse: read,
  },
  {
    client: 'cursor',
    file: '.cursor/mcp.json',
    before: SETTINGS.replaceAll('\n', '\r\n'),
    entry: () => ({ mcpServers: { ken: { command: 'ken', args: IN_FOLDER } } }),
    parse: read,
  },
  {
    client: 'vscode',
    file: '.vscode/mcp.json',
    before: VSCODE,
    entry: () => ({ servers: { ken: { type: 'stdio', command: 'ken', args: IN_FOLDER } } }),
    parse: read,
  },
  {
    client: 'codex',
    file: '.codex/config.toml',
    before: CODEX,
    entry: () => ({ mcp_servers: { ken: { command: 'ken', args: ['mcp'] } } }),
    parse: parseToml,
  },
  {
    client: 'claude-desktop',
    file:
      process.platform === 'darwin'
        ? '../home/Library/Application Support/Claude/claude_desktop_config.json'
        : '../home/.config/Claude/claude_desktop_config.json',
    before: SETTINGS,
    entry: ({ root }) => ({
      mcpServers: { 'ken-work': { command: process.execPath, args: [LAUNCHER, 'mcp', '--workspace', root] } },
    }),
    parse: read,
  },
];

describe.each(CASES)('$client', ({ client, file, before, entry, parse }) => {
  function prepared(text?: string) {
    const place = sandbox('');
    const full = path.join(place.root, file);
    if (text !== undefined) {
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(full, text);
    }
    return { place, full, now: () => readFileSync(full, 'utf8') };
  }

  it('is connected, and disconnected without a trace', async () => {
    const { place, full, now } = prepared();
    expect(await place.ken(['setup', client, '--json'])).toMatchObject({ code: 0 });
    expect(parse(now())).toEqual(entry(place));
    const first = now();
    const again = await place.ken(['setup', client]);
    expect(again).toMatchObject({ code: 0, stdout: '', stderr: `${full} needs no change.\n` });
    expect(now()).toBe(first);
    expect(await place.ken(['setup', client, '--remove'])).toMatchObject({ code: 0 });
    expect(existsSync(full)).toBe(false);
    expect(await place.ken(['setup', client, '--remove'])).toMatchObject({
      code: 0,
      stderr: `${full} needs no change.\n`,
    });
  });

  it('keeps every other byte of the file, there and back', async () => {
    const { place, now } = prepared(before);
    const dry = await place.ken(['setup', client, '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toMatch(/^\+ .*ken/m);
    expect(now()).toBe(before);

    const set = await place.ken(['setup', client, '--json']);
    const { backup } = JSON.parse(set.stdout);
    expect(readFileSync(backup, 'utf8')).toBe(before);
    expect(parse(now())).toEqual(merged(parse(before), entry(place)));
    expect(isSubsequence(before, now())).toBe(true);

    await place.ken(['setup', client, '--remove']);
    expect(now()).toBe(before);
  });

  it('takes out only itself when the file has changed since', async () => {
    const { place, full, now } = prepared(before);
    await place.ken(['setup', client]);
    const changed = now().replace('files-mcp', 'other-mcp');
    writeFileSync(full, changed);
    await place.ken(['setup', client, '--remove']);
    expect(parse(now())).toEqual(parse(before.replace('files-mcp', 'other-mcp')));
    expect(isSubsequence(now(), changed)).toBe(true);
  });

  it('leaves a broken file alone and says where it is broken', async () => {
    const { place, full, now } = prepared('{ "mcpServers": { = }');
    const { code, stdout, stderr } = await place.ken(['setup', client]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`ken: ${full}:1:`);
    expect(now()).toBe('{ "mcpServers": { = }');
  });
});

it('keeps what somebody added to its own entry', async () => {
  const place = sandbox('');
  const file = place.write(
    '.mcp.json',
    '{"mcpServers": {"ken": {"command": "old", "env": {"KEN_HOME": "/k"}}}}',
  );
  await place.ken(['setup', 'claude-code']);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    mcpServers: { ken: { command: 'ken', env: { KEN_HOME: '/k' }, type: 'stdio', args: ['mcp'] } },
  });
});

it('writes through no link that came with the workspace', async () => {
  const place = sandbox('');
  const precious = path.join(place.home, 'precious.json');
  writeFileSync(precious, '{}');
  symlinkSync(precious, path.join(place.root, '.mcp.json'));
  const { code } = await place.ken(['setup', 'claude-code']);
  expect(code).not.toBe(0);
  expect(readFileSync(precious, 'utf8')).toBe('{}');
});

it('knows five clients', async () => {
  const { code, stderr } = await sandbox('').ken(['setup', 'cursr']);
  expect(code).toBe(2);
  expect(stderr).toContain('cursor');
});

it('says when clients will not find the program', async () => {
  const { code, stderr } = await sandbox('').ken(['setup', 'vscode'], { environment: { PATH: '/nowhere' } });
  expect(code).toBe(0);
  expect(stderr).toContain('warning: there is no program "ken" on the PATH, where VS Code will look for it.');
});

function merged(a: unknown, b: object): unknown {
  if (typeof a !== 'object' || a === null || Array.isArray(a)) return b;
  const changed = Object.entries(b).map(([key, value]) => [key, merged(Reflect.get(a, key), value)]);
  return { ...a, ...Object.fromEntries(changed) };
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (let place = 0; place < whole.length; place++) if (part[at] === whole[place]) at += 1;
  return at === part.length;
}
