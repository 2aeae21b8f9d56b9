import { expect, it } from 'vitest';
import { type ToolEntry, toolSettings } from './tool-settings.ts';

const one = (entry: ToolEntry, defaults?: ToolEntry) =>
  toolSettings({ ...(defaults && { '*': defaults }), t: entry })[0];

it.each<[string, ToolEntry, unknown]>([
  ['a command', { source: 'local', command: 'ls' }, { kind: 'command', tool: 't', command: 'ls' }],
  [
    'one of several tools',
    { source: 'local.x', command: 'ls' },
    { kind: 'command', tool: 'x', command: 'ls' },
  ],
  ['no source but a command', { command: 'ls' }, { kind: 'command', tool: 't', command: 'ls' }],
  [
    'a component, whatever command there is',
    { source: 'local', command: 'ls', wasm: 'x.wasm', access: 'read', paths: ['a'] },
    { kind: 'wasm', tool: 't', wasm: { file: 'x.wasm', access: 'read', paths: ['a'] } },
  ],
  [
    'a component that does not say what it may do',
    { source: 'local.y', wasm: 'x.wasm' },
    { kind: 'wasm', tool: 'y', wasm: { file: 'x.wasm', access: undefined, paths: [] } },
  ],
  ['a builtin', { source: 'builtin' }, { kind: 'builtin', tool: 't' }],
  ['a builtin under another name', { source: 'builtin.learn' }, { kind: 'builtin', tool: 'learn' }],
  ['nothing but a switch', { enable: false }, { kind: 'builtin', tool: 't' }],
  ['a server', { source: 'mcp.git' }, { kind: 'mcp', server: 'git', tool: 't' }],
  ['a tool of a server', { source: 'mcp.git.log.all' }, { kind: 'mcp', server: 'git', tool: 'log.all' }],
])('knows where a tool is from: %s', (_, entry, source) => {
  expect(one(entry)?.source).toEqual(source);
});

it.each<[ToolEntry, string]>([
  [{ source: 'shell', command: 'ls' }, 'conversation.tools.t has the unknown source "shell".'],
  [{ source: 'local' }, 'conversation.tools.t has neither "command" nor "wasm".'],
  [{ source: 'mcp' }, 'conversation.tools.t does not say which server it is of.'],
  [
    { command: 'ls', parameters: { p: { type: 'text' } } },
    'conversation.tools.t.parameters.p.type must be array, boolean, integer, null, number, object or string, or a list of them.',
  ],
])('makes an entry broken, and no other: %j', (entry, message) => {
  const fault = expect.objectContaining({ code: 'config/invalid', message });
  expect(toolSettings({ t: entry, u: { command: 'ls' } }).map(({ source }) => source)).toEqual([
    { kind: 'broken', tool: 't', fault },
    { kind: 'command', tool: 'u', command: 'ls' },
  ]);
});

it('names the builtin that a broken entry was meant for', () => {
  expect(one({ source: 'builtin.search', parameters: { p: { type: 'text' } } })?.source).toMatchObject({
    kind: 'broken',
    tool: 'search',
  });
});

it('asks before it runs what is not ours, and leaves ours as they are', () => {
  expect(one({ command: 'ls' })?.run).toBe('ask');
  expect(one({ source: 'mcp.a.b' })?.run).toBe('ask');
  expect(one({ source: 'builtin' })?.run).toBeUndefined();
});

it('takes defaults for what is not ours', () => {
  const defaults: ToolEntry = {
    run: 'unattended',
    timeout: 5,
    result_limit: 100,
    enable: false,
    questions: { sure: { answer: true }, who: { target: 'assistant' } },
  };
  expect(one({ command: 'ls', timeout: 7, questions: { sure: { answer: false } } }, defaults)).toMatchObject({
    run: 'unattended',
    timeoutMs: 7000,
    resultLimitBytes: 100,
    isEnabled: false,
    questions: { sure: { answer: false }, who: { target: 'assistant' } },
  });
  expect(one({ source: 'builtin' }, defaults)).toMatchObject({ isEnabled: true, timeoutMs: undefined });
});

it('takes what a component may do from the defaults, unless it says so itself', () => {
  const defaults: ToolEntry = { access: 'read', paths: ['src'] };
  expect(one({ wasm: 'x.wasm' }, defaults)?.source).toMatchObject({
    wasm: { access: 'read', paths: ['src'] },
  });
  expect(
    one({ wasm: 'x.wasm', paths: [], parameters: {} }, { ...defaults, parameters: {} })?.source,
  ).toMatchObject({ wasm: { access: 'read', paths: ['src'] } });
  expect(one({ wasm: 'x.wasm', access: 'write', paths: ['out'] }, defaults)?.source).toMatchObject({
    wasm: { access: 'write', paths: ['out'] },
  });
});

const KINDS: ToolEntry[] = [
  { source: 'local' },
  { command: 'ls' },
  { wasm: 'x.wasm' },
  { parameters: { x: { type: 'string' } } },
];

it.each(KINDS)('wrong defaults break every tool that would take them: %j', (defaults) => {
  const [key = ''] = Object.keys(defaults);
  const message = `conversation.tools.'*' cannot have "${key}".`;
  const fault = expect.objectContaining({ code: 'config/invalid', message });
  const settings = toolSettings({ '*': defaults, t: { command: 'ls' }, learn: { run: 'deny' } });
  expect(settings.map(({ name, source }) => [name, source])).toEqual([
    ['*', { kind: 'broken', tool: '*', fault }],
    ['t', { kind: 'broken', tool: 't', fault }],
    ['learn', { kind: 'builtin', tool: 'learn' }],
  ]);
});

it('makes a schema of the parameters', () => {
  const parameters = {
    path: { type: 'string', description: 'A path.', required: true, enum: [] },
    depth: { type: 'integer', default: 3 },
  };
  expect(one({ command: 'ls', parameters })?.parameters).toEqual({
    type: 'object',
    properties: { path: { type: 'string', description: 'A path.' }, depth: { type: 'integer', default: 3 } },
    required: ['path'],
    additionalProperties: false,
  });
});

it('keeps the order of the configuration', () => {
  const entries = { z: { command: 'a' }, '*': {}, a: { command: 'a' } };
  expect(toolSettings(entries).map(({ name }) => name)).toEqual(['z', 'a']);
});
