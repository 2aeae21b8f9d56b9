import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { conversationIdAt } from '../../domain/conversations/conversation-id.ts';
import { fileActiveConversations, type TerminalPlace } from './active-conversations.ts';

const [one, two] = [conversationIdAt(1, '0000'), conversationIdAt(2, '0000')];
const hasher: TerminalPlace['hasher'] = { sha256: (text) => Buffer.from(String(text)).toString('hex') };

const at = (directory: string, terminal: string | undefined, workspace = '/w') =>
  fileActiveConversations({ directory, workspace, terminal, hasher });

it('remembers for each terminal and workspace, the newest first, each once', async () => {
  const directory = path.join(temporaryDirectory(), 'state');
  const mine = at(directory, 'a');
  for (const id of [one, two, one]) await mine.activate(id);
  expect(await mine.history()).toEqual([one, two]);
  expect(await at(directory, 'b').history()).toEqual([]);
  expect(await at(directory, 'a', '/x').history()).toEqual([]);
});

it('remembers nothing where terminals cannot be told apart', async () => {
  const directory = temporaryDirectory();
  const nowhere = at(directory, undefined);
  await nowhere.activate(one);
  expect(readdirSync(directory)).toEqual([]);
  const unnamed = at(directory, '');
  await unnamed.activate(one);
  expect(await nowhere.history()).toEqual([]);
});

it.each(['', 'null', '{}', '["../../etc", 7]'])(
  'takes a file that says %j for no history',
  async (content) => {
    const directory = temporaryDirectory();
    const mine = at(directory, 'a');
    await mine.activate(one);
    for (const name of readdirSync(directory)) writeFileSync(path.join(directory, name), content);
    expect(await mine.history()).toEqual([]);
  },
);
