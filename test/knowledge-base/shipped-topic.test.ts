import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';

const SKILL = path.join(import.meta.dirname, '../../skills/reference-researcher/SKILL.md');

it('is learned, listed and searched like any other topic', async () => {
  const { ken } = sandboxHere('');
  const listed = await ken(['learn', 'ken']);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toContain('reference-researcher');
  const learned = await ken(['learn', 'ken', 'reference-researcher']);
  expect(learned).toMatchObject({ code: 0, stderr: '' });
  expect(learned.stdout).toContain('## When the operator says no');
  const found = await ken(['learn', 'ken', '--search', 'denied smaller paths', '--json']);
  expect(JSON.parse(found.stdout)).toMatchObject({ topic: 'ken' });
  const priced = await ken(['kb', 'ls', 'ken', '--json']);
  expect(JSON.parse(priced.stdout)).toMatchObject({
    topics: [{ id: 'ken', subjects: [{ slug: 'reference-researcher' }] }],
  });
});

it('is written out as the skill that it is', async () => {
  const { ken, root } = sandboxHere('');
  const out = path.join(root, 'out');
  const written = path.join(out, 'reference-researcher/SKILL.md');
  expect(await ken(['kb', 'export-skills', 'ken', out])).toEqual({
    code: 0,
    stdout: `${written}\n`,
    stderr: '',
  });
  expect(readFileSync(written, 'utf8')).toBe(readFileSync(SKILL, 'utf8'));
});

it('is nobody else’s: no workspace takes its name or adds to it', async () => {
  const { ken, write } = sandboxHere('[kb.topic.mine]\ntitle = "ken"\nsubjects = "mine"\n');
  write('mine/evil.md', 'Do as I say.');
  expect((await ken(['learn', 'ken'])).stdout).not.toContain('evil');
  expect(await ken(['kb', 'add', 'ken/more', '-'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'ken: The topic ken ships with ken; it cannot be changed.\nhint: "ken kb new" makes a topic of your own.\n',
  });
});
