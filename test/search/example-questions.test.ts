import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/domain/search/engine/hit.ts';
import { openWorkspace } from '../../src/library.ts';
import { sandboxHere } from '../cli/ken-here.ts';

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

const UNANSWERED: readonly string[] = [
  'What is the boiling point of tungsten?',
  'Which composer wrote the fourth symphony?',
  'How many goals did the visiting team score?',
  'What does photosynthesis need besides sunlight?',
  'How tall is the highest mountain of Peru?',
];

async function openExample() {
  const place = sandboxHere();
  cpSync(path.join(import.meta.dirname, '../../examples/workspace'), place.root, { recursive: true });
  const environment = { KEN_HOME: place.home, PATH: process.env.PATH };
  return { ken: await openWorkspace(place.root, { environment }), place };
}

it('answers every question about the example workspace', async () => {
  const { ken } = await openExample();
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

interface ToolData {
  readonly hits?: readonly { readonly uri: string }[];
}

/** The citation of the first quotation, without its lines; absent where the answer is that there is none. */
function quotedFirst(text: string): string | undefined {
  return text.startsWith('Quoted') ? withoutLines(/^— (\S+)/m.exec(text)?.[1]) : undefined;
}

function withoutLines(uri: string | undefined): string | undefined {
  return uri?.replace(/#.*/, '');
}

it('gives the same best source, or none, from every way in, before and after it was asked', async () => {
  const { ken, place } = await openExample();
  const questions = [...QUESTIONS.map(([question]) => question), ...UNANSWERED];
  const bySearch = async (question: string) =>
    withoutLines((await ken.search(question)).hits[0]?.citation.uri);
  const found = await Promise.all(questions.map(bySearch));
  expect(found.slice(QUESTIONS.length)).toEqual(UNANSWERED.map(() => undefined));
  for (const [at, question] of questions.entries()) {
    const { data } = await ken.call('search', { question });
    const { text } = await ken.ask(question).answer();
    const tool = withoutLines((data as unknown as ToolData).hits?.[0]?.uri);
    expect({ question, tool, answer: quotedFirst(text) }).toEqual({
      question,
      tool: found[at],
      answer: found[at],
    });
  }
  for (const [at, question] of questions.entries()) {
    if (at % 5 !== 0) continue;
    const searched = await place.ken(['search', '--json', question]);
    const asked = await place.ken(['-q', 'q', '-n', question]);
    const [hit] = (JSON.parse(searched.stdout) as Envelope).hits;
    expect([question, withoutLines(hit?.citation.uri)]).toEqual([question, found[at]]);
    expect([question, quotedFirst(asked.stdout)]).toEqual([question, found[at]]);
  }
  expect(await Promise.all(questions.map(bySearch))).toEqual(found);
  await ken.close();
}, 120_000);
