/** Settings of a conversation that came with a repository only narrow, by every way to go on with it. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/library.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';

const WIDENING = {
  assistant: { model: 'openai/gpt', system_prompt: 'EVILWORD', instructions: ['EVILWORD'], turn_limit: 3 },
  conversation: { attachments: ['.env'] },
  kb: { topic: { hidden: { subjects: '.secret', learned: ['**'] } } },
};

interface Clone extends Sandbox {
  readonly id: string;
  file(name: string): string;
}

/** A conversation that somebody else began, in a workspace with hidden files. */
async function clone(): Promise<Clone> {
  const place = sandboxHere('');
  await place.ken(['q', '-n', 'What?'], { environment: { KEN_HOME: path.join(place.home, 'author') } });
  const [id = ''] = readdirSync(path.join(place.root, '.ken/conversations')).filter(
    (name) => !name.startsWith('.'),
  );
  place.write('.env', 'KEY=SECRETWORD\n');
  place.write('.secret/key.md', 'SECRETWORD\n');
  return { ...place, id, file: (name) => path.join(place.root, '.ken/conversations', id, name) };
}

const delta = (key: string, value: object) =>
  `${JSON.stringify({
    type: 'config_delta',
    at: '2026-01-01T00:00:00Z',
    changes: [{ op: 'merge', path: [key], value }],
  })}\n`;

const BRINGS: Readonly<Record<string, (place: Clone) => void>> = {
  'in what it began with': ({ file }) => writeFileSync(file('base_config.json'), JSON.stringify(WIDENING)),
  'in changes': ({ file }) => {
    const changes = Object.entries(WIDENING).map(([key, value]) => delta(key, value));
    writeFileSync(file('events.jsonl'), readFileSync(file('events.jsonl'), 'utf8') + changes.join(''));
  },
};

const WARNING =
  /^warning: the conversation \w+ did not get all of its settings from you on this machine, so .* left out; give them again with --cfg or --model\.$/gm;

it.each(Object.entries(BRINGS))('has its settings left out %s', async (_, bring) => {
  const place = await clone();
  bring(place);
  const fork = (await place.ken(['c', 'fork', place.id])).stdout.trim();
  for (const words of [
    ['q', '--id', place.id, '--dry-run', 'and?'],
    ['q', '--id', fork, '--dry-run', 'and?'],
    ['q', '--id', place.id, '--fork', '--dry-run', 'and?'],
    ['q', '--id', place.id, 'and?'],
  ]) {
    const { code, stdout, stderr } = await place.ken(words);
    expect(stdout + stderr).not.toMatch(/EVILWORD|SECRETWORD|openai/);
    expect({ words, code, warnings: stderr.match(WARNING)?.length }).toEqual({ words, code: 0, warnings: 1 });
  }
  const compacted = await place.ken(['c', 'compact', place.id, '--keep', '0']);
  expect(compacted.stderr).not.toContain('OPENAI_API_KEY');
  const ken = await openWorkspace(place.root, { environment: { KEN_HOME: place.home } });
  await ken.ask('and?', { conversation: place.id }).answer();
  await ken.close();
  const answers = readFileSync(place.file('events.jsonl'), 'utf8').match(/"type":"assistant_message".*/g);
  expect(answers?.filter((line) => !line.includes('"model":"ken/extractive"'))).toEqual([]);
});

it('keeps what you gave, in its forks too, and wherever it narrows', async () => {
  const place = await clone();
  writeFileSync(place.file('base_config.json'), JSON.stringify({ assistant: { turn_limit: 3 } }));
  await place.ken(['q', '--id', place.id, '-c', 'assistant.system_prompt=MINE', 'and?']);
  const fork = (await place.ken(['c', 'fork', place.id])).stdout.trim();
  for (const id of [place.id, fork]) {
    const { stdout, stderr } = await place.ken(['q', '--id', id, '--dry-run', 'and?']);
    expect({ stderr, isMine: stdout.includes('MINE') }).toEqual({ stderr: '', isMine: true });
  }
  await place.ken(['q', '-n', '-c', 'assistant.system_prompt=BEGUN', 'What else?']);
  const begun = (await place.ken(['c', 'ls', '--json', '--limit', '1'])).stdout;
  const { id } = JSON.parse(begun).conversations[0];
  const { stdout } = await place.ken(['q', '--id', id, '--dry-run', 'and?']);
  expect(stdout).toContain('BEGUN');
});

it('believes what you gave in no other workspace, and in no directory of another operator', async () => {
  const place = await clone();
  await place.ken(['q', '--id', place.id, '-c', 'assistant.system_prompt=MINE', 'and?']);
  const other = { environment: { KEN_HOME: path.join(place.home, 'other') } };
  const { stdout } = await place.ken(['q', '--id', place.id, '--dry-run', 'and?'], other);
  expect(stdout).not.toContain('MINE');
});
