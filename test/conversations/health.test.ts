import { appendFileSync, mkdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { talk } from './talk.ts';

const CHECK = 'conversations';

async function finding(place: Awaited<ReturnType<typeof talk>>) {
  const { stdout } = await place.ken(['doctor', '--json']);
  return JSON.parse(stdout).checks.find(({ id }: { id: string }) => id === CHECK);
}

it('doctor names what is broken, the worst first, and what crashes left behind', async () => {
  const place = await talk();
  await place.ken(['q', '-n', 'Tea?']);
  const [id = ''] = place.conversations();
  const root = path.join(place.root, '.ken/conversations');
  expect(await finding(place)).toMatchObject({ status: 'ok', message: '1 conversation' });

  const young = path.join(root, '.new-1m7f0t43mgpp');
  const old = path.join(root, '.gone-1m7f0t43mgpp');
  for (const directory of [young, old]) mkdirSync(directory);
  utimesSync(old, 0, 0);
  expect(await finding(place)).toMatchObject({
    status: 'warning',
    message: `${old} was left behind by a crash`,
    hint: 'The next new conversation removes it, and so does "ken doctor --repair".',
  });

  const log = path.join(root, id, 'events.jsonl');
  appendFileSync(log, '{"type":"user_mess');
  expect(await finding(place)).toMatchObject({
    status: 'warning',
    message: `${log} ends in half a line; and 1 more of this and other kinds`,
  });
  appendFileSync(log, '\n');
  expect(await finding(place)).toMatchObject({
    status: 'problem',
    message: `${log} has something that is not an event in line 4; and 1 more of this and other kinds`,
  });
  const metadata = place.write(`.ken/conversations/${id}/metadata.json`, '{ broken');
  expect(await finding(place)).toMatchObject({
    status: 'problem',
    message: `${metadata} is not the metadata of a conversation; and 2 more of this and other kinds`,
    hint: 'Run "ken doctor --repair"; until then the conversation is in no list.',
  });
  expect((await place.ken(['doctor'])).code).toBe(6);
});

it('status says how many there are and which was the last', async () => {
  const place = await talk();
  await place.ken(['q', '-n', 'Tea?']);
  await place.ken(['c', 'archive', '@last']);
  await place.ken(['q', '-n', 'Coffee?', '--local']);
  const { stdout } = await place.ken(['status']);
  const lines = stdout.slice(stdout.indexOf('Conversations\n')).split('\n').slice(1, 3);
  expect(lines.map((line) => line.replace(/last: \S+ {2}\S+ \S+/, 'last: ID  TIME'))).toEqual([
    '  2 conversations, 1 archived, 1 stored outside the workspace',
    '  last: ID  TIME  Coffee?',
  ]);
});

it('show says what was preloaded', async () => {
  const place = await talk({ workspace: '[kb.topic.garden]\nsubjects = "garden"\n' });
  place.write('garden/roses.md', '# Roses\n');
  await place.ken(['q', '-n', '-k', 'garden/roses', 'Roses?']);
  const { stdout } = await place.ken(['c', 'show']);
  expect(stdout.split('\n').find((line) => line.startsWith('preloaded'))).toBe('preloaded garden/roses');
});

it('a list that is empty, sorted or cut off by its reader', async () => {
  const place = await talk();
  expect(await place.ken(['c', 'ls'])).toEqual({ code: 0, stdout: '', stderr: 'No conversations.\n' });
  expect(await place.ken(['c', 'ls', '--json'])).toEqual({
    code: 0,
    stdout: '{"conversations":[]}\n',
    stderr: '',
  });
  for (const title of ['b', 'c', 'a']) await place.ken(['q', '-n', 'x', '--title', title]);
  const sorted = async (key: string) => {
    const { stdout } = await place.ken(['c', 'ls', '--json', '--sort', key]);
    return JSON.parse(stdout).conversations.map(({ title }: { title: string }) => title);
  };
  expect(await sorted('title')).toEqual(['a', 'b', 'c']);
  expect(await sorted('created')).toEqual(['a', 'c', 'b']);
  expect(await place.shell('ken c ls | head -n 1')).toMatchObject({ code: 0, stderr: '' });
});
