import { chmodSync, chownSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const asNobody = isRoot;

/** Nothing in the workspace can be written to, by its owner neither; root, who ignores that, gives it away. */
function readOnly(place: Sandbox): void {
  if (isRoot) giveAway(place);
  for (const directory of ['.ken/kb/project', '.ken/kb', '.ken', ''])
    chmodSync(path.join(place.root, directory), 0o555);
}

function giveAway({ root }: Sandbox): void {
  const base = path.dirname(root);
  for (const entry of ['', ...readdirSync(base, { recursive: true, encoding: 'utf8' })])
    chownSync(path.join(base, entry), NOBODY, NOBODY);
}

const CONVERSATION = conversationIdAt(Date.UTC(2026, 0, 1), '0000');

/** As it comes with a clone, in which nobody has written to it yet. */
function withConversation(place: Sandbox): string {
  const at = '2026-01-01T00:00:00.000Z';
  const directory = `.ken/conversations/${CONVERSATION}`;
  place.write(
    `${directory}/metadata.json`,
    JSON.stringify({ title: 'Beans', created_at: at, active_at: at }),
  );
  place.write(`${directory}/base_config.json`, '{}');
  place.write(`${directory}/events.jsonl`, `${JSON.stringify({ type: 'turn_start', at, turn: 1 })}\n`);
  return path.join(place.root, directory);
}

function writable(place: Sandbox): void {
  for (const directory of ['', '.ken', '.ken/kb', '.ken/kb/project'])
    chmodSync(path.join(place.root, directory), 0o755);
}

it('a workspace that may only be read can be searched and asked, with --local; without, it is said why not', async () => {
  const place = sandboxHere('[kb.topic.project]\nsubjects = ".ken/kb/project"\n');
  place.write('.ken/kb/project/deploy.md', '# Deploy\n\nTo deploy, push to main.\n');
  readOnly(place);
  try {
    const question = 'How do we deploy?';
    expect(await place.ken(['-q', 'q', '-n', '--local', question], { asNobody })).toEqual({
      code: 0,
      stdout:
        'Quoted from what ken knows; no language model has read or judged it.\n\n' +
        '> To deploy, push to main.\n\n— ken://kb/project/deploy#L3\n',
      stderr: '',
    });
    const found = await place.ken(['search', 'push to main', '--json'], { asNobody });
    expect({ ...found, stdout: JSON.parse(found.stdout).hits[0].citation.uri }).toEqual({
      code: 0,
      stdout: 'ken://kb/project/deploy#L3',
      stderr: '',
    });
    expect(readdirSync(path.join(place.root, '.ken')).sort()).toEqual(['config.toml', 'kb']);
    const refused = await place.ken(['-q', 'q', '-n', question], { asNobody });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^ken: Cannot write \S+\/\.ken\/conversations\/\S+: permission denied\.\nhint: .+\n$/,
    );
  } finally {
    writable(place);
  }
});

it.each([
  [['q', '--id', CONVERSATION, 'Hi']],
  [['c', 'label', 'add', '--id', CONVERSATION, 'wip']],
  [['c', 'edit', CONVERSATION, '--title', 'Peas']],
  [['c', 'archive', CONVERSATION]],
  [['c', 'rm', '--yes', CONVERSATION]],
])('ken %j in a directory that may only be read says so', async (words) => {
  const place = sandboxHere('');
  const directory = withConversation(place);
  if (isRoot) giveAway(place);
  chmodSync(directory, 0o555);
  try {
    expect(await place.ken(words, { asNobody })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `ken: ${directory}/.writer.lock cannot be opened.\n` +
        `hint: Check who owns it and ${directory}, and whether you may read and write there.\n`,
    });
    expect((await place.ken(['c', 'show', CONVERSATION], { asNobody })).code).toBe(0);
  } finally {
    chmodSync(directory, 0o755);
  }
});

it('what of a conversation may not be read is named, and why', async () => {
  const place = sandboxHere('');
  const directory = withConversation(place);
  if (isRoot) giveAway(place);
  const refused = (file: string) => ({
    code: 1,
    stdout: '',
    stderr: `ken: ${file} cannot be read: permission denied.\nhint: "ken doctor" looks at every conversation.\n`,
  });
  const log = path.join(directory, 'events.jsonl');
  chmodSync(log, 0);
  expect(await place.ken(['c', 'print', CONVERSATION], { asNobody })).toEqual(refused(log));
  chmodSync(log, 0o644);
  const all = path.dirname(directory);
  await place.ken(['c', 'use', CONVERSATION], { asNobody });
  chmodSync(all, 0o600);
  try {
    expect(await place.ken(['c', 'show', CONVERSATION], { asNobody })).toEqual(refused(directory));
  } finally {
    chmodSync(all, 0o755);
  }
});
