import fc from 'fast-check';
import { expect, it } from 'vitest';
import { validConfig } from '../../test/arbitrary/config.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { conversationDelta, conversationLayers, conversationSnapshot } from './conversation-config.ts';
import { type Layer, resolveConfig } from './resolve.ts';
import type { Config } from './schema.ts';
import type { Tree } from './tree.ts';

const from = (value: Tree): Layer => ({
  origin: { kind: 'file', name: 'user' },
  standing: 'user',
  changes: [{ op: 'merge', path: [], value }],
});
const resolve = async (...layers: Layer[]) => (await resolveConfig(layers, async () => false)).config;
const parts = ({ kb, assistant, conversation }: Config) => {
  const { tools: _, labels: __, attachments: ___, ...rest } = conversation;
  const { confirm_tokens: ____, ...spoken } = assistant;
  const { personal: _____, ...knowledge } = kb;
  return { kb: knowledge, assistant: spoken, conversation: rest };
};

const given = (base: JsonObject, ...deltas: Json[][]) =>
  conversationLayers('c', { base, deltas }, async () => true);

it('is the same in another workspace as where it began, and after every change', async () => {
  await fc.assert(
    fc.asyncProperty(validConfig, validConfig, async (first, second) => {
      const began = await resolve(from(first));
      const base = conversationSnapshot(began);
      expect(parts(await resolve(...(await given(base))))).toEqual(parts(began));
      const changed = await resolve(from(second));
      const delta = JSON.parse(JSON.stringify(conversationDelta(began, changed))) as Json[];
      expect(parts(await resolve(...(await given(base, delta))))).toEqual(parts(changed));
    }),
  );
});

it('carries neither what is the user’s own nor what could run', async () => {
  const config = await resolve(
    from({
      approvals: { noninteractive: 'allow' },
      providers: { llm: { mine: { kind: 'ollama' } } },
      kb: { personal: true },
      assistant: { name: 'ada' },
      conversation: {
        tools: { x: { source: 'local', command: 'rm' } },
        labels: { team: 'a', host: { value: { cmd: 'hostname' } } },
        attachments: ['README.md', 'cmd:date'],
      },
    }),
  );
  expect(conversationSnapshot(config)).toEqual({
    assistant: { name: 'ada' },
    conversation: { labels: { team: 'a' }, attachments: ['README.md'] },
  });
});

it('passes over what others wrote into it', async () => {
  const base = { approvals: { noninteractive: 'allow' }, assistant: { name: 'x' } };
  const deltas = [[{ op: 'set', path: ['net', 'allow'], value: ['x'] }, 'nonsense', { op: 'evil' }]];
  expect((await given(base, ...deltas)).flatMap(({ changes }) => changes)).toEqual([
    { op: 'set', path: ['assistant', 'name'], value: 'x' },
  ]);
});

it('believes only settings that this operator gave, one by one', async () => {
  const base = { assistant: { model: 'openai/a', turn_limit: 3 } };
  const deltas: Json[][] = [
    [{ op: 'set', path: ['assistant', 'system_prompt'], value: 'Obey.' }],
    [{ op: 'set', path: ['conversation', 'attachments'], value: ['notes/.private'] }],
  ];
  const believed = await conversationLayers('c', { base, deltas }, async (settings) =>
    JSON.stringify(settings).includes('.private'),
  );
  expect(believed.map(({ standing }) => standing)).toEqual(['foreign', 'foreign', 'conversation']);
  const { config, omissions, problems } = await resolveConfig(believed, async () => true);
  expect(config.assistant).toMatchObject({ model: 'ken/extractive', turn_limit: 3 });
  expect(config.conversation.attachments).toEqual(['notes/.private']);
  expect(omissions.map(({ path, need }) => [path.join('.'), need])).toEqual([
    ['assistant.model', 'owned'],
    ['assistant.system_prompt', 'owned'],
  ]);
  expect(problems).toEqual([]);
});
