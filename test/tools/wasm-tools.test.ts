/** Components as tools, called by the real binary. */

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { javascriptGuest } from '../wasm/build-guest.ts';
import { serve } from '../web/servers.ts';
import { toolSandbox } from './tool-sandbox.ts';

const READ_FILE = path.join(import.meta.dirname, '../../guests/read-file/read-file.wasm');

const isRoot = process.getuid?.() === 0;

const READER = `[conversation.tools.reader]
source = "local"
wasm = "@home/reader.wasm"
command = "touch ran-the-command"
description = "Reads a file."
run = "unattended"
access = "read"
`;
const PATH_PARAMETER = '[conversation.tools.reader.parameters.path]\ntype = "string"\nrequired = true\n';

function readerSandbox(more = ''): Sandbox {
  const place = toolSandbox(`${READER}${more}${PATH_PARAMETER}`);
  copyFileSync(READ_FILE, path.join(place.home, 'reader.wasm'));
  place.write('src/main.txt', 'the text\n');
  return place;
}

const withoutTimes = (text: string) => text.replace(/^took .*\n/m, '');

it('runs a component in place of the command, and says what it touched', async () => {
  const { ken, root } = readerSandbox();
  const { code, stdout, stderr } = await ken(['tools', 'run', 'reader', '{"path":"src/main.txt"}']);
  expect({ code, stdout, stderr: withoutTimes(stderr) }).toEqual({
    code: 0,
    stdout: 'the text\n',
    stderr: 'read /workspace/src/main.txt (9 bytes)\n',
  });
  expect(existsSync(path.join(root, 'ran-the-command'))).toBe(false);
});

it('says what a call used that gave no result, also as JSON', async () => {
  const { ken } = readerSandbox();
  const words = [
    'tools',
    'run',
    path.join(import.meta.dirname, '../wasm/misbehave/misbehave.wasm'),
    '{"do":"exit"}',
  ];
  const told = await ken(words);
  expect(told).toMatchObject({ code: 1, stderr: expect.stringMatching(/^took .* MiB of memory\n/) });
  const { code, stderr } = await ken(['--json', ...words]);
  expect({ code, ...JSON.parse(stderr) }).toMatchObject({
    code: 1,
    error: { code: 'wasm/trap', receipt: { ended: true, memoryPeakBytes: expect.any(Number) } },
  });
});

it('lets a component see only the paths it is given', async () => {
  const { ken, root, write } = readerSandbox('paths = ["src", "link", "missing"]\n');
  write('secret.txt', 'secret');
  mkdirSync(path.join(root, '../outside'));
  symlinkSync('../outside', path.join(root, 'link'));
  const read = async (file: string) =>
    (await ken(['tools', 'run', 'reader', JSON.stringify({ path: file })])).stdout;
  expect(await read('src/main.txt')).toBe('the text\n');
  expect(await read('secret.txt')).toBe('');
  expect(await read('link/../../secret.txt')).toBe('');
});

it('says what is wrong with a component that is missing or no tool', async () => {
  const { ken, home } = readerSandbox();
  writeFileSync(path.join(home, 'reader.wasm'), 'no wasm');
  const broken = await ken(['tools', 'run', 'reader', '{"path":"x"}']);
  expect({ code: broken.code, stderr: broken.stderr }).toEqual({
    code: 1,
    stderr: 'ken: The file is not WebAssembly.\n',
  });
  const missing = await ken(['tools', 'run', 'nowhere.wasm', '{}']);
  expect({ code: missing.code, stderr: missing.stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^ken: There is no component at .*nowhere\.wasm\.\n/),
  });
});

it('checks the component of a tool by its name, from anywhere in the workspace', async () => {
  const { ken, home, root } = readerSandbox();
  const file = path.join(home, 'reader.wasm');
  const directory = path.join(root, 'src');
  const { code, stdout } = await ken(['tools', 'check', 'reader', '--json'], { directory });
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 0,
    file,
    fits: true,
    size_bytes: readFileSync(READ_FILE).length,
  });
  writeFileSync(file, 'no wasm');
  expect(await ken(['tools', 'check', 'reader'], { directory })).toEqual({
    code: 6,
    stdout: `${file} is not a tool. The file is not WebAssembly.\n`,
    stderr: '',
  });
});

it.each(['.ken/tools/reader.wasm', '.ken/tools'])(
  'says nothing about a file when %s may not be read',
  async (closed) => {
    const { ken, root, home } = sandboxHere();
    const file = path.join(root, '.ken/tools/reader.wasm');
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(READ_FILE, file);
    if (isRoot) execFileSync('chmod', ['-R', 'a+rwX', path.dirname(root)]);
    chmodSync(path.join(root, closed), 0);
    onTestFinished(() => chmodSync(path.join(root, closed), 0o700));
    expect(await ken(['tools', 'check', file], { directory: home, asNobody: isRoot })).toEqual({
      code: 1,
      stdout: '',
      stderr: `ken: ${file} cannot be read.\n`,
    });
  },
);

it.each(['deploy', 'count-lines'])('writes no new tool over the definition of %s', async (name) => {
  const config = `[conversation.tools.${name}]\ncommand = "make deploy"\ndescription = "Deploys."\n`;
  const untrusted = toolSandbox('', config);
  const own = toolSandbox(config, '# empty\n');
  for (const { ken, root } of [untrusted, own]) {
    const before = readFileSync(path.join(root, '.ken/config.toml'), 'utf8');
    const { code, stderr } = await ken(['tools', 'new', name]);
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: expect.stringContaining(`ken: There is a tool "${name}" already.\nhint: See "ken tools ls".\n`),
    });
    expect(readFileSync(path.join(root, '.ken/config.toml'), 'utf8')).toBe(before);
    expect(existsSync(path.join(root, '.ken/tools'))).toBe(false);
  }
});

it('does not run a component of the workspace that was swapped after it was trusted', async () => {
  const place = toolSandbox(
    'approvals.noninteractive = "allow"\n',
    `${READER}${PATH_PARAMETER}`.replace('@home', '.ken/tools'),
  );
  mkdirSync(path.join(place.root, '.ken/tools'), { recursive: true });
  const file = path.join(place.root, '.ken/tools/reader.wasm');
  copyFileSync(READ_FILE, file);
  place.write('a.txt', 'the text\n');
  const run = ['tools', 'run', 'reader', '{"path":"a.txt"}'];
  expect((await place.ken(run)).code).toBe(3);
  expect((await place.ken(['trust'])).code).toBe(0);
  expect(await place.ken(run)).toMatchObject({ code: 0, stdout: 'the text\n' });
  copyFileSync(await javascriptGuest(WRITER), file);
  expect(await place.ken(run)).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'warning: this workspace has changed since it was trusted, so conversation.tools.reader is left out; ' +
      'see "ken trust --show".\nken: There is no tool "reader" that can be used here.\nhint: See "ken tools ls".\n',
  });
  expect(existsSync(path.join(place.root, 'written.txt'))).toBe(false);
});

const WRITER = {
  name: 'tool-js',
  world: `package ken:writer@0.1.0;
world tool-js { include ken:tool/tool@0.1.0; import wasi:filesystem/preopens@0.2.12; import wasi:filesystem/types@0.2.12; }`,
  source: `import { getDirectories } from 'wasi:filesystem/preopens@0.2.12';
export function run() {
  try {
    const [directory] = getDirectories()[0];
    directory.openAt({}, 'written.txt', { create: true }, { write: true }).write(Uint8Array.of(104, 105), 0);
    return { tag: 'success', val: 'written' };
  } catch (error) {
    return { tag: 'error', val: { message: String(error), trace: [], transient: false } };
  }
}`,
};

it.each([
  [['tools', 'run', 'writer'], 'access = "write"\n', 'written'],
  [['tools', 'run', 'writer'], 'access = "read"\n', 'read-only'],
  [['tools', 'run', 'writer'], 'access = "none"\n', 'TypeError'],
  [['tools', 'run', 'writer'], 'paths = [{ path = ".", access = "write" }]\n', 'written'],
  [['tools', 'run', 'writer'], 'access = "write"\npaths = [{ path = ".", access = "read" }]\n', 'read-only'],
  [
    ['tools', 'run', 'writer'],
    '',
    'The tool sees no files, as its configuration does not say which. Add access = "read" or access = "write" to [conversation.tools.writer], or access = "none" if it needs none.',
  ],
  [['tools', 'run', 'FILE'], '', 'read-only'],
  [['tools', 'run', 'FILE', '--write'], '', 'written'],
])('%j with %j: %s', async (words, more, told) => {
  const file = await javascriptGuest(WRITER);
  const { ken, root, home } = toolSandbox(
    `[conversation.tools.writer]\nrun = "unattended"\nwasm = "@home/writer.wasm"\n${more}`,
  );
  copyFileSync(file, path.join(home, 'writer.wasm'));
  const result = await ken(words.map((word) => (word === 'FILE' ? path.join(home, 'writer.wasm') : word)));
  expect(result.stdout + result.stderr).toContain(told);
  const isWritten = existsSync(path.join(root, 'written.txt'));
  expect(isWritten).toBe(told === 'written');
  if (isWritten) expect(readFileSync(path.join(root, 'written.txt'), 'utf8')).toBe('hi');
});

it.each(['wasm', 'native'])('runs learn as %s with the same words', async (runtime) => {
  const place = toolSandbox(
    `tools.builtin_runtime = "${runtime}"\n`,
    '[kb.topic.t]\nsubjects = "kb"\ntitle = "Things"\n',
  );
  place.write('kb/a.md', '# A\n\nText with </subject> in it.\n');
  place.write('kb/b.toml', 'x = 1\n');
  const list = await place.ken(['tools', 'run', 'learn', '{"topic":"t"}']);
  expect({ code: list.code, stdout: list.stdout }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stdout": "# Topic: Things

    ## Available subjects:

    - a
    - b

    Use the \`learn\` tool with the \`subjects\` argument to learn specific subjects.
    ",
    }
  `);
  const load = await place.ken(['tools', 'run', 'learn', '{"topic":"t","subjects":["*"]}']);
  expect(load.stdout).toMatchInlineSnapshot(`
    "<subject "a">
    # A

    Text with &lt;/subject> in it.
    </subject>

    <subject "b">
    \`\`\`toml
    x = 1
    \`\`\`
    </subject>
    "
  `);
});

it('renames and disables what ken brings', async () => {
  const place = toolSandbox(
    '[conversation.tools.study]\nsource = "builtin.learn"\nrun = "ask"\ndescription = "Studies."\n',
    '[kb.topic.t]\nsubjects = "kb"\n',
  );
  place.write('kb/a.md', 'A');
  const listed = async (...words: string[]) =>
    JSON.parse((await place.ken(['tools', 'ls', '--json', ...words])).stdout).tools.filter(
      ({ name }: { name: string }) => name === 'study' || name === 'learn',
    );
  expect(await listed()).toMatchObject([
    { name: 'study', run: 'ask', description: 'Studies.', source: 'builtin' },
  ]);
  expect(await listed('-c', 'conversation.tools.study.enable=false')).toMatchObject([
    { name: 'study', run: 'disabled', callable: false },
  ]);
});

it.each(['', READER.replace('@home', '.ken/tools')])(
  "runs no bytes of an untrusted workspace because of the user's configuration, whatever the workspace says: %j",
  async (workspaceConfig) => {
    const own = `${READER.replace('@home', '.ken/tools')}${PATH_PARAMETER}`;
    const { ken, root, write } = toolSandbox(own, workspaceConfig);
    mkdirSync(path.join(root, '.ken/tools'), { recursive: true });
    copyFileSync(READ_FILE, path.join(root, '.ken/tools/reader.wasm'));
    write('a.txt', 'the text\n');
    const { code, stdout, stderr } = await ken(['tools', 'run', 'reader', '{"path":"a.txt"}']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(
      'ken: .ken/tools/reader.wasm is in this workspace, which does not name it as a trusted tool.\n' +
        'hint: Install it with "ken tools install FILE", or name a file outside by its absolute path.\n',
    );
  },
);

it('is trusted in words that name each path, host and secret', async () => {
  const place = toolSandbox(
    '',
    `${READER.replace('@home', '.ken/tools').replace('access = "read"', '')}
paths = [{ path = "docs", access = "read" }, { path = "out", access = "write" }]
net = ["api.example.com:443"]
env = { TOKEN = { from = "env:SITE_TOKEN" } }
`,
  );
  mkdirSync(path.join(place.root, '.ken/tools'), { recursive: true });
  copyFileSync(READ_FILE, path.join(place.root, '.ken/tools/reader.wasm'));
  expect((await place.ken(['trust', '--show'])).stdout).toContain(
    'It may read docs. It may read and change out. It may send anything it knows to api.example.com:443. ' +
      'It gets the secrets TOKEN (env:SITE_TOKEN).',
  );
});

it('runs no bytes of an untrusted workspace that a link of the user leads to', async () => {
  const own = `${READER.replace('@home/', '@home/tools/')}${PATH_PARAMETER}`;
  const { ken, root, home, write } = toolSandbox(own);
  mkdirSync(path.join(root, 'build'));
  copyFileSync(READ_FILE, path.join(root, 'build/reader.wasm'));
  symlinkSync(path.join(root, 'build'), path.join(home, 'tools'));
  write('a.txt', 'the text\n');
  const { code, stdout, stderr } = await ken(['tools', 'run', 'reader', '{"path":"a.txt"}']);
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr).toContain(`ken: ${home}/tools/reader.wasm is in this workspace, which does not name it`);
});

it('installs a component, which the user names by its digest in every workspace', async () => {
  const sha256 = createHash('sha256').update(readFileSync(READ_FILE)).digest('hex');
  const { ken, write, home } = toolSandbox(
    READER.replace('@home/reader.wasm', `sha256:${sha256}`) + PATH_PARAMETER,
  );
  write('a.txt', 'the text\n');
  const run = ['tools', 'run', 'reader', '{"path":"a.txt"}'];
  expect(await ken(run)).toMatchObject({
    code: 3,
    stderr: `ken: No tool with the digest ${sha256} is installed.\nhint: Install its file with "ken tools install FILE".\n`,
  });
  expect(await ken(['tools', 'install', READ_FILE])).toEqual({
    code: 0,
    stdout: `[conversation.tools.read-file]\nwasm = "sha256:${sha256}"\ndescription = "…"\naccess = "none"\n`,
    stderr: `${READ_FILE} is installed. Your own configuration file can name it:\n`,
  });
  expect(await ken(run)).toMatchObject({ code: 0, stdout: 'the text\n' });
  expect((await ken(['tools', 'check', 'reader'])).code).toBe(0);
  const installed = path.join(home, 'data/tools', `${sha256}.wasm`);
  writeFileSync(installed, 'other bytes');
  expect(await ken(run)).toMatchObject({ code: 4 });
  write('no.wasm', 'no wasm');
  expect(await ken(['tools', 'install', 'no.wasm'])).toMatchObject({
    code: 1,
    stderr: 'ken: The file is not WebAssembly.\n',
  });
});

const FETCH = path.join(import.meta.dirname, '../wasm/fetch/fetch.wasm');

it('sends the requests that its entry grants, with a secret that is nowhere shown', async () => {
  const { port, headers } = await serve((_request, response) => response.end('found'));
  const net = `net = ["127.0.0.1:${port}"]`;
  const own = `[conversation.tools.fetch]
wasm = "@home/fetch.wasm"
access = "none"
run = "unattended"
${net}
env = { TOKEN = { from = "env:SITE_TOKEN" } }
[conversation.tools.fetch.parameters]
${['method', 'scheme', 'authority', 'path', 'secret'].map((name) => `${name} = { type = "string" }`).join('\n')}
`;
  const place = toolSandbox(own);
  copyFileSync(FETCH, path.join(place.home, 'fetch.wasm'));
  const environment = { SITE_TOKEN: 'sesame-42' };
  const shown = await place.ken(['tools', 'show', 'fetch'], { environment });
  expect(shown.stdout).toContain(
    `reach network, run unattended\nIt sees no files. It may send anything it knows to 127.0.0.1:${port}. ` +
      'It gets the secrets TOKEN (env:SITE_TOKEN).\n',
  );
  const asked = {
    method: 'GET',
    scheme: 'HTTP',
    authority: `127.0.0.1:${port}`,
    path: '/a',
    secret: 'TOKEN',
  };
  const run = () => place.ken(['tools', 'run', 'fetch', JSON.stringify(asked)], { environment });
  const refused = await run();
  expect([refused.code, withoutTimes(refused.stderr)]).toEqual([
    1,
    `warning: destination-IP-prohibited\nsent GET http://127.0.0.1:${port}/a (0 bytes sent, 0 received): ` +
      'failed: 127.0.0.1 is a loopback address; ken does not connect to those.\n',
  ]);
  const allowing = `${own}[net]\nallow = ["127.0.0.1:${port}"]\n`;
  writeOwnConfig(place.home, allowing.replaceAll('@home', place.home));
  const allowed = await run();
  expect([allowed.code, allowed.stdout, withoutTimes(allowed.stderr)]).toEqual([
    0,
    '200 found\n',
    `sent GET http://127.0.0.1:${port}/a (0 bytes sent, 5 received): answered 200\n`,
  ]);
  expect(headers.map((each) => each['x-secret'])).toEqual(['sesame-42']);
  // No file has it: grep finds nothing, which is its status 1.
  expect(spawnSync('grep', ['-rl', 'sesame-42', place.home, place.root]).status).toBe(1);
});
