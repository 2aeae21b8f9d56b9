import { expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import type { LayerStanding } from './authority.ts';
import type { Change } from './change.ts';
import { type Layer, resolveConfig } from './resolve.ts';
import type { Tree } from './tree.ts';

const merge = (value: Json): Change => ({ op: 'merge', path: [], value });
const layer = (standing: LayerStanding, ...changes: Change[]): Layer => ({
  origin: { kind: 'file', name: standing },
  standing,
  changes,
});
const trusted = async () => true;
const untrusted = async () => false;

async function labels(...values: Json[]) {
  const layers = values.map((value) => layer('workspace', merge({ conversation: { labels: value } })));
  const { config, problems } = await resolveConfig(layers, untrusted);
  return problems.length > 0 ? problems.map(({ message }) => message) : config.conversation.labels;
}

const low = { a: { value: '1', run: 'deny' }, b: 'low' };
const rules = {
  multi: false,
  apply_on: { new: true, fork: false, turn: false },
  run: 'ask',
  timeout: 10,
};

it.each([
  ['deep_merge', { a: { ...rules, value: '2', run: 'deny' }, b: 'low', c: 'new' }],
  ['merge', { a: { ...rules, value: '2' }, b: 'low', c: 'new' }],
  ['keep', { a: { ...rules, value: '1', run: 'deny' }, b: 'low', c: 'new' }],
  ['replace', { a: { ...rules, value: '2' }, c: 'new' }],
])('labels meet by the strategy %s', async (strategy, expected) => {
  expect(await labels(low, { strategy, value: { a: { value: '2' }, c: 'new' } })).toEqual(expected);
});

it('merges labels deeply without a strategy, a text standing for its table', async () => {
  expect(await labels(low, { b: { run: 'deny' }, a: 'text' })).toEqual({
    a: { ...rules, value: 'text', run: 'deny' },
    b: { ...rules, value: 'low', run: 'deny' },
  });
});

it('takes two labels named strategy and value for what they are, and refuses an unknown strategy', async () => {
  expect(await labels({ strategy: 'x', value: 'y' })).toEqual({ strategy: 'x', value: 'y' });
  expect(await labels({ strategy: 'sideways', value: {} })).toEqual(['the strategy is unknown']);
});

it.each(['workspace', 'conversation'] as const)(
  'a %s lets no command of others run unasked',
  async (standing) => {
    const mine = { conversation: { labels: { host: { value: { cmd: 'hostname' } } } } };
    const theirs = { conversation: { labels: { host: { run: 'unattended' } } } };
    const layers = [layer('user', merge(mine)), layer(standing, merge(theirs))];
    const { config, omissions } = await resolveConfig(layers, untrusted);
    expect(config.conversation.labels.host).toMatchObject({ run: 'ask' });
    expect(omissions.map(({ path }) => path.join('.'))).toEqual(['conversation.labels.host']);
  },
);

const tool: Tree = { conversation: { tools: { x: { source: 'local', command: 'ls' } } } };

it.each([
  ['user', untrusted, true],
  ['operator', untrusted, true],
  ['workspace', trusted, true],
  ['workspace', untrusted, false],
  ['conversation', trusted, false],
] as const)('a %s layer defining a tool', async (standing, isTrusted, holds) => {
  const { config, omissions } = await resolveConfig([layer(standing, merge(tool))], isTrusted);
  expect('x' in config.conversation.tools).toBe(holds);
  expect(omissions.map(({ path }) => path.join('.'))).toEqual(holds ? [] : ['conversation.tools.x']);
});

it('keeps the harmless part of a layer that asks for too much', async () => {
  const asked = { ...tool, assistant: { name: 'ada' } };
  const { config } = await resolveConfig([layer('workspace', merge(asked))], untrusted);
  expect(config.assistant.name).toBe('ada');
});

it('asks about trust once, and only when a workspace needs it', async () => {
  let asks = 0;
  const counting = async () => {
    asks += 1;
    return true;
  };
  await resolveConfig(
    [layer('user', merge(tool)), layer('workspace', merge({ assistant: { name: 'x' } }))],
    counting,
  );
  expect(asks).toBe(0);
  await resolveConfig([layer('workspace', merge(tool), merge(tool))], counting);
  expect(asks).toBe(1);
});

it.each([
  ['set', { op: 'set', path: ['approvals', 'noninteractive'], value: 'allow' }],
  ['unset', { op: 'unset', path: ['approvals', 'noninteractive'] }],
  ['take', { op: 'take', path: ['net', 'allow'], value: ['host'] }],
  ['append', { op: 'append', path: ['net', 'allow'], value: ['host'] }],
] as const)('a conversation cannot %s a user key', async (_, change) => {
  const { problems } = await resolveConfig([layer('conversation', change)], trusted);
  expect(problems.map(({ code }) => code)).toEqual(['config/denied']);
});

it('measures a limit against what the user set', async () => {
  const layers = [
    layer('user', merge({ tools: { wasm: { timeout_s: 5 } } })),
    layer('workspace', merge({ tools: { wasm: { timeout_s: 6, memory_mib: 8 } } })),
    layer('operator', merge({ tools: { wasm: { output_bytes: 999_999 } } })),
  ];
  const { config, omissions } = await resolveConfig(layers, untrusted);
  expect(config.tools.wasm).toEqual({ memory_mib: 8, timeout_s: 5, output_bytes: 999_999 });
  expect(omissions).toMatchObject([{ path: ['tools', 'wasm', 'timeout_s'], need: 'limit', limit: 5 }]);
});

it('keys of a prototype are not keys', async () => {
  const hostile = JSON.parse('{"kb":{"topic":{"__proto__":{"subjects":"x"}}},"constructor":{}}') as Tree;
  const { problems } = await resolveConfig([layer('workspace', merge(hostile))], trusted);
  expect(problems.map(({ message }) => message)).toEqual([
    '"__proto__" cannot be a key',
    '"constructor" is not a known key',
  ]);
});
