import { expect, it } from 'vitest';
import { Fault } from '../../base/fault.ts';
import type { Embedder } from '../../domain/search/index/embedder.ts';
import { builtinEmbedder } from './builtin.ts';
import { nearnessBy } from './nearness.ts';

it('is greater for what is about the question, and nothing for a text without words', async () => {
  const { cosines } = nearnessBy(await builtinEmbedder());
  const [near = 0, far = 0, none] =
    (await cosines('how do I remove a file', ['Use rm to delete files.', 'The tea is hot.', '…'])) ?? [];
  expect(near).toBeGreaterThan(far + 0.2);
  expect(none).toBeUndefined();
  expect(await cosines('…', ['Use rm to delete files.'])).toBeUndefined();
});

it('does not send entries to an embedder elsewhere, and does without one that is away', async () => {
  const builtin = await builtinEmbedder();
  const elsewhere: Embedder = {
    identity: async () => ({ ...(await builtin.identity()), name: 'ollama/x' }),
    embed: async () => expect.unreachable(),
  };
  const away: Embedder = {
    identity: builtin.identity,
    embed: () => Promise.reject(new Fault('embedder/unreachable', 'It is away.')),
  };
  expect(await nearnessBy(elsewhere).cosines('a', ['b'])).toBeUndefined();
  expect(await nearnessBy(away).cosines('a', ['b'])).toBeUndefined();
});
