/** Data that a newer ken wrote: each store is refused with a sentence, and nothing of it is changed. */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { systemHasher } from '../../src/adapters/system/primitives.ts';
import { parseSharedLine } from '../../src/domain/ledger/shared/shared-line.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';

const NEWER = 'was written by a newer ken.';

/** A later step, as a later version would record it. */
function addStep(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(
    "insert into migration (position, name) select max(position) + 1, 'a later step' from migration",
  );
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

async function keptFact(place: Sandbox): Promise<string> {
  const words = ['k', 'add', '--title', 'A', '--text', 'b', '--provenance', 'cmd:x'];
  expect(await place.ken(words)).toMatchObject({ code: 0 });
  return path.join(place.root, '.ken/knowledge/knowledge.db');
}

async function askedQuestion(place: Sandbox): Promise<string> {
  await place.ken(['q', '--new', 'What is known?']);
  const conversations = path.join(place.root, '.ken/conversations');
  const [id = ''] = readdirSync(conversations).filter((name) => !name.startsWith('.'));
  const file = path.join(conversations, id, 'metadata.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), format: 2 }));
  return file;
}

const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

it('refuses a ledger, and changes nothing in it', async () => {
  const place = sandboxHere('');
  const file = await keptFact(place);
  addStep(file);
  const before = digest(file);
  for (const words of [
    ['k', 'list'],
    ['k', 'add', '--title', 'B', '--text', 'c', '--provenance', 'cmd:x'],
  ]) {
    const { code, stderr } = await place.ken(words);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(NEWER) });
  }
  expect(digest(file)).toBe(before);
});

it('refuses the approvals, and decides nothing', async () => {
  const place = sandboxHere('');
  await place.ken(['ref', 'create', '--title', 'X', '--git', 'https://example.org/x.git']);
  const file = path.join(place.home, 'data/approvals.db');
  addStep(file);
  const before = digest(file);
  const { code, stderr } = await place.ken(['approvals', 'ls']);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(NEWER) });
  expect(digest(file)).toBe(before);
});

it('refuses a conversation, and lists the others', async () => {
  const place = sandboxHere('');
  const file = await askedQuestion(place);
  const id = path.basename(path.dirname(file));
  const before = digest(file);
  const { code, stderr } = await place.ken(['c', 'show', id]);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(NEWER) });
  expect((await place.ken(['q', '--id', id, 'And now?'])).code).toBe(1);
  expect(digest(file)).toBe(before);
  expect((await place.ken(['c', 'ls'])).code).toBe(0);
});

it('refuses a reference topic by name', async () => {
  const place = sandboxHere('');
  const directory = path.join(place.home, 'data/references/future');
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'topic.md'), '+++\nformat = 2\ntitle = "Future"\n+++\n');
  const { code, stderr } = await place.ken(['ref', 'show', 'future']);
  expect({ code, stderr }).toMatchObject({
    code: expect.any(Number),
    stderr: expect.stringContaining('a newer ken wrote this topic; update ken'),
  });
  expect(code).not.toBe(0);
});

it('refuses an export of a ledger', async () => {
  const place = sandboxHere('');
  await keptFact(place);
  const { stdout } = await place.ken(['k', 'export']);
  const later = stdout.replace('"version":1', '"version":2');
  expect(later).not.toBe(stdout);
  const { code, stderr } = await place.ken(['k', 'import', '-'], { input: later });
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('This was exported by a newer ken.'),
  });
});

it('refuses an index, though it could be made again: the newer ken still uses it', async () => {
  const place = sandboxHere('[kb.topic.notes]\nsubjects = "notes"\n');
  place.write('notes/tea.md', '# Tea\n\nGreen tea is steeped at eighty degrees.\n');
  expect((await place.ken(['search', 'steeped'])).stdout).toContain('notes/tea.md');
  const [name = ''] = readdirSync(path.join(place.home, 'cache/workspaces'));
  addStep(path.join(place.home, 'cache/workspaces', name, 'index.db'));
  const { code, stderr } = await place.ken(['search', 'steeped']);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(NEWER) });
});

/** Each database that ken makes, with a command that opens it. */
const DATABASES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\/\.ken\/knowledge\/knowledge\.db$/, ['k', 'list']],
  [/\/data\/approvals\.db$/, ['jobs', 'ls']],
  [/\/cache\/workspaces\/[^/]+\/index\.db$/, ['search', 'steeped']],
  [/\/data\/references\/index\.db$/, ['ref', 'search', 'steeped']],
];

/** Made for a lock, without a table. */
const NO_DATA = /lock|\.turn|writers/;

function databasesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        readFileSync(file).subarray(0, 15).toString('latin1') === 'SQLite format 3' && !NO_DATA.test(file),
    );
}

async function everythingIn(place: Sandbox): Promise<void> {
  place.write('notes/tea.md', '# Tea\n\nGreen tea is steeped at eighty degrees.\n');
  await keptFact(place);
  await place.ken(['q', '--new', 'How is tea steeped?']);
  await place.ken(['ref', 'import', 'notes', '--title', 'Teas']);
  await place.ken(['ref', 'create', '--title', 'X', '--git', 'https://example.org/x.git']);
  await place.ken(['search', 'steeped']);
}

it('refuses every database that there is, and knows all of them', async () => {
  const place = sandboxHere('[kb.topic.notes]\nsubjects = "notes"\n');
  await everythingIn(place);
  const found = [place.root, place.home].flatMap(databasesBelow);
  expect(found.filter((file) => !DATABASES.some(([name]) => name.test(file)))).toEqual([]);
  for (const [name, words] of DATABASES) {
    const file = found.find((each) => name.test(each));
    expect(file, String(name)).toBeDefined();
    expect((await place.ken(words)).code, words.join(' ')).toBe(0);
    addStep(file ?? '');
    const before = digest(file ?? '');
    // A search goes on in what else there is.
    expect((await place.ken(words)).stderr).toContain(`${file} ${NEWER}`);
    expect(digest(file ?? '')).toBe(before);
  }
});

it('refuses the personal workspace in the same way', async () => {
  const place = sandboxHere();
  const words = ['k', 'add', '--title', 'A', '--text', 'b', '--provenance', 'cmd:x'];
  expect(await place.ken(words)).toMatchObject({ code: 0 });
  const [file = ''] = databasesBelow(place.home).filter((each) => each.endsWith('knowledge.db'));
  addStep(file);
  const before = digest(file);
  for (const each of [['k', 'list'], words])
    expect(await place.ken(each)).toMatchObject({ code: 1, stderr: expect.stringContaining(NEWER) });
  expect(digest(file)).toBe(before);
});

it('leaves out a line of a newer ken that came through git, and says so', () => {
  const line = JSON.stringify({ format: 2, event_id: '01K9ZC4N8QW3N5V7X9B1D3F5H7', type: 'merge' });
  expect(parseSharedLine(line, { hasher: systemHasher, isCitationUri: () => false })).toEqual({
    problem: 'was written by a newer ken; update ken',
  });
});
