import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';

const NAME = 'a'.repeat(120);
const PATTERNS = [
  `${'*a'.repeat(12)}*b`,
  `${'**/*a*/'.repeat(60)}b`,
  `${'{a,*}'.repeat(8)}b`,
  '[['.repeat(400),
];

it.each(PATTERNS)('the pattern %j is answered at once, learned, disabled or asked for', async (pattern) => {
  const { ken, write } = sandbox('[kb.topic.t]\nsubjects = "t"\n');
  for (let at = 0; at < 200; at++) write(`t/${NAME}/${NAME}/${at}/${NAME}.md`, 'x');
  for (let at = 0; at < 200; at++) write(`t/${NAME}${at}.md`, 'x');
  const list = JSON.stringify([pattern]);
  expect(await ken(['learn', 't', '--', pattern])).toMatchObject({ code: 3, stdout: '' });
  for (const key of ['learned', 'disabled']) {
    expect(await ken(['learn', 't', '-c', `kb.topic.t.${key}:=${list}`])).toMatchObject({
      code: 0,
      stderr: '',
    });
  }
});

it('the first of them holds a regular expression up', () => {
  const script = `require('picomatch')(${JSON.stringify(PATTERNS[0])})(${JSON.stringify(NAME)})`;
  const { signal } = spawnSync(process.execPath, ['-e', script], {
    cwd: import.meta.dirname,
    timeout: 2000,
    killSignal: 'SIGKILL',
  });
  expect(signal).toBe('SIGKILL');
});
