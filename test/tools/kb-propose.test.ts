/** `kb_propose`: an assistant proposes a subject's text; nothing is written before the operator has seen the difference. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';

const CONFIG = `[kb.topic.project]
title = "How we work"
subjects = "kb"
disabled = ["salaries"]
`;
const DEPLOY = `# Deploy\n\n${Array.from({ length: 20 }, (_, at) => `Step ${at + 1}.\n`).join('')}`;

function workspace() {
  const place = sandboxHere(CONFIG);
  place.write('kb/deploy.md', DEPLOY);
  place.write('kb/salaries.md', 'Secret.\n');
  place.write('kb/picture.png', Buffer.from([0, 1, 2]));
  const propose = (given: object) =>
    place.ken(['tools', 'run', 'kb_propose', JSON.stringify(given), '--json']);
  const approve = () => writeOwnConfig(place.home, '[approvals]\nnoninteractive = "allow"\n');
  const read = (file: string) => readFileSync(path.join(place.root, file), 'utf8');
  return { ...place, propose, approve, read };
}

it('leaves a proposal waiting, and shows the operator only what changes', async () => {
  const place = workspace();

  const { code, stdout } = await place.propose({
    topic: 'How we work',
    slug: 'deploy',
    text: DEPLOY.replace('Step 9.', 'Step nine.'),
  });

  expect(code).toBe(1);
  expect(JSON.parse(stdout).outcome).toMatchObject({
    type: 'error',
    message: 'APPROVAL_REQUIRED:SUBJECT_PROPOSE:{"slug":"deploy","topic":"project"}',
  });
  expect(place.read('kb/deploy.md')).toBe(DEPLOY);
  const [{ id }] = JSON.parse((await place.ken(['approvals', 'ls', '--json'])).stdout).approvals;
  expect((await place.ken(['approvals', 'show', id])).stdout).toContain(
    [
      "Change subject 'project/deploy'?",
      '',
      'file:',
      '> kb/deploy.md',
      'difference:',
      '>   … 7 lines that stay',
      '>   Step 6.',
      '>   Step 7.',
      '>   Step 8.',
      '> - Step 9.',
      '> + Step nine.',
      '>   Step 10.',
      '>   Step 11.',
      '>   Step 12.',
      '>   … 9 lines that stay',
      '',
      'The exact request:',
    ].join('\n'),
  );
});

it('writes what was approved: a new subject, and a new text for an old one', async () => {
  const place = workspace();
  place.approve();

  const made = await place.propose({ topic: 'project', slug: 'guides/tea', text: '# Tea\n' });
  const changed = await place.propose({ topic: 'project', slug: 'deploy', text: '# Deploy\n\nPush.\n' });
  const same = await place.propose({ topic: 'project', slug: 'deploy', text: '# Deploy\n\nPush.\n' });

  expect([made, changed, same].map(({ stdout }) => JSON.parse(stdout).outcome.content)).toEqual([
    'kb/guides/tea.md holds the proposed text now.',
    'kb/deploy.md holds the proposed text now.',
    'The subject has exactly this text already.',
  ]);
  expect([place.read('kb/guides/tea.md'), place.read('kb/deploy.md')]).toEqual([
    '# Tea\n',
    '# Deploy\n\nPush.\n',
  ]);
});

/** An argument of a process has at most 128 KiB. */
const isProcess = process.env.KEN_TEST_BINARY !== undefined;

const TOO_LONG: [string, object, string] = [
  'a longer text than is read',
  { slug: 'a', text: 'x'.repeat(262_145) },
  'A subject has at most 262144 bytes.',
];

it.each([
  [
    'a hidden name',
    { slug: '.git/hooks/pre-commit', text: 'x' },
    '".git/hooks/pre-commit" cannot be proposed.',
  ],
  ['a step upwards', { slug: '../x', text: 'x' }, '"../x" cannot be proposed.'],
  ['a disabled subject', { slug: 'salaries', text: 'x' }, '"salaries" cannot be proposed.'],
  ['no text', { slug: 'a', text: ' \n' }, 'The proposed text is empty.'],
  ['a zero byte', { slug: 'a', text: 'a\0b' }, 'This cannot be a subject: it is a binary file.'],
  [
    'a picture',
    { slug: 'picture', text: 'x' },
    'picture.png is not text, or is too long to be shown to a person as a whole.',
  ],
  ...(isProcess ? [] : [TOO_LONG]),
])('refuses %s', async (_, given, message) => {
  const place = workspace();
  place.approve();
  const { stdout } = await place.propose({ topic: 'project', ...given });
  expect(JSON.parse(stdout).outcome.message).toBe(message);
  expect(existsSync(path.join(place.root, 'kb/a.md'))).toBe(false);
});
