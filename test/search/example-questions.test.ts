import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
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

const MANUAL = {
  'turnstile.md':
    '# Turnstile firmware\n\n## Resetting\n\nHold the blue button for nine seconds until the lamp blinks twice.\n\n' +
    '## Battery\n\nThe buffer battery of a turnstile lasts six hours and is changed every three years.\n',
  'printer.md':
    '# Ticket printer\n\n## Paper\n\nThermal rolls are 80 millimetres wide; wider ones jam the cutter.\n\n' +
    '## Cleaning\n\nClean the print head with alcohol after every fifth roll.\n',
};

const ENTRIES = [
  [
    'parking',
    'Parking at the north quay',
    'Staff park at the north quay, behind the fish market, without a permit.',
  ],
  [
    'invoices',
    'Invoices to schools',
    'Schools get their invoice in the first week of September, from Odile.',
  ],
  [
    'kiosk-os',
    'System of the kiosks',
    'The kiosks run Debian 12 and are reinstalled by a stick in the drawer.',
  ],
  [
    'cups',
    'Coffee machine',
    'The coffee machine on the second floor is descaled by whoever finds its lamp red.',
  ],
] as const;

const SAID = [
  [
    'Which colour do the lifeboats get?',
    'We settled on signal orange for the lifeboats, because yellow fades in salt water.',
  ],
  [
    'How is the autumn timetable printed?',
    'The autumn timetable goes to the print shop in Marrow Lane as a folded leaflet, 4,000 copies.',
  ],
  [
    'Why was the chatbot dropped?',
    'The chatbot was dropped because passengers asked it about seasickness and it invented medicine.',
  ],
  [
    'What did the diving inspection find?',
    'The divers found barnacles on the propeller shaft of the Heron and nothing else.',
  ],
] as const;

/** Twenty questions, each with a part of the address of its answer. */
const EVERYWHERE: readonly (readonly [question: string, source: string])[] = [
  ...QUESTIONS.filter((_, at) => at % 3 === 1).map(([question, slug]) => [question, slug] as const),
  ['Where do staff park?', 'ken://entry/parking'],
  ['When do schools get their invoice?', 'ken://entry/invoices'],
  ['What do the kiosks run on?', 'ken://entry/kiosk-os'],
  ['Who descales the coffee machine?', 'ken://entry/cups'],
  ['How do I reset a turnstile?', 'turnstile.md'],
  ['How long does the buffer battery of a turnstile last?', 'turnstile.md'],
  ['How wide are the rolls of the ticket printer?', 'printer.md'],
  ['What is the print head cleaned with?', 'printer.md'],
  ['What colour are the lifeboats painted?', 'ken://conversation/'],
  ['Where is the autumn timetable printed?', 'ken://conversation/'],
  ['Why is there no chatbot for passengers any more?', 'ken://conversation/'],
  ['What did the divers find on the Heron?', 'ken://conversation/'],
];

/** Each question with its answer in a transcript of Claude Code. */
function transcript(): string {
  const lines = SAID.flatMap(([question, answer], at) => {
    const line = (type: string, second: number, content: unknown) =>
      JSON.stringify({
        ...{
          type,
          uuid: `${type}-${at}`,
          sessionId: 'session-1',
          timestamp: `2026-03-09T08:1${at}:0${second}.000Z`,
        },
        message: { id: `${type}${at}`, model: 'claude-opus-4-6', content },
      });
    return [line('user', 1, question), line('assistant', 2, [{ type: 'text', text: answer }])];
  });
  return `${lines.join('\n')}\n`;
}

async function openEverything() {
  const { ken, place } = await openExample();
  for (const [name, text] of Object.entries(MANUAL)) place.write(`manuals/${name}`, text);
  place.write('said.jsonl', transcript());
  const add = (id: string, title: string, text: string) => [
    'k',
    'add',
    '--id',
    id,
    '--title',
    title,
    '--text',
    text,
    '--provenance',
    'person:Odile',
  ];
  for (const words of [
    ...ENTRIES.map(([id, title, text]) => add(id, title, text)),
    ['ref', 'import', 'manuals', '--title', 'Harbour hardware'],
    ['c', 'import', 'said.jsonl'],
  ])
    expect(await place.ken(words), words.join(' ')).toMatchObject({ code: 0 });
  return { ken, place };
}

/** Digests of every file but caches and what belongs to conversations. */
function stateOf({ root, home }: Awaited<ReturnType<typeof openExample>>['place']): Record<string, string> {
  const files = [root, home].flatMap((directory) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => path.join(each.parentPath, each.name)),
  );
  const kept = files.filter(
    (file) => !/\/(?:conversations|cache|state)\/|-(?:wal|shm)$|\/given-settings$/.test(file),
  );
  return Object.fromEntries(
    kept.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
}

it('gives the same best source of every part from every way in, and asking changes nothing', async () => {
  const { ken, place } = await openEverything();
  const questions = [...EVERYWHERE.map(([question]) => question), ...UNANSWERED];
  const bySearch = async (question: string) =>
    withoutLines((await ken.search(question)).hits[0]?.citation.uri);
  const found = await Promise.all(questions.map(bySearch));
  const missed = EVERYWHERE.flatMap(([question, source], at) =>
    found[at]?.includes(source) ? [] : [[question, source, found[at]]],
  );
  expect(missed).toEqual([]);
  expect(found.slice(EVERYWHERE.length)).toEqual(UNANSWERED.map(() => undefined));
  const before = [stateOf(place), await place.ken(['k', 'export'])];
  for (const [at, question] of questions.entries()) {
    const { data } = await ken.call('search', { question });
    const { text } = await ken.ask(question).answer();
    const searched = await place.ken(['search', '--json', question]);
    const asked = await place.ken(['-q', 'q', '-n', question]);
    const [hit] = (JSON.parse(searched.stdout) as Envelope).hits;
    expect({
      question,
      tool: withoutLines((data as unknown as ToolData).hits?.[0]?.uri),
      library: quotedFirst(text),
      search: withoutLines(hit?.citation.uri),
      query: quotedFirst(asked.stdout),
    }).toEqual({ question, tool: found[at], library: found[at], search: found[at], query: found[at] });
    expect(searched.code).toBe(found[at] === undefined ? 1 : 0);
  }
  expect(await Promise.all(questions.map(bySearch))).toEqual(found);
  expect([stateOf(place), await place.ken(['k', 'export'])]).toEqual(before);
  await ken.close();
}, 120_000);
