import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partialConfig } from '../../test/arbitrary/config.ts';
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
  return { kb, assistant: spoken, conversation: rest };
};

it('is the same in another workspace as where it began, and after every change', async () => {
  await fc.assert(
    fc.asyncProperty(partialConfig, partialConfig, async (first, second) => {
      const began = await resolve(from(first));
      const base = conversationSnapshot(began);
      expect(parts(await resolve(...conversationLayers('c', base, [])))).toEqual(parts(began));
      const changed = await resolve(from(second));
      const delta = JSON.parse(JSON.stringify(conversationDelta(began, changed))) as unknown[];
      expect(parts(await resolve(...conversationLayers('c', base, [delta])))).toEqual(parts(changed));
    }),
  );
});

it('carries neither what is the user’s own nor what could run', async () => {
  const config = await resolve(
    from({
      approvals: { noninteractive: 'allow' },
      providers: { llm: { mine: { kind: 'ollama' } } },
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

it('passes over what others wrote into it', () => {
  const base = { approvals: { noninteractive: 'allow' }, assistant: { name: 'x' } };
  const deltas = [[{ op: 'set', path: ['net', 'allow'], value: ['x'] }, 'nonsense', { op: 'evil' }]];
  expect(conversationLayers('c', base, deltas)[0]?.changes).toEqual([
    { op: 'set', path: ['assistant', 'name'], value: 'x' },
  ]);
});
