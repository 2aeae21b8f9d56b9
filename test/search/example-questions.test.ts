import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/library.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

/** As somebody asks who has not read the text. */
const QUESTIONS: readonly (readonly [question: string, subject: string])[] = [
  ['How often are backups made?', 'operations/backups'],
  ['When may I deploy?', 'operations/deploy'],
  ['How do I undo a deploy?', 'operations/deploy'],
  ['What do I do when a sailing is sold beyond its places?', 'operations/on-call'],
  ['Who do I ask about payments?', 'people/who-to-ask'],
  ['Who knows about the handhelds?', 'people/who-to-ask'],
  ['How long does a hold last?', 'architecture'],
  ['Why are holds kept in PostgreSQL and not in a cache?', 'decisions/0001-holds-in-the-database'],
  ['How long can the gates work without a network?', 'decisions/0003-offline-gates'],
  ['What happened during the storm?', 'operations/incidents'],
  ['Why is there only one database?', 'decisions/0004-one-database'],
  ['How many people review a change?', 'conventions/commits'],
  ['What goes into a commit message?', 'conventions/commits'],
  ['Do tests use a real database?', 'conventions/testing'],
  ['How are errors shown to passengers?', 'conventions/errors'],
  ['What word do we use for a departure?', 'glossary'],
  ['Which islands do the ferries serve?', 'overview'],
  ['How do I add an index without locking the table?', 'write-a-migration'],
  ['How do I find the log lines of one booking?', 'read-the-logs'],
  ['How do I write release notes?', 'release-notes'],
];

it('answers every question about the example workspace', async () => {
  const directory = temporaryDirectory();
  const root = path.join(directory, 'workspace');
  cpSync(path.join(import.meta.dirname, '../../examples/workspace'), root, { recursive: true });
  const ken = await openWorkspace(root, {
    environment: { KEN_HOME: path.join(directory, 'home'), PATH: process.env.PATH },
  });
  const missed: string[] = [];
  let first = 0;
  for (const [question, subject] of QUESTIONS) {
    const { outcome, hits } = await ken.search(question);
    if (outcome !== 'answers') missed.push(question);
    if (hits[0]?.id.endsWith(subject)) first += 1;
  }
  await ken.close();
  expect(missed).toEqual([]);
  expect(first).toBeGreaterThanOrEqual(15);
});
