import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseToml } from '../../src/config/toml/parse-toml.ts';
import type { ClientName } from '../../src/entry/cli/setup/clients.ts';
import { parseJsonc } from '../../src/entry/cli/setup/edit-jsonc.ts';
import { parseYaml } from '../../src/entry/cli/setup/edit-yaml.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { OWN_COMMAND } from '../cli/launcher.ts';

const [PROGRAM, ...WORDS] = OWN_COMMAND;

interface Case {
  readonly client: string;
  readonly file: string;
  /** A file as people have it: comments, odd spaces, other servers. */
  readonly before: string;
  /** The entry for ken, as data. */
  entry(place: Sandbox): object;
  parse(text: string): unknown;
}

const read = (text: string) => parseJsonc(text);
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

const DESKTOP =
  process.platform === 'darwin'
    ? '../home/Library/Application Support/Claude/claude_desktop_config.json'
    : '../home/.config/Claude/claude_desktop_config.json';

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
    entry: () => ({ mcp_servers: { ken: { command: 'ken', args: ['mcp'], env_vars: ['KEN_HOME'] } } }),
    parse: parseToml,
  },
  {
    client: 'claude-desktop',
    file: DESKTOP,
    before: SETTINGS,
    entry: (place) => ({ mcpServers: { 'ken-work': oneWorkspace(place) } }),
    parse: read,
  },
  ...[
    { client: 'gemini-cli', file: '.gemini/settings.json' },
    { client: 'qwen-code', file: '.qwen/settings.json' },
    { client: 'junie', file: '.junie/mcp/mcp.json' },
    { client: 'amp', file: '.amp/settings.json', servers: 'amp.mcpServers' },
    { client: 'devin', file: '.devin/mcp_config.json' },
    { client: 'zed', file: '.zed/settings.json', servers: 'context_servers' },
  ].map(
    ({ client, file, servers = 'mcpServers' }): Case => ({
      client,
      file,
      before: SETTINGS.replace('mcpServers', servers),
      entry: () => ({ [servers]: { ken: { command: 'ken', args: ['mcp'] } } }),
      parse: read,
    }),
  ),
  {
    client: 'opencode',
    file: 'opencode.json',
    before: SETTINGS.replace('mcpServers', 'mcp'),
    entry: () => ({ mcp: { ken: { type: 'local', command: ['ken', 'mcp'], enabled: true } } }),
    parse: read,
  },
  {
    client: 'copilot-cli',
    file: '.github/mcp.json',
    before: SETTINGS,
    entry: () => ({ mcpServers: { ken: { type: 'local', command: 'ken', args: ['mcp'], tools: ['*'] } } }),
    parse: read,
  },
  {
    client: 'goose',
    file: '../home/.config/goose/config.yaml',
    before: `# mine
GOOSE_MODEL: "o9"   # spaces   stay
extensions:
  # do not touch
  files:
    cmd: files-mcp
    args: [ "--root", "." ]
other: [1,2,   3]
`,
    entry: ({ home }) => ({
      extensions: {
        ken: {
          enabled: true,
          type: 'stdio',
          name: 'ken',
          description: 'What is known about the open project.',
          cmd: PROGRAM,
          args: [...WORDS, 'mcp'],
          envs: { KEN_HOME: home },
          env_keys: [],
          timeout: 300,
        },
      },
    }),
    parse: parseYaml,
  },
  ...[
    { client: 'cline', file: '.cline/data/settings/cline_mcp_settings.json' },
    { client: 'windsurf', file: '.codeium/windsurf/mcp_config.json' },
    { client: 'lm-studio', file: '.lmstudio/mcp.json' },
  ].map(
    ({ client, file }): Case => ({
      client,
      file: `../home/${file}`,
      before: SETTINGS,
      entry: (place) => ({ mcpServers: { 'ken-work': oneWorkspace(place) } }),
      parse: read,
    }),
  ),
];

function oneWorkspace({ root, home }: Sandbox) {
  return {
    command: PROGRAM,
    args: [...WORDS, 'mcp', '--workspace', root],
    env: { KEN_HOME: home },
  };
}

describe.each(CASES)('$client', ({ client, file, before, entry, parse }) => {
  function prepared(text?: string) {
    const place = sandboxHere('');
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

  it('takes the directory that was made for the file away with it, and no other', async () => {
    const { place, full } = prepared();
    const directory = path.dirname(full);
    const isItsOwn = directory.startsWith(`${place.root}/`);
    await place.ken(['setup', client]);
    await place.ken(['setup', client, '--remove', '--dry-run']);
    expect(existsSync(full)).toBe(true);
    await place.ken(['setup', client, '--remove']);
    expect(existsSync(directory)).toBe(!isItsOwn);

    // A second time: what was kept by then is the file with ken in it.
    await place.ken(['setup', client]);
    writeFileSync(path.join(directory, 'mine'), '');
    await place.ken(['setup', client, '--remove']);
    expect([existsSync(full), existsSync(path.join(directory, 'mine'))]).toEqual([false, true]);
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

it('leaves directories at home alone, and one that is a link', async () => {
  const place = sandboxHere('');
  mkdirSync(path.join(place.root, 'shared'));
  symlinkSync('shared', path.join(place.root, '.cursor'));
  await place.ken(['setup', 'cursor']);
  await place.ken(['setup', 'cursor', '--remove']);
  expect(lstatSync(path.join(place.root, '.cursor')).isSymbolicLink()).toBe(true);
  expect(readdirSync(path.join(place.root, 'shared'))).toEqual([]);

  const link = path.join(place.home, 'link');
  symlinkSync(place.root, link);
  for (const HOME of [place.root, link]) {
    await place.ken(['setup', 'codex'], { environment: { HOME } });
    expect(await place.ken(['setup', 'codex', '--remove'], { environment: { HOME } })).toMatchObject({
      code: 0,
    });
    expect(readdirSync(path.join(place.root, '.codex'))).toEqual([]);
  }
});

it('keeps what somebody added to its own entry', async () => {
  const place = sandboxHere('');
  const file = place.write(
    '.mcp.json',
    '{"mcpServers": {"ken": {"command": "old", "env": {"KEN_HOME": "/k"}}}}',
  );
  await place.ken(['setup', 'claude-code']);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    mcpServers: { ken: { command: 'ken', env: { KEN_HOME: '/k' }, type: 'stdio', args: ['mcp'] } },
  });
});

describe('a link that came with the workspace', () => {
  it('is not written through where it is the file', async () => {
    const place = sandboxHere('');
    const precious = path.join(place.home, 'precious.json');
    writeFileSync(precious, '{}');
    symlinkSync(precious, path.join(place.root, '.mcp.json'));
    const file = path.join(place.root, '.mcp.json');
    expect(await place.ken(['setup', 'claude-code'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `ken: ${file} is a link to a place outside the workspace.\n` +
        'hint: Replace the symbolic link with a file.\n',
    });
    expect(readFileSync(precious, 'utf8')).toBe('{}');
  });

  it('is neither read nor written through where it is the directory', async () => {
    const place = sandboxHere('');
    const elsewhere = path.join(place.home, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(path.join(elsewhere, 'mcp.json'), '{"secret": 1}');
    symlinkSync(elsewhere, path.join(place.root, '.cursor'));
    for (const words of [['--dry-run'], [], ['--remove']]) {
      const { code, stdout } = await place.ken(['setup', 'cursor', ...words]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    }
    expect(readFileSync(path.join(elsewhere, 'mcp.json'), 'utf8')).toBe('{"secret": 1}');
  });

  it('is left alone where it stays inside', async () => {
    const place = sandboxHere('');
    place.write('shared.json', '{}');
    symlinkSync('shared.json', path.join(place.root, '.mcp.json'));
    const { code, stderr } = await place.ken(['setup', 'claude-code']);
    expect(code).toBe(1);
    expect(stderr).toContain('it is a symbolic link.');
    expect(readFileSync(path.join(place.root, 'shared.json'), 'utf8')).toBe('{}');
  });
});

describe("the file of the operator's own", () => {
  const file = (place: Sandbox) => path.join(place.root, DESKTOP);

  it('may be a link, and keeps its mode; the copy is for its owner alone', async () => {
    const place = sandboxHere('');
    const real = path.join(place.home, 'dotfiles.json');
    writeFileSync(real, '{"keys": "mine"}\n');
    chmodSync(real, 0o640);
    mkdirSync(path.dirname(file(place)), { recursive: true });
    symlinkSync(real, file(place));
    const { backup } = JSON.parse((await place.ken(['setup', 'claude-desktop', '--json'])).stdout);
    expect(lstatSync(file(place)).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    await place.ken(['setup', 'claude-desktop', '--remove']);
    expect(readFileSync(real, 'utf8')).toBe('{"keys": "mine"}\n');
    expect(statSync(real).mode & 0o777).toBe(0o640);
  });

  it('gets the server of every workspace, when all of them come at once', async () => {
    const place = sandbox('');
    mkdirSync(path.dirname(file(place)), { recursive: true });
    writeFileSync(file(place), SETTINGS);
    const roots = Array.from({ length: 6 }, (_, at) => path.join(place.root, `${at}/web`));
    for (const root of roots) mkdirSync(path.join(root, '.ken'), { recursive: true });
    const setUp = (words: readonly string[]) =>
      Promise.all(roots.map((directory) => place.ken(['setup', 'claude-desktop', ...words], { directory })));
    for (const { code } of await setUp([])) expect(code).toBe(0);
    const { mcpServers } = read(readFileSync(file(place), 'utf8')) as { mcpServers: Record<string, object> };
    const { files: _, ...kens } = mcpServers;
    const served = Object.values(kens).map((server) => Reflect.get(server, 'args').at(-1));
    expect(served.sort()).toEqual(roots);
    expect(Object.keys(kens).filter((name) => name === 'ken-web')).toHaveLength(1);
    for (const { code } of await setUp(['--remove'])) expect(code).toBe(0);
    expect(read(readFileSync(file(place), 'utf8'))).toEqual(read(SETTINGS));
  });
});

it.each([
  ['claude-code', '.mcp.json', '\uFEFF{\r\n\t"mcpServers": {},\r\n}\r\n'],
  ['codex', '.codex/config.toml', '\uFEFF# mine\r\nmodel = "o9"'],
  ['claude-code', '.mcp.json', ''],
  ['codex', '.codex/config.toml', ' \n\n'],
])('gives %s back its %s as it was: %j', async (client, name, before) => {
  const place = sandboxHere('');
  const file = place.write(name, before);
  expect(await place.ken(['setup', client])).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toContain('ken');
  expect(readFileSync(file, 'utf8').startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'));
  expect(await place.ken(['setup', client, '--remove'])).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

const NOBODY = 65_534;

it('says what is wrong where it may not write, and leaves everything as it was', async () => {
  const place = sandboxHere('');
  chmodSync(place.root, 0o555);
  onTestFinished(() => chmodSync(place.root, 0o755));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chmodSync(path.dirname(place.root), 0o755);
    for (const file of ['.ken', '.ken/config.toml', '../home'])
      chownSync(path.join(place.root, file), NOBODY, NOBODY);
  }
  const { code, stdout, stderr } = await place.ken(['setup', 'cursor'], { asNobody: isRoot });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^ken: Cannot write .*\.cursor\/mcp\.json/);
  expect(existsSync(path.join(place.root, '.cursor'))).toBe(false);
});

it.each([
  ['a directory', (file: string) => mkdirSync(file)],
  ['a pipe', (file: string) => void execFileSync('mkfifo', [file])],
  ['not UTF-8', (file: string) => writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]))],
  ['a list', (file: string) => writeFileSync(file, '[]')],
])('refuses a file that is %s', async (_, make) => {
  const place = sandboxHere('');
  const file = path.join(place.root, '.mcp.json');
  make(file);
  const { code, stdout, stderr } = await place.ken(['setup', 'claude-code']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(file);
  expect(stderr).not.toContain('    at ');
});

const JSON_BEFORE = `{"keep": [1,2,   3], // mine\n}`;
const CODE =
  process.platform === 'darwin'
    ? 'Library/Application Support/Code/User/mcp.json'
    : '.config/Code/User/mcp.json';

/** The operator's own file of every client, below the home. */
const OWN_FILES: Readonly<Record<ClientName, readonly [file: string, before?: string]>> = {
  'claude-code': ['.claude.json'],
  cursor: ['.cursor/mcp.json'],
  vscode: [CODE],
  codex: ['.codex/config.toml', '# mine\nmodel = "o9"   # spaces   stay\n'],
  'claude-desktop': [DESKTOP.replace('../home/', '')],
  'gemini-cli': ['.gemini/settings.json'],
  'qwen-code': ['.qwen/settings.json'],
  opencode: ['.config/opencode/opencode.json'],
  cline: ['.cline/data/settings/cline_mcp_settings.json'],
  'copilot-cli': ['.copilot/mcp-config.json'],
  amp: ['.config/amp/settings.json'],
  zed: ['.config/zed/settings.json'],
  devin: ['.config/devin/mcp_config.json'],
  windsurf: ['.codeium/windsurf/mcp_config.json'],
  goose: ['.config/goose/config.yaml', '# mine\nGOOSE_MODEL: "o9"   # spaces   stay\n'],
  'lm-studio': ['.lmstudio/mcp.json'],
  junie: ['.junie/mcp/mcp.json'],
};

async function listedBy(place: Sandbox, environment: Record<string, string> = {}) {
  const { code, stdout, stderr } = await place.ken(['setup', '--list', '--json'], { environment });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout).clients as {
    client: string;
    file: string;
    here: boolean;
    problem: string | null;
  }[];
}

it.each(Object.entries(OWN_FILES))(
  'writes the own file of %s with --user, and lists where it is set up',
  async (client, [file, before = JSON_BEFORE]) => {
    const place = sandboxHere('');
    const full = path.join(place.home, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, before);
    expect(await place.ken(['setup', client, '--user'])).toMatchObject({ code: 0 });
    const text = readFileSync(full, 'utf8');
    // The client may start it with few variables, and finds it on no PATH.
    for (const part of [PROGRAM ?? '', ...WORDS, place.home]) expect(text).toContain(part);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: editors put something there
    expect(text).not.toContain('${workspaceFolder}');
    expect(await listedBy(place)).toContainEqual({
      client,
      here: true,
      file: full,
      set_up: true,
      problem: null,
    });
    expect(await place.ken(['setup', client, '--user', '--remove'])).toMatchObject({ code: 0 });
    expect(readFileSync(full, 'utf8')).toBe(before);
    expect(readdirSync(place.root)).toEqual(['.ken']);
  },
);

it('wants to know which client', async () => {
  expect((await sandboxHere('').ken(['setup'])).code).toBe(2);
});

it('goes where the operator moved the files of Claude Code and Codex', async () => {
  const place = sandboxHere('');
  const [claude, codex] = ['claude', 'codex'].map((name) => path.join(place.home, 'moved', name));
  const environment = { CLAUDE_CONFIG_DIR: claude ?? '', CODEX_HOME: codex ?? '' };
  for (const client of ['claude-code', 'codex'])
    expect(await place.ken(['setup', client, '--user', '--hooks'], { environment })).toMatchObject({
      code: 0,
    });
  expect(readdirSync(claude ?? '').sort()).toEqual(['.claude.json', 'settings.json']);
  expect(readdirSync(codex ?? '').sort()).toEqual(['config.toml', 'hooks.json']);
  for (const moved of ['.claude.json', '.claude', '.codex'])
    expect(existsSync(path.join(place.home, moved))).toBe(false);
  for (const client of ['claude-code', 'codex'])
    expect(await place.ken(['setup', client, '--user', '--remove'], { environment })).toMatchObject({
      code: 0,
    });
  expect([claude, codex].map((directory) => readdirSync(directory ?? ''))).toEqual([[], []]);
});

describe('the list', () => {
  it('says which clients are on this machine', async () => {
    const place = sandboxHere('');
    const directory = path.join(place.home, 'bin');
    mkdirSync(path.join(directory, 'goose'), { recursive: true });
    for (const [name, mode] of [
      ['codex', 0o755],
      ['amp', 0o644],
    ] as const)
      writeFileSync(path.join(directory, name), '', { mode });
    mkdirSync(path.join(place.home, '.lmstudio'));
    const here = async (PATH: string) =>
      (await listedBy(place, { PATH })).filter((row) => row.here).map(({ client }) => client);
    expect(new Set(await here(directory))).toEqual(new Set(['codex', 'lm-studio']));
    expect(await here('bin')).toEqual(['lm-studio']);
    const { stdout } = await place.ken(['setup', '--list'], { environment: { PATH: directory } });
    expect(stdout).toContain(`here\tcodex\t${place.root}/.codex/config.toml\n`);
    expect(stdout).toContain(`-\tzed\t${place.root}/.zed/settings.json\n`);
  });

  it('shows every other file when some cannot be read', async () => {
    const place = sandboxHere('');
    const secret = path.join(place.home, 'secret.json');
    writeFileSync(secret, '{"mcpServers": {"ken": {}}}');
    symlinkSync(secret, path.join(place.root, '.mcp.json'));
    place.write('opencode.json', '{ "mcp": { = }');
    mkdirSync(path.join(place.root, '.zed'));
    execFileSync('mkfifo', [path.join(place.root, '.zed/settings.json')]);
    await place.ken(['setup', 'codex']);
    const rows = await listedBy(place);
    expect(rows.filter(({ problem }) => problem !== null).map(({ client }) => client)).toEqual([
      'claude-code',
      'opencode',
      'zed',
    ]);
    expect(rows).toContainEqual(expect.objectContaining({ client: 'codex', set_up: true, problem: null }));
    const { code, stdout, stderr } = await place.ken(['setup', '--list']);
    expect(code).toBe(0);
    expect(stdout.match(/^unreadable\t/gm)).toHaveLength(3);
    expect(stderr).toContain(`warning: ${place.root}/opencode.json:1:`);
  });

  it('tells the entry of this workspace from one of the same name', async () => {
    const place = sandboxHere('');
    const roots = ['a/web', 'b/web'].map((name) => path.join(place.root, name));
    for (const root of roots) mkdirSync(path.join(root, '.ken'), { recursive: true });
    const isSetUp = async (directory = '') => {
      const { stdout } = await place.ken(['setup', '--list', '--json'], { directory });
      return JSON.parse(stdout).clients.find(({ client }: { client: string }) => client === 'lm-studio')
        .set_up;
    };
    await place.ken(['setup', 'lm-studio'], { directory: roots[0] ?? '' });
    expect(await Promise.all(roots.map(isSetUp))).toEqual([true, false]);
    await place.ken(['setup', 'lm-studio'], { directory: roots[1] ?? '' });
    expect(await Promise.all(roots.map(isSetUp))).toEqual([true, true]);
  });
});

it('knows its clients', async () => {
  const { code, stderr } = await sandboxHere('').ken(['setup', 'cursr']);
  expect(code).toBe(2);
  expect(stderr).toContain('cursor');
});

it('says when clients will not find the program', async () => {
  const { code, stderr } = await sandboxHere('').ken(['setup', 'vscode'], {
    environment: { PATH: '/nowhere' },
  });
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
