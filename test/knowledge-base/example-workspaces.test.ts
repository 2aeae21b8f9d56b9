import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';

const examples = path.join(import.meta.dirname, '../../examples');

it.each([
  ['workspace', 'how do we deploy', 'operations/deploy.md'],
  ['personal', 'which shell do I use', '.ken/kb/me/machine.md'],
  ['team/workspace', 'who may roll back', '.ken/kb/team/on-call.md'],
])('the example %s has nothing to correct, and answers', async (name, question, file) => {
  const place = sandboxHere();
  cpSync(path.join(examples, name), place.root, { recursive: true });
  expect((await place.ken(['init', '-q'])).code).toBe(0);
  expect(await place.ken(['kb', 'check'])).toMatchObject({ code: 0 });
  expect((await place.ken(['config', 'check'])).stdout).not.toMatch(/unknown|invalid/);
  expect((await place.ken(['search', question])).stdout).toContain(file);
});
