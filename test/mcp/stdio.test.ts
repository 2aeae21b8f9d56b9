import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { LAUNCHER, ODD_SERVER, serverEnvironment } from './connect.ts';
import { gardenWorkspace, TOPICS } from './garden.ts';
import { itServes } from './serving.contract.ts';

itServes('stdio');

const WAIT = { timeout: 20_000, interval: 20 };

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

function start(
  place: Sandbox,
  program: string,
  words: readonly string[],
  { directory = place.root, environment = {} } = {},
) {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: directory,
    env: { ...serverEnvironment(place), ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const lines = () => printed.join('').split('\n').filter(Boolean);
  return { child, send, lines, ended: once(child, 'exit') };
}

function callOf(name: string, id: number) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } };
}

it('prints protocol messages only, and ends by itself when its input does', async () => {
  const { child, send, lines, ended } = start(gardenWorkspace(), LAUNCHER, ['mcp']);
  send(INITIALIZE);
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  await vi.waitUntil(() => lines().length >= 2, WAIT);
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(lines().map((line) => JSON.parse(line).id)).toEqual([1, 2]);
});

it('ends when nobody reads its answers any more', async () => {
  const { child, send, lines, ended } = start(gardenWorkspace(), LAUNCHER, ['mcp']);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  send(INITIALIZE);
  await vi.waitUntil(() => lines().length >= 1, WAIT);
  child.stdout.destroy();
  for (let id = 2; id < 50; id++) send({ jsonrpc: '2.0', id, method: 'tools/list' });
  child.stdin.on('error', () => {});
  expect([await ended, said]).toEqual([[0, null], '']);
});

it('ends, and says why, when a message is too long to be kept', async () => {
  const { child, send, lines, ended } = start(gardenWorkspace(), LAUNCHER, ['mcp']);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  child.stdin.on('error', () => {});
  send(INITIALIZE);
  await vi.waitUntil(() => lines().length >= 1, WAIT);
  child.stdin.write('x'.repeat(11 * 1024 * 1024));
  expect([await ended, said]).toEqual([
    [1, null],
    'ken: The client sent a message of more than 10 MiB, so the connection was closed.\n',
  ]);
  for (const line of lines()) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
});

it('warns about what it left out of an untrusted workspace on standard error', async () => {
  const place = sandbox(`${TOPICS}\n[providers.mcp.x]\ncommand = "x"\n`);
  const { child, send, lines, ended } = start(place, LAUNCHER, ['mcp']);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  send(INITIALIZE);
  await vi.waitUntil(() => lines().length >= 1, WAIT);
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(lines()).toHaveLength(1);
  expect(said).toMatch(/^warning: /);
});

it.each<[string, (child: ChildProcessWithoutNullStreams) => void, unknown]>([
  ['its client goes away', (child) => child.stdin.end(), [0, null]],
  ['it is told to end', (child) => child.kill('SIGTERM'), [null, 'SIGTERM']],
])('leaves no process behind when %s in the middle of a call', async (_, end, how) => {
  const place = gardenWorkspace();
  const { child, send, ended } = start(place, ODD_SERVER, []);
  send(INITIALIZE);
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  send(callOf('spawns', 2));
  await vi.waitUntil(() => existsSync(path.join(place.root, 'started')), WAIT);
  await vi.waitUntil(() => marked(place).length > 0, WAIT);
  end(child);
  expect(await ended).toEqual(how);
  await vi.waitUntil(() => marked(place).length === 0, WAIT);
});

it('ends with a trace on standard error when a tool brings the process down', async () => {
  const place = gardenWorkspace();
  const { send, lines, ended, child } = start(place, ODD_SERVER, []);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  send(INITIALIZE);
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  send(callOf('dies', 2));
  const [code] = await ended;
  expect(code).not.toBe(0);
  expect(said).toContain('a bug that nobody can catch');
  for (const line of lines()) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
});

/** Processes that carry the mark of this workspace in their environment. */
function marked({ root }: Sandbox): string[] {
  return readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && environmentOf(name).includes(`MARK=${root}/`),
  );
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

it('answers messages of a bad shape with an error in a sentence', async () => {
  const { child, send, lines } = start(gardenWorkspace(), LAUNCHER, ['mcp']);
  send(INITIALIZE);
  await vi.waitUntil(() => lines().length >= 1, WAIT);
  child.stdin.write('not JSON\n[1]\n');
  send({ jsonrpc: '1.0', id: 2, method: 'ping' });
  send({ jsonrpc: '2.0', id: 3, method: 'tools/list', params: [] });
  send({ jsonrpc: '2.0', id: 4, method: 'resources/list', params: { cursor: 5 } });
  send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'search', arguments: null } });
  send({ jsonrpc: '2.0', id: 6, method: 'resources/read', params: { uri: 'ken://kb/project/none' } });
  await vi.waitUntil(() => lines().length >= 8, WAIT);
  const errors = lines()
    .slice(1)
    .map((line) => JSON.parse(line))
    .map(({ id, error }) => [id, error.code, error.message]);
  const sorted = errors.toSorted(([a], [b]) => (a ?? 0) - (b ?? 0));
  expect(sorted).toEqual([
    [null, -32700, 'The line is not JSON.'],
    [null, -32600, 'A message is one object; batches are not accepted.'],
    [2, -32600, '"jsonrpc" must be "2.0".'],
    [3, -32600, '"params" must be an object.'],
    [4, -32602, 'The parameters do not fit: params.cursor must be a string.'],
    [5, -32602, 'The parameters do not fit: params.arguments must be an object.'],
    [6, -32002, 'There is nothing at ken://kb/project/none. The topic has no subject "none".'],
  ]);
});

it('answers every request that has an id in a short sentence, whatever is in it', async () => {
  const { child, send, lines } = start(gardenWorkspace(), LAUNCHER, ['mcp']);
  const long = 'x'.repeat(900_000);
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  child.stdin.write(`\ufeff${JSON.stringify(INITIALIZE)}\r\n\n  \n`);
  send({ jsonrpc: '2.0', id: 2, method: long });
  send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: long } });
  send({ jsonrpc: '2.0', id: 4, method: 'prompts/get', params: { name: long } });
  send({ jsonrpc: '2.0', id: 5, method: 'resources/read', params: { uri: `ken://kb/${long}` } });
  send({ jsonrpc: '2.0', id: 6, method: 'tools/list', params: { _meta: 5 } });
  send({ jsonrpc: '2.0', id: 7, method: 'ping', result: {} });
  send({ jsonrpc: '2.0', id: 8, method: 'notifications/cancelled', params: { requestId: 3 } });
  child.stdin.write(
    `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"search","arguments":{"question":${deep}}}}\n`,
  );
  send({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });
  send({
    jsonrpc: '2.0',
    id: 10,
    method: 'tools/call',
    params: { name: 'search', arguments: { [long]: 1 } },
  });
  child.stdin.write(
    Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":11,"method":"p'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}\n'),
    ]),
  );
  await vi.waitUntil(() => lines().length >= 12, WAIT);
  const answers = lines().map((line) => JSON.parse(line));
  const answered = answers.flatMap(({ id }) => (id === undefined ? [] : [id])).sort((a, b) => a - b);
  expect(answered).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  const said = answers.flatMap(
    ({ error, result, params }) => error?.message ?? result?.content?.[0].text ?? params?.data ?? [],
  );
  for (const sentence of said) {
    expect(sentence).toMatch(/^[A-Z"][\s\S]{5,2000}[.)]$/);
    expect(sentence).not.toMatch(/invalid_|expected|stack|Zod/);
  }
  expect(said).toHaveLength(11);
});

it('serves the project that the client names, and elsewhere the personal workspace', async () => {
  const place = gardenWorkspace();
  const directory = path.join(place.root, '..');
  const instructed = async (environment: object) => {
    const { child, send, lines, ended } = start(place, LAUNCHER, ['mcp'], { directory, environment });
    send(INITIALIZE);
    await vi.waitFor(() => expect(lines()).toHaveLength(1), WAIT);
    child.stdin.end();
    await ended;
    return JSON.parse(lines()[0] ?? '').result.instructions;
  };
  const inside = path.join(place.root, 'skills');
  expect(await instructed({ CLAUDE_PROJECT_DIR: inside })).toContain('General Project Knowledge');
  expect(await instructed({})).not.toContain('General Project Knowledge');
  expect(existsSync(path.join(place.home, 'data/personal/.ken/config.toml'))).toBe(true);
});
