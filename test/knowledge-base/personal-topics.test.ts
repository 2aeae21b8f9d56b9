import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/domain/search/engine/hit.ts';
import { openWorkspace } from '../../src/library.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { connect } from '../mcp/connect.ts';

const OWN = '[kb.topic.notes]\ntitle = "My notes"\nsubjects = ".ken/kb/notes"\ndisabled = ["diary"]\n';

/** A project, and a personal workspace whose topics are offered everywhere. */
function box(project = '', isOffered = true): Sandbox {
  const place = sandboxHere(project);
  place.write('../home/data/personal/.ken/config.toml', OWN);
  place.write('../home/data/personal/.ken/kb/notes/tea.md', '# Tea\n\nOolong steeps for five minutes.\n');
  place.write('../home/data/personal/.ken/kb/notes/diary.md', '# Diary\n\nThe zeppelin is late.\n');
  if (isOffered) writeOwnConfig(place.home, 'kb.personal = true\n');
  return place;
}

const found = async ({ ken }: Sandbox, question: string) =>
  (JSON.parse((await ken(['search', '--json', question])).stdout) as Envelope).hits.map(
    ({ citation }) => citation,
  );

it('offers the topics of the personal workspace in the menu, to learn and in search, and nothing by itself', async () => {
  const place = box('[kb.topic.project]\nsubjects = "kb"\n');
  place.write('kb/ferry.md', '# Ferry\n\nThe ferry leaves at noon.\n');
  expect((await place.ken(['kb', 'prompt'])).stdout).toContain('- notes (**My notes**)');
  expect((await place.ken(['learn', 'notes', 'tea'])).stdout).toBe(
    '# Tea\n\nOolong steeps for five minutes.\n',
  );
  const [hit] = await found(place, 'How long does oolong steep?');
  const file = path.join(place.home, 'data/personal/.ken/kb/notes/tea.md');
  expect([hit?.uri.replace(/#.*/, ''), hit?.path]).toEqual(['ken://kb/notes/tea', file]);
  expect((await place.ken(['show', hit?.uri ?? ''])).stdout).toContain('Oolong steeps for five minutes.');
  expect((await place.ken(['-q', 'q', '-n', 'How long does oolong steep?'])).stdout).toContain(
    'Oolong steeps',
  );
  const { topics } = JSON.parse((await place.ken(['kb', 'ls', '--json'])).stdout);
  expect(topics.map((each: { id: string; personal?: true }) => [each.id, each.personal])).toEqual([
    ['project', undefined],
    ['notes', true],
  ]);
  const environment = { KEN_HOME: place.home, PATH: process.env.PATH };
  const ken = await openWorkspace(place.root, { environment });
  expect((await ken.topics()).map(({ id }) => id)).toEqual(['project', 'notes']);
  await ken.close();
  const { client } = await connect(place);
  const learned = await client.callTool({ name: 'learn', arguments: { topic: 'notes', subjects: 'tea' } });
  expect(JSON.stringify(learned.content)).toContain('Oolong steeps');

  const without = box('', false);
  expect((await without.ken(['learn', 'notes'])).code).toBe(3);
  expect(await found(without, 'How long does oolong steep?')).toEqual([]);
});

it('keeps both topics of one id apart, whatever the workspace sets', async () => {
  const place = box('[kb.topic.notes]\ntitle = "Project notes"\nsubjects = "kb"\nlearned = ["**"]\n');
  place.write('kb/tea.md', '# Tea\n\nHere tea is forbidden.\n');
  expect((await place.ken(['learn', 'notes'])).stdout).not.toContain('Oolong');
  expect((await place.ken(['learn', 'personal-notes', 'tea'])).stdout).toContain('Oolong steeps');
  const prompt = (await place.ken(['kb', 'prompt'])).stdout;
  expect(prompt).toContain('Here tea is forbidden.');
  expect(prompt).not.toContain('Oolong');
});

it('lets no workspace turn it on, change such a topic, reach what is disabled there, or write to it', async () => {
  const place = box('kb.personal = true\n', false);
  const refused = await place.ken(['learn', 'notes', 'tea']);
  expect(refused.code).not.toBe(0);
  expect(refused.stdout).toBe('');
  const changing = box('[kb.topic.notes]\ndisabled = []\nlearned = ["diary"]\n');
  const answer = await changing.ken(['learn', 'notes', 'diary']);
  expect(answer.code).not.toBe(0);
  expect(`${answer.stdout}${answer.stderr}`).not.toContain('zeppelin');

  const plain = box('');
  expect(await found(plain, 'Is the zeppelin late?')).toEqual([]);
  expect((await plain.ken(['learn', 'notes', 'diary'])).code).toBe(3);
  for (const words of [
    ['kb', 'prompt', '-k', 'notes'],
    ['q', '-n', '-k', 'notes', 'Tea?'],
  ])
    expect(await plain.ken(words)).toMatchObject({ code: 3, stdout: '' });
  const added = await plain.ken(['kb', 'add', 'notes/milk', '-'], { input: 'Milk.\n' });
  expect([added.code, added.stderr]).toEqual([3, expect.stringContaining('There is no topic "notes".')]);
  const environment = { KEN_HOME: plain.home, PATH: process.env.PATH };
  const ken = await openWorkspace(plain.root, { environment });
  const proposal = ken.call('kb_propose', { topic: 'notes', slug: 'milk', text: 'Milk.' });
  await expect(proposal).rejects.toThrow();
  await ken.close();
  expect(existsSync(path.join(plain.root, '.ken/kb'))).toBe(false);
  // Nothing of it lies in the workspace.
  const files = readdirSync(plain.root, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  for (const each of files)
    expect(readFileSync(path.join(each.parentPath, each.name)).includes('Oolong')).toBe(false);
});

it('goes on without them when the personal workspace is missing or its configuration is broken', async () => {
  const place = sandboxHere('');
  writeOwnConfig(place.home, 'kb.personal = true\n');
  expect(await place.ken(['kb', 'ls'])).toMatchObject({ code: 0, stdout: '' });
  const broken = box('');
  broken.write('../home/data/personal/.ken/config.toml', '[kb.topic.notes]\ntitel = "x"\n');
  expect(await broken.ken(['kb', 'ls'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      `topics of your personal workspace are not offered: its configuration has a mistake, which "ken config check --workspace ${broken.home}/data/personal" names.`,
    ),
  });
});
