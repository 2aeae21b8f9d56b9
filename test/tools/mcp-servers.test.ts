/** Servers that others made: the official ones, and what the official SDK makes of both eras and both transports. */

import path from 'node:path';
import { expect, it } from 'vitest';
import { writeOwnConfig } from '../cli/own-config.ts';
import {
  ALLOW,
  everythingOverHttp,
  httpServer,
  official,
  SCRIPTED,
  sdkServer,
  serverConfig,
  toolConfig,
  variable,
} from './mcp-sandbox.ts';
import { toml, toolSandbox } from './tool-sandbox.ts';

const outcomeOf = (stdout: string) => JSON.parse(stdout).outcome;

it('uses the official everything server', async () => {
  const tools = [
    'echo',
    'get-sum',
    'get-tiny-image',
    'get-structured-content',
    'trigger-long-running-operation',
  ];
  const config = tools.map((tool) => toolConfig(tool, `mcp.everything.${tool}`)).join('\n');
  const { ken } = toolSandbox(`${ALLOW}${official('everything', ['stdio'])}${config}`);
  const said = async (tool: string, given: object) =>
    outcomeOf((await ken(['tools', 'run', tool, JSON.stringify(given), '--json'])).stdout);
  expect(await said('echo', { message: 'hi' })).toEqual({ type: 'success', content: 'Echo: hi' });
  expect(await said('get-sum', { a: 2, b: 3 })).toEqual({
    type: 'success',
    content: 'The sum of 2 and 3 is 5.',
  });
  expect((await said('get-tiny-image', {})).content).toContain('(image, image/png, ');
  expect((await said('get-structured-content', { location: 'Chicago' })).content).toContain('temperature');
  expect(await said('trigger-long-running-operation', { duration: 0.2, steps: 2 })).toMatchObject({
    type: 'success',
  });
});

it('uses the official filesystem server', async () => {
  const place = toolSandbox('');
  const config = ['read_text_file', 'write_file']
    .map((tool) => toolConfig(tool, `mcp.filesystem.${tool}`))
    .join('\n');
  writeOwnConfig(place.home, `${ALLOW}${official('filesystem', [place.root])}${config}`);
  const file = path.join(place.root, 'a.txt');
  const run = (tool: string, given: object) => place.ken(['tools', 'run', tool, JSON.stringify(given)]);
  expect((await run('write_file', { path: file, content: 'new\n' })).code).toBe(0);
  expect(await run('read_text_file', { path: file })).toMatchObject({ code: 0, stdout: 'new\n' });
  const outside = await run('read_text_file', { path: '/etc/hostname' });
  expect(outside).toMatchObject({ code: 1, stdout: '' });
  expect(outside.stderr).toContain('Access denied');
});

it('uses the official memory server', async () => {
  const tools = ['create_entities', 'read_graph']
    .map((tool) => toolConfig(tool, `mcp.memory.${tool}`))
    .join('\n');
  const { ken, root } = toolSandbox(
    `${ALLOW}${official('memory', [], `env = { MEMORY_FILE_PATH = "${variable('FILE')}" }`)}${tools}`,
  );
  const environment = { FILE: path.join(root, 'graph.jsonl') };
  const entities = [{ name: 'tea', entityType: 'drink', observations: ['hot'] }];
  const made = await ken(['tools', 'run', 'create_entities', JSON.stringify({ entities })], { environment });
  expect(made.code).toBe(0);
  const { stdout } = await ken(['tools', 'run', 'read_graph'], { environment });
  expect(JSON.parse(stdout)).toEqual({ entities, relations: [] });
});

it.each([
  ['everything', ['stdio'], ['echo', 'get-sum', 'trigger-long-running-operation']],
  ['filesystem', ['/tmp'], ['read_text_file', 'write_file', 'list_directory']],
  ['memory', [], ['create_entities', 'read_graph']],
] as const)('lists what the official %s server offers', async (name, words, tools) => {
  const { ken } = toolSandbox(official(name, words));
  const { stdout } = await ken(['tools', 'ls', '--server', name, '--json']);
  const sources = JSON.parse(stdout).offers.map(({ source }: { source: string }) => source);
  expect(sources).toEqual(expect.arrayContaining(tools.map((tool) => `mcp.${name}.${tool}`)));
});

it('no longer uses a tool of an official server that says something else than when it was accepted', async () => {
  const place = toolSandbox('');
  const config = (server: string, more = '') =>
    writeOwnConfig(
      place.home,
      `${more}${server}${toolConfig('echo', 'mcp.everything.echo', 'run = "unattended"')}`,
    );
  const run = () => place.ken(['tools', 'run', 'echo', '{"message":"hi"}']);
  config(official('everything', ['stdio']), ALLOW);
  expect(await run()).toMatchObject({ code: 0, stdout: 'Echo: hi\n' });
  config(official('everything', ['stdio']));
  expect(await run()).toMatchObject({ code: 0, stdout: 'Echo: hi\n' });
  // Another server under its name.
  config(serverConfig('everything', [SCRIPTED, place.home]));
  expect(await run()).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringContaining('needs your approval in its present form before it is used.'),
  });
});

const era = toolConfig('era', 'mcp.s.era');

it('speaks the newer protocol over standard streams', async () => {
  const { ken } = toolSandbox(`${ALLOW}${sdkServer('s', ['stdio'])}${era}`);
  expect(await ken(['tools', 'run', 'era'])).toMatchObject({ code: 0, stdout: 'modern\n' });
});

it.each(['http', 'http-modern'])('speaks the newer protocol over %s', async (how) => {
  const url = await httpServer([how]);
  const { ken } = toolSandbox(
    `${ALLOW}[net]\nallow = ["127.0.0.1"]\n[providers.mcp.s]\nurl = ${toml(url)}\n${era}`,
  );
  expect(await ken(['tools', 'run', 'era', '{"word":"!"}'])).toMatchObject({ code: 0, stdout: 'modern!\n' });
});

it('speaks the older protocol over HTTP, with a session that it ends', async () => {
  const { url, said } = await everythingOverHttp();
  const tools = ['echo', 'trigger-long-running-operation'].map((tool) => toolConfig(tool, `mcp.s.${tool}`));
  const { ken } = toolSandbox(
    `${ALLOW}[net]\nallow = ["127.0.0.1"]\n[providers.mcp.s]\nurl = ${toml(url)}\n${tools.join('')}`,
  );
  expect(await ken(['tools', 'run', 'echo', '{"message":"hi"}'])).toMatchObject({
    code: 0,
    stdout: 'Echo: hi\n',
  });
  const long = await ken(['tools', 'run', 'trigger-long-running-operation', '{"duration":0.5,"steps":2}']);
  expect(long.stdout).toContain('completed');
  expect(said()).toContain('session termination');
});

it('connects to this machine only when net.allow says so', async () => {
  const url = await httpServer(['http']);
  const { ken } = toolSandbox(`${ALLOW}[providers.mcp.s]\nurl = ${toml(url)}\n${era}`);
  expect(await ken(['tools', 'run', 'era'])).toEqual({
    code: 4,
    stdout: '',
    stderr:
      'ken: The server "s": 127.0.0.1 is a loopback address; ken does not connect to those.\n' +
      'hint: If you trust it, add "127.0.0.1" to net.allow with "ken config set --user --append net.allow".\n',
  });
});

it('proves who it is with what the environment holds', async () => {
  const url = await httpServer(['http', 's3cret']);
  const header = `headers = { Authorization = "Bearer ${variable('TOKEN')}" }`;
  const { ken } = toolSandbox(
    `${ALLOW}[net]\nallow = ["127.0.0.1"]\n[providers.mcp.s]\nurl = ${toml(url)}\n${header}\n${era}`,
  );
  const told = await ken(['tools', 'run', 'era'], { environment: { TOKEN: 's3cret' } });
  expect(told).toMatchObject({ code: 0, stdout: 'modern\n' });
  expect(await ken(['tools', 'run', 'era'], { environment: { TOKEN: 'guess' } })).toEqual({
    code: 4,
    stdout: '',
    stderr:
      'ken: The server "s" requires authentication.\n' +
      `hint: Set providers.mcp.s.headers, as in Authorization = "Bearer ${variable('TOKEN')}".\n`,
  });
});
