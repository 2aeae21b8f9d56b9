import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { indexFile, sandbox } from '../cli/ken.ts';
import { scaled } from '../scale.ts';
import { connect, ERAS, textOf } from './connect.ts';
import { gardenWorkspace } from './garden.ts';

const WRITES = scaled(25);
const WAIT = { timeout: 20_000, interval: 100 };

function fact(who: string, at: number) {
  return { title: `${who} ${at}`, text: `Fact ${at} of ${who}.`, provenance: [`cmd:${who} ${at}`] };
}

it('serves two clients beside the command line: nobody is locked out, each sees what the others wrote', async () => {
  const place = sandbox('');
  const clients = await Promise.all(
    ERAS.map(async (era) => ({
      who: era.revision,
      ...(await connect(place, { words: ['mcp', '--tools', 'all'], era, name: era.revision })),
    })),
  );
  const written = clients.map(async ({ who, client }) => {
    for (let at = 0; at < WRITES; at++) {
      const answer = await client.callTool({ name: 'knowledge_add', arguments: fact(who, at) });
      expect([at, answer.isError, textOf(answer)]).toEqual([
        at,
        undefined,
        expect.stringMatching(/^inserted /),
      ]);
    }
  });
  const typed = (async () => {
    for (let at = 0; at < 5; at++) {
      const { title, text, provenance } = fact('cli', at);
      const words = ['-q', 'k', 'add', '--title', title, '--text', text, '--provenance', ...provenance];
      expect(await place.ken(words)).toMatchObject({ code: 0, stderr: '' });
    }
  })();
  await Promise.all([...written, typed]);
  const expected = [...ERAS.map(({ revision }) => revision), 'cli'];
  for (const { client } of clients) {
    const search = async (query: string) => {
      const words = { query, limit: 50 };
      const { structuredContent } = await client.callTool({ name: 'knowledge_search', arguments: words });
      return (structuredContent as { entries: { text: string }[] }).entries.map(
        ({ text }) => text.split('\n')[1] ?? '',
      );
    };
    for (const who of expected) {
      const count = who === 'cli' ? 5 : WRITES;
      const found = (await search(`"${who}"`)).filter((title) => title.startsWith(who));
      expect(found).toHaveLength(Math.min(count, 50));
      expect(await search(`"Fact ${count - 1} of ${who}"`)).toContain(`${who} ${count - 1}`);
    }
  }
  const { stdout } = await place.ken(['k', 'list', '--limit', '1000', '--json']);
  expect(JSON.parse(stdout).entries).toHaveLength(2 * WRITES + 5);
});

it('shows a subject that was written since, and no longer one that was taken away', async () => {
  const place = gardenWorkspace();
  const { client } = await connect(place);
  const learn = { name: 'learn', arguments: { topic: 'project', subjects: 'new' } };
  const listed = async () => (await client.listResources()).resources.map(({ uri }) => uri);
  expect((await client.callTool(learn)).isError).toBe(true);
  place.write('.ken/kb/project/new.md', 'Just now.\n');
  expect(textOf(await client.callTool(learn))).toBe('Just now.\n');
  // Lists are at most a second old.
  await vi.waitUntil(async () => (await listed()).includes('ken://kb/project/new'), WAIT);
  rmSync(path.join(place.root, '.ken/kb/project/new.md'));
  expect((await client.callTool(learn)).isError).toBe(true);
  await vi.waitUntil(async () => !(await listed()).includes('ken://kb/project/new'), WAIT);
});

it('answers from the files as they are, however often it was asked while nothing changed', async () => {
  const place = gardenWorkspace();
  const written = Date.now();
  const { client } = await connect(place);
  const topic = path.join(place.root, '.ken/kb/project');
  const learn = async (subjects: string) =>
    textOf(await client.callTool({ name: 'learn', arguments: { topic: 'project', subjects } }));
  // Directories that changed just now are read each time.
  await vi.waitUntil(() => Date.now() - written > 3_000, WAIT);
  const whole = await learn('deploy');
  expect([await learn('deploy'), await learn('deploy')]).toEqual([whole, whole]);

  place.write('.ken/kb/project/deploy.md', 'Edited.\n');
  expect(await learn('deploy')).toBe('Edited.\n');
  place.write('.ken/kb/project/fresh.md', 'Added.\n');
  expect(await learn('fresh')).toBe('Added.\n');
  renameSync(path.join(topic, 'fresh.md'), path.join(topic, 'moved.md'));
  expect([await learn('moved'), await learn('fresh')]).toEqual([
    'Added.\n',
    expect.stringContaining('No subject of topic "project" matches "fresh".'),
  ]);
  place.write('outside/deploy.md', 'Not for you.\n');
  const outside = path.join(place.root, '..', `${path.basename(place.root)}-outside`);
  renameSync(path.join(place.root, 'outside'), outside);
  renameSync(topic, `${topic}-old`);
  symlinkSync(outside, topic);
  expect(await learn('deploy')).not.toContain('Not for you.');
  rmSync(outside, { recursive: true });
});

it('shares a ledger with a server of another home, without a question and without a loss', async () => {
  const place = sandbox('');
  const other = { ...place, home: path.join(path.dirname(place.home), 'other') };
  const adding = ['-q', 'k', 'add', '--provenance', 'cmd:x', '--title', 'T', '--text'];
  const ended = { code: 0, stderr: '' };
  expect(await place.ken([...adding, 'first'])).toMatchObject(ended);
  const { client } = await connect(other);
  const answer = await client.callTool({ name: 'knowledge_add', arguments: fact('other', 1) });
  expect(textOf(answer)).toMatch(/^inserted /);
  expect(await place.ken([...adding, 'second'])).toMatchObject(ended);
  const listed = async (home: string) => {
    const { code, stdout, stderr } = await place.ken(['k', 'list', '--json'], {
      environment: { KEN_HOME: home },
    });
    expect({ code, stderr }).toEqual(ended);
    return JSON.parse(stdout).entries.length;
  };
  expect([await listed(place.home), await listed(other.home)]).toEqual([3, 3]);
  await client.close();
  expect([await listed(other.home), await listed(place.home)]).toEqual([3, 3]);
});

it('goes on when what was in the way of a database is gone', async () => {
  const place = gardenWorkspace();
  const index = indexFile(place);
  mkdirSync(index, { recursive: true });
  const ledger = place.write('.ken/knowledge', 'A file where a directory should be.\n');
  const { client } = await connect(place);
  const search = { name: 'search', arguments: { question: 'How do we deploy?' } };
  const add = { name: 'knowledge_add', arguments: fact('client', 1) };
  const wentWrong = async () => [
    (await client.callTool(search)).isError ?? false,
    (await client.callTool(add)).isError ?? false,
  ];
  expect(await wentWrong()).toEqual([true, true]);
  rmSync(index, { recursive: true });
  rmSync(ledger);
  expect(await wentWrong()).toEqual([false, false]);
});

it(`answers ${scaled(500)} calls, eight at a time, without an error`, async () => {
  const { client } = await connect(gardenWorkspace());
  let left = scaled(500);
  const failed: unknown[] = [];
  const one = async () => {
    while (left-- > 0) {
      const answer = await client.callTool({
        name: 'learn',
        arguments: { topic: 'project', subjects: 'deploy' },
      });
      if (answer.isError || !textOf(answer).startsWith('# Deploy')) failed.push(answer);
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  expect(failed).toEqual([]);
});
