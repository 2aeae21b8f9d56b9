import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/library.ts';
import { gardenWorkspace } from '../mcp/garden.ts';

async function opened() {
  const place = gardenWorkspace();
  const ken = await openWorkspace(place.root, {
    environment: { KEN_HOME: place.home, PATH: process.env.PATH },
  });
  const read = (file: string) => readFileSync(path.join(place.root, file), 'utf8');
  return { place, ken, read };
}

it('renames, pins, archives, forks, exports and deletes conversations', async () => {
  const { place, ken } = await opened();
  await place.ken(['q', '-n', '--title', 'Rollout', '--label', 'team=a', 'How do we deploy?']);
  const [first] = await ken.conversations();
  const id = first?.id ?? '';

  const changed = await ken.changeConversation(id, {
    title: '  The\n rollout ',
    pinned: true,
    archived: true,
  });
  expect(changed).toMatchObject({ id, title: 'The rollout', isArchived: true, labels: { team: 'a' } });
  expect(await ken.conversations()).toEqual([]);
  expect(await ken.changeConversation(id, { archived: false })).toMatchObject({
    title: 'The rollout',
    isArchived: false,
  });
  expect((await place.ken(['c', 'show', id])).stdout).toContain('pinned');

  await ken.ask('And then?', { conversation: id }).answer();
  const fork = await ken.forkConversation(id, { turns: 1, title: 'Other', labels: ['team=b'] });
  expect(fork).toMatchObject({ title: 'Other', labels: { team: 'b' } });
  const asked = async (conversation: string) =>
    (await ken.conversation(conversation)).events.flatMap(({ type, text }) =>
      type === 'user_message' ? [text] : [],
    );
  expect([await asked(id), await asked(fork.id)]).toEqual([
    ['How do we deploy?', 'And then?'],
    ['How do we deploy?'],
  ]);

  expect(await ken.exportConversation(fork.id)).toBe(`${(await place.ken(['c', 'export', fork.id])).stdout}`);
  const lines = await ken.exportConversation(fork.id, 'jsonl');
  expect(lines).toBe((await place.ken(['c', 'export', fork.id, '--format', 'jsonl'])).stdout);

  await ken.deleteConversation(fork.id);
  await expect(ken.conversation(fork.id)).rejects.toMatchObject({ kind: 'not-found' });
  expect((await ken.conversations()).map((each) => each.id)).toEqual([id]);
});

it('adds, edits, moves and deletes subjects, and overwrites none', async () => {
  const { place, ken, read } = await opened();
  const file = '.ken/kb/project/people/ada.md';
  const added = { topic: 'project', slug: 'people/ada', file };
  expect(await ken.addSubject('project', 'people/ada', '# Ada\n')).toEqual(added);
  expect(read(file)).toBe('# Ada\n');
  await expect(ken.addSubject('project', 'people/ada', 'x')).rejects.toMatchObject({ code: 'files/exists' });
  expect(await ken.editSubject('project', 'people/ada', '# Ada\n\nReviews.\n')).toEqual(added);
  expect((await ken.learn('project', 'people/ada')).text).toContain('Reviews.');
  expect(await ken.moveSubject('project', 'people/ada', 'skills/ada')).toMatchObject({
    topic: 'skills',
    slug: 'ada',
  });
  expect(existsSync(path.join(place.root, file))).toBe(false);
  await ken.deleteSubject('skills', 'ada');
  await expect(ken.deleteSubject('skills', 'ada')).rejects.toMatchObject({ code: 'kb/no-match' });

  for (const slug of ['../out', '.ken/../../x', '/etc/x', ''])
    await expect(ken.addSubject('project', slug, 'x')).rejects.toMatchObject({ kind: 'usage' });
  await expect(ken.editSubject('project', 'deploy', 'a\u0000b')).rejects.toMatchObject({
    code: 'kb/unreadable',
  });
  await expect(ken.editSubject('ken', 'rules', 'x')).rejects.toMatchObject({ code: 'files/unwritable' });
  expect(read('.ken/kb/project/deploy.md')).toContain('Push to main.');
});

it('lists what an erasure would erase, and erases nothing', async () => {
  const { place, ken } = await opened();
  place.write('notes.md', 'The blue ferry leaves at nine.\n');
  const text = 'The blue ferry leaves at nine.';
  const { id } = await ken.addFact({ title: 'Ferry', text, provenance: ['file:notes.md#L1'] });
  const found = await ken.copiesOf('entry', id);
  const said = JSON.parse((await place.ken(['k', 'erase', id, '--dry-run', '--json'])).stdout);
  expect(found.copies.map(({ path: file }) => file)).toEqual(
    said.copies.map(({ path: file }: { path: string }) => file),
  );
  expect(found.copies.length).toBeGreaterThan(0);
  expect(found.elsewhere).toEqual(said.elsewhere);
  expect(await ken.searchFacts('ferry')).toMatchObject([{ id }]);
  await expect(ken.copiesOf('entry', 'none')).rejects.toMatchObject({ kind: 'not-found' });
  await expect(ken.copiesOf('conversation', 'none')).rejects.toMatchObject({ kind: 'not-found' });
});

it('tells a program without a compiler what it got wrong', async () => {
  const { ken } = await opened();
  const untyped = (name: keyof typeof ken, ...given: unknown[]): Promise<unknown> =>
    Reflect.apply(Object(ken[name]), ken, given);
  for (const call of [
    untyped('changeConversation', '@last', { titel: 'x' }),
    untyped('forkConversation', '@last', { turns: 0 }),
    untyped('exportConversation', '@last', 'html'),
    untyped('addSubject', 'project', 'x', 3),
  ])
    await expect(call).rejects.toMatchObject({ code: 'tools/bad-arguments' });
});

it('states claims, and counts the facts for and against them', async () => {
  const { place, ken } = await opened();
  expect(await ken.stateClaim('retries', 'Retrying is safe.')).toEqual({ action: 'stated' });
  expect(await ken.stateClaim('retries', 'Retrying a request is safe.')).toEqual({ action: 'restated' });
  const fact = { title: 'Retry', text: 'Requests have keys.', provenance: ['cmd:x'] };
  await ken.addFact({ ...fact, supports: 'retries' });
  await ken.addFact({ ...fact, title: 'Twice', text: 'One was paid twice.', contradicts: 'retries' });
  const claim = { id: 'retries', text: 'Retrying a request is safe.', supports: 1, contradicts: 1 };
  expect(await ken.claims()).toEqual([claim]);
  expect(JSON.parse((await place.ken(['k', 'claims', '--json'])).stdout).claims).toMatchObject([claim]);
  await expect(ken.addFact({ ...fact, text: 'x', supports: 'none' })).rejects.toMatchObject({
    kind: 'not-found',
  });
  await expect(ken.stateClaim('a b', 'x')).rejects.toMatchObject({ code: 'ledger/invalid' });
});
