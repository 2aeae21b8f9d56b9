import { readdirSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { endIfStuck } from '../end-if-stuck.ts';

const TERABYTE = 2 ** 40;
const LIMIT_MS = 20_000;
const stuck = endIfStuck();

it('a log that is mostly holes ends no command for an hour, and hides no other conversation', async () => {
  const place = sandboxHere('');
  await place.ken(['q', '-n', 'What about the kettle?']);
  const conversations = path.join(place.root, '.ken/conversations');
  const [id = ''] = readdirSync(conversations);
  await place.ken(['q', '-n', 'What about the whistle?']);
  await place.ken([
    'k',
    'add',
    '--id',
    'a',
    '--title',
    'Saucer',
    '--text',
    'A saucer is blue.',
    '--provenance',
    'cmd:x',
  ]);
  truncateSync(path.join(conversations, id, 'events.jsonl'), TERABYTE);
  const ken = async (...words: string[]) => {
    const done = stuck.within(LIMIT_MS, `${words.join(' ')} hangs`);
    const { code, stdout, stderr } = await place.ken(words);
    done();
    return { code, said: stdout + stderr };
  };
  const larger = `${path.join(conversations, id, 'events.jsonl')} cannot be read: it is larger than 4 GiB.`;
  for (const words of [
    ['c', 'show', id],
    ['c', 'print', id],
    ['q', '--id', id, 'And?'],
    ['c', 'export', id],
    ['c', 'label', 'add', '--id', id, 'x=y'],
  ])
    expect(await ken(...words)).toEqual({ code: 1, said: expect.stringContaining(larger) });
  expect(await ken('c', 'grep', 'whistle')).toMatchObject({ code: 0 });
  expect(await ken('search', 'saucer')).toMatchObject({ code: 0 });
  expect(await ken('doctor')).toMatchObject({ code: 6, said: expect.stringContaining(`${id}/events.jsonl`) });
  const leftOut = `conversations/${id}/events.jsonl is left out: backups hold plain files`;
  expect(await ken('backup', path.join(place.home, 'b.ken.tar.gz'))).toEqual({
    code: 0,
    said: expect.stringContaining(leftOut),
  });
});
