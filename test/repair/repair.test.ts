import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { leavePending, withApprovals } from '../approvals/pending.ts';
import { indexFile, type Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { referencePlace } from '../references/library.ts';
import { DAMAGES } from './damages.ts';

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

const REQUESTS = 60;

/** The rows that SQLite can still read at least: none where the first page is gone or the file is far too short. */
const LEAST_REQUESTS: Readonly<Record<string, number>> = {
  'lacks its last byte': 50,
  'has zeros in the middle': 50,
  'ends with zeros': 50,
  'has a tail of something else': REQUESTS,
};

it('mends approvals, and every decision that can still be read is back', async () => {
  const place = sandboxHere('');
  writeOwnConfig(place.home, '[approvals]\nnoninteractive = "allow"\n');
  for (let at = 0; at < REQUESTS; at++) {
    const call = { type: 'tool_run', tool: `tool-${at}`, arguments: { text: 'x'.repeat(1000) } } as const;
    await leavePending(place, call, { id: String(at).padStart(12, '0') });
  }
  const file = path.join(place.home, 'data/approvals.db');
  const whole = readFileSync(file);
  for (const [way, damage] of Object.entries(DAMAGES)) {
    writeFileSync(file, whole);
    rmSync(path.join(place.home, 'data/repair'), { recursive: true, force: true });
    damage(file, whole);
    expect({ way, ...(await repaired(place)) }).toEqual({ way, ...WELL });
    const all = await withApprovals(place, (approvals) => approvals.list({}, Date.now()));
    expect({ way, isEnough: all.length >= (LEAST_REQUESTS[way] ?? 0) }).toEqual({ way, isEnough: true });
    expect((await place.ken(['approvals', 'ls'])).code).toBe(0);
  }
});

it('fetches again what a reference topic lacks, whatever became of its lock or its files', async () => {
  const place = referencePlace({
    'a.md': `# Kettle\n\n${'It whistles. '.repeat(60)}\n`,
    'b.md': '# Cup\n\nIt is blue.\n',
  });
  await place.ken(['ref', 'create', '--title', 'Kettle', '--git', place.url]);
  const topic = path.join(place.home, 'data/references/kettle');
  const whole = path.join(place.home, 'whole');
  cpSync(topic, whole, { recursive: true });
  const filesIn = (directory: string) =>
    readdirSync(path.join(directory, 'files'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
  const [first = ''] = readdirSync(path.join(topic, 'files'), { recursive: true }).filter((each) =>
    String(each).endsWith('a.md'),
  );
  for (const [way, damage] of Object.entries(DAMAGES))
    for (const name of ['lock.jsonl', path.join('files', String(first))]) {
      rmSync(topic, { recursive: true });
      cpSync(whole, topic, { recursive: true });
      damage(path.join(topic, name), readFileSync(path.join(topic, name)));
      expect({ way, name, ...(await repaired(place)) }).toEqual({ way, name, ...WELL });
      expect({ way, name, files: filesIn(topic) }).toEqual({ way, name, files: filesIn(whole) });
    }
});

it('moves settings that count only in authority.toml, and keeps what is in it', async () => {
  const place = sandboxHere('');
  writeOwnConfig(place.home, '[approvals]\nnoninteractive = "allow"\n');
  const file = path.join(place.home, 'config/config.toml');
  writeFileSync(
    file,
    '# mine\nassistant.name = "ada"\napprovals.noninteractive = "pending"\nnet.allow = ["127.0.0.1:8080"]\n',
  );
  expect(await repaired(place)).toEqual(WELL);
  expect(readFileSync(file, 'utf8')).toBe('# mine\nassistant.name = "ada"\n');
  const { stdout } = await place.ken(['config', 'show', '--json']);
  expect(JSON.parse(stdout).config).toMatchObject({
    approvals: { noninteractive: 'allow' },
    net: { allow: ['127.0.0.1:8080'] },
  });
  expect((await place.ken(['approvals', 'log'])).stdout).toContain('net.allow');
});

it('takes other accounts the right to read your files, and to write to your config', async () => {
  const place = sandboxHere('');
  writeOwnConfig(place.home, '[approvals]\nnoninteractive = "allow"\n');
  await leavePending(place, { type: 'tool_run', tool: 'x', arguments: {} });
  const modes = { data: 0o755, 'data/approvals.db': 0o666, 'config/config.toml': 0o666 };
  const modeOf = (name: string) => statSync(path.join(place.home, name)).mode & 0o777;
  for (const [name, mode] of Object.entries(modes)) chmodSync(path.join(place.home, name), mode);
  expect(await repaired(place)).toEqual(WELL);
  expect(Object.keys(modes).map(modeOf)).toEqual([0o700, 0o600, 0o644]);
  expect((await place.ken(['approvals', 'ls'])).code).toBe(0);
});
