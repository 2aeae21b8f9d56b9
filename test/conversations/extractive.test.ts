import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';

const PLACES = ['Corran', 'Skell', 'Ardmore', 'Tarbet', 'Lismore'];
const HOUSES = [
  'bakery',
  'lighthouse',
  'chandlery',
  'school',
  'smithy',
  'library',
  'ferry office',
  'boatyard',
];
const KEEPERS = [
  'Ines',
  'Tomasz',
  'Sigrun',
  'Wanjiru',
  'Duncan',
  'Morag',
  'Fergus',
  'Ailsa',
  'Callum',
  'Isla',
];

interface Fact {
  readonly house: string;
  readonly place: string;
  readonly sentence: string;
}

/** Forty facts, no two the same, in subjects by place; the words around them are the same everywhere. */
function facts(): Fact[] {
  return PLACES.flatMap((place, p) =>
    HOUSES.map((house, h) => {
      const keeper = KEEPERS[(p * 3 + h) % KEEPERS.length];
      const opens = `${6 + ((p + h) % 5)}:${(h * 7) % 60 < 10 ? '0' : ''}${(h * 7) % 60}`;
      return {
        house,
        place,
        sentence: `The ${house} is kept by ${keeper} and opens at ${opens}; its key hangs in box ${p * 8 + h}.`,
      };
    }),
  );
}

const QUESTIONS = [
  (fact: Fact) => `Who keeps the ${fact.house} of ${fact.place}?`,
  (fact: Fact) => `When does the ${fact.house} in ${fact.place} open?`,
  (fact: Fact) => `Where is the key of the ${fact.house} at ${fact.place}?`,
  (fact: Fact) => `In which box does the key of the ${fact.place} ${fact.house} hang?`,
];

const UNANSWERABLE = [
  'What is the boiling point of tungsten?',
  'How many goals did the visiting team score?',
  'Which composer wrote the fourth symphony?',
  'Is the parliament dissolved by decree?',
  'What does photosynthesis need besides sunlight?',
];

it('quotes the paragraph that holds the answer, and says so when there is none', async () => {
  const box = sandboxHere('[kb.topic.islands]\ntitle = "Islands"\nsubjects = "kb"\n');
  const all = facts();
  for (const place of PLACES) {
    const own = all.filter((fact) => fact.place === place);
    const paragraphs = own.map(
      ({ sentence, house }) => `## The ${house}\n\n${sentence}\n\nVisitors are welcome.`,
    );
    box.write(
      `kb/${place.toLowerCase()}.md`,
      `# ${place}\n\n${place} is an island.\n\n${paragraphs.join('\n\n')}\n`,
    );
  }
  const asked = Array.from({ length: 20 }, (_, at) => {
    const fact = all[(at * 7) % all.length];
    if (!fact) throw new Error('There is no such fact.');
    return { fact, question: QUESTIONS[at % QUESTIONS.length]?.(fact) ?? '' };
  });
  const environment = { KEN_CFG_TOOLS__BUILTIN_RUNTIME: 'native' };
  let quoted = 0;
  for (const { fact, question } of asked) {
    const { code, stdout } = await box.ken(['q', '-n', question], { environment });
    expect(code).toBe(0);
    if (
      stdout.includes(`> ${fact.sentence}`) &&
      stdout.includes(`ken://kb/islands/${fact.place.toLowerCase()}#L`)
    )
      quoted += 1;
  }
  expect(quoted).toBeGreaterThanOrEqual(15);
  for (const question of UNANSWERABLE) {
    const { stdout } = await box.ken(['q', '-n', question], { environment });
    expect(stdout).toMatch(/^Nothing that ken knows here answers this\./);
  }
}, 300_000);

it('records its turn like any model', async () => {
  const box = sandboxHere('[kb.topic.islands]\nsubjects = "kb"\n');
  box.write('kb/corran.md', '# Corran\n\nThe bakery opens at 6:00.\n');
  const { stdout } = await box.ken(['q', '-n', '--json', 'When does the bakery open?']);
  const types = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type);
  const calls = ['tool-call', 'tool-result', 'tool-call', 'tool-result'];
  expect(types).toEqual(['turn-start', ...calls, 'text-delta', 'turn-end']);
});

it('cites what is in the system prompt so that it can be shown, whatever the titles are', async () => {
  const box = sandboxHere(
    '[kb.topic.islands]\ntitle = "The \\"outer\\" isles / <all>"\nsubjects = "kb"\n' +
      '[kb.topic.boats]\ntitle = "islands"\nsubjects = "boats"\n',
  );
  box.write('kb/corran.md', '# Corran\n\nThe bakery opens at 6:00.\n');
  box.write('boats/ferry.md', '# Ferry\n\nThe ferry leaves at 9:00.\n');
  for (const [question, uri, line] of [
    ['When does the bakery open?', 'ken://kb/islands/corran#L3', 'The bakery opens at 6:00.'],
    ['When does the ferry leave?', 'ken://kb/boats/ferry#L3', 'The ferry leaves at 9:00.'],
  ] as const) {
    const { stdout } = await box.ken(['-q', 'q', '-n', '-k', 'islands', '-k', 'boats', question]);
    expect(stdout).toContain(`> ${line}\n\n— ${uri}\n`);
    expect((await box.ken(['show', uri])).stdout).toBe(`${line}\n`);
  }
});
