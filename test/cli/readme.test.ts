import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandbox } from './ken.ts';

const readme = readFileSync(path.join(import.meta.dirname, '../../README.md'), 'utf8');
const tour =
  readme
    .match(/^## A tour\n\n```sh\n([\s\S]*?)```/m)?.[1]
    ?.trim()
    .split('\n') ?? [];

it('has a tour that works from its first line to its last', async () => {
  const { shell } = sandbox();
  expect(tour.length).toBeGreaterThan(5);
  for (const line of tour) {
    const { code, stdout, stderr } = await shell(line);
    expect({ line, code, problem: code === 0 ? '' : stdout + stderr }).toEqual({
      line,
      code: 0,
      problem: '',
    });
  }
});
