import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { indexFile, type Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';

/** Twelve ways to damage a file. */
const DAMAGES: Record<string, (file: string, content: Buffer) => void> = {
  'is gone': (file) => rmSync(file),
  'is empty': (file) => writeFileSync(file, ''),
  'is cut in half': (file, content) => writeFileSync(file, content.subarray(0, content.length >> 1)),
  'lacks its last byte': (file, content) => writeFileSync(file, content.subarray(0, -1)),
  'begins with zeros': (file, content) => writeFileSync(file, zeroed(content, 0, 512)),
  'has zeros in the middle': (file, content) =>
    writeFileSync(file, zeroed(content, content.length >> 1, Math.min(4096, content.length >> 3))),
  'ends with zeros': (file, content) =>
    writeFileSync(file, zeroed(content, content.length - Math.min(4096, content.length >> 2), 4096)),
  'is all zeros': (file, content) => writeFileSync(file, Buffer.alloc(content.length)),
  'has flipped bits': (file, content) =>
    writeFileSync(
      file,
      content.map((byte, at) => (at % 997 === 500 ? byte ^ 0x55 : byte)),
    ),
  'has a tail of something else': (file, content) =>
    writeFileSync(file, Buffer.concat([content, Buffer.from('\u0000half a line')])),
  'is a text': (file) => writeFileSync(file, 'hello'),
  'is another file': (file, content) => writeFileSync(file, Buffer.from(content).reverse()),
};

function zeroed(content: Buffer, from: number, length: number): Buffer {
  return Buffer.from(content).fill(0, from, Math.min(content.length, from + length));
}

const FACTS = 12;

/** A workspace with facts, retrievals, a conversation and a backup that ken made by itself. */
async function livedIn(): Promise<Sandbox & { reset(): void }> {
  const place = sandboxHere('');
  writeOwnConfig(place.home, '[approvals]\nnoninteractive = "allow"\n');
  for (let at = 0; at < FACTS; at++) {
    const words = [
      '--id',
      `fact-${at}`,
      '--title',
      `Fact ${at}`,
      '--text',
      `Number ${at} ${'x'.repeat(2000)}`,
    ];
    await place.ken(['k', 'add', ...words, '--provenance', 'cmd:true']);
  }
  for (const at of ['0', '1', '2'])
    await place.ken([
      'k',
      'retrieval-log',
      '--query',
      'numbers',
      '--returned-ids',
      `fact-${at}`,
      '--used-ids',
      `fact-${at}`,
      '--outcome',
      'helped',
    ]);
  await place.ken(['q', '-n', 'What is the first fact?']);
  await place.ken(['q', 'What is the second fact?']);
  await place.ken(['backup']);
  const base = path.dirname(place.root);
  const copies = ['work', 'home/data', 'home/state'];
  for (const each of copies)
    cpSync(path.join(base, each), path.join(base, 'copy', each), { recursive: true });
  const reset = () => {
    for (const each of copies) {
      rmSync(path.join(base, each), { recursive: true });
      cpSync(path.join(base, 'copy', each), path.join(base, each), {
        recursive: true,
        preserveTimestamps: true,
      });
    }
  };
  return { ...place, reset };
}

async function json(place: Sandbox, words: readonly string[]) {
  const { stdout, stderr } = await place.ken([...words, '--json']);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

function only(directory: string): string {
  const [name = ''] = readdirSync(directory).filter((each) => !each.startsWith('.'));
  return path.join(directory, name);
}

/** Everything was done, and nothing is left to do. */
async function repaired(place: Sandbox): Promise<object> {
  const { mended } = await json(place, ['doctor', '--repair', '--yes']);
  const { plan } = await json(place, ['doctor', '--repair', '--dry-run']);
  return { undone: mended.filter(({ done }: { done: boolean }) => !done), plan };
}

const WELL = { undone: [], plan: [] };

it('mends a ledger, and what a copy still has is back', async () => {
  const place = await livedIn();
  const file = path.join(place.root, '.ken/knowledge/knowledge.db');
  for (const [way, damage] of Object.entries(DAMAGES)) {
    place.reset();
    damage(file, readFileSync(file));
    expect({ way, ...(await repaired(place)) }).toEqual({ way, ...WELL });
    const { entries } = await json(place, ['k', 'list', '--limit', '1000']);
    expect({ way, facts: entries.length }).toEqual({ way, facts: FACTS });
    expect((await place.ken(['k', 'show', 'fact-7'])).stdout).toContain('Number 7 xxx');
    const { events } = await json(place, ['k', 'history', 'fact-1']);
    expect({ way, events: events.length }).toEqual({ way, events: 2 });
  }
});

it('mends the log, the metadata and the settings of a conversation, and keeps every line that can be read', async () => {
  const place = await livedIn();
  const directory = only(path.join(place.root, '.ken/conversations'));
  const log = path.join(directory, 'events.jsonl');
  const whole = readFileSync(log, 'utf8').split('\n');
  for (const [way, damage] of Object.entries(DAMAGES)) {
    place.reset();
    const names =
      way === 'is gone'
        ? ['metadata.json', 'base_config.json']
        : readdirSync(directory).filter((name) => /json/.test(name));
    for (const name of names.filter((each) => !each.startsWith('.')))
      damage(path.join(directory, name), readFileSync(path.join(directory, name)));
    const left = readFileSync(log, 'utf8').split('\n');
    const readable = whole.filter((line) => line !== '' && left.includes(line));
    expect({ way, ...(await repaired(place)) }).toEqual({ way, ...WELL });
    expect({ way, lines: readFileSync(log, 'utf8').split('\n') }).toEqual({
      way,
      lines: expect.arrayContaining([...readable, '']),
    });
    expect((await place.ken(['c', 'ls'])).stdout).toContain(path.basename(directory));
  }
});

it('mends a ledger file from the database', async () => {
  const place = await livedIn();
  const file = path.join(place.root, '.ken/knowledge/knowledge.retrieval.events.jsonl');
  const linesOf = () => readFileSync(file, 'utf8').trim().split('\n').sort();
  const whole = linesOf();
  for (const [way, damage] of Object.entries(DAMAGES)) {
    place.reset();
    damage(file, readFileSync(file));
    await json(place, ['doctor', '--repair', '--yes']);
    await json(place, ['doctor', '--repair', '--yes']);
    await place.ken(['k', 'list']);
    expect({ way, lines: linesOf() }).toEqual({ way, lines: whole });
  }
});

it('makes an index again', async () => {
  const place = sandboxHere('[kb.topic.t]\nsubjects = "t"\n');
  place.write('t/tea.md', '# Tea\n\nWater at 80 degrees.\n');
  const { stdout } = await place.ken(['search', 'tea']);
  for (const [way, damage] of Object.entries(DAMAGES)) {
    damage(indexFile(place), readFileSync(indexFile(place)));
    expect({ way, stdout: (await place.ken(['search', 'tea'])).stdout }).toEqual({ way, stdout });
  }
});

it('shows the plan and changes nothing without the operator', async () => {
  const place = sandboxHere('');
  mkdirSync(path.join(place.root, '.ken/knowledge'), { recursive: true });
  const file = place.write('.ken/knowledge/knowledge.db', 'hello');
  expect(await place.ken(['doctor', '--repair', '--dry-run'])).toMatchObject({
    code: 0,
    stdout: `${file} is damaged, or lacks events that its line files have: build it from what can still be read, from its line files and from the newest copies\n`,
  });
  expect(await place.ken(['doctor', '--repair', '--yes'])).toMatchObject({ code: 4 });
  expect(readFileSync(file, 'utf8')).toBe('hello');
});
