import { expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';

const CONFIG = '[kb.topic.t]\nsubjects = "t"\n';

it.each([24, 28, 32])(
  'with %d descriptors a command answers, or says in a sentence that there are too few',
  async (limit) => {
    const place = sandbox(CONFIG);
    await place.ken(['k', 'add', '--title', 'Tea', '--text', 'Green.', '--provenance', 'cmd:x']);
    place.write('t/deploy.md', '# Deploy\n\nRun make deploy.\n');
    const commands = ['ken search deploy', 'ken q -n "How do we deploy?"', 'ken k list', 'ken backup x.tgz'];
    for (const command of commands) {
      const { stderr, code } = await place.shell(`ulimit -n ${limit}; ${command}`);
      expect(`${command}: ${stderr}`).not.toMatch(/bug in ken|EMFILE/);
      expect([0, 1]).toContain(code);
      if (code === 1) expect(stderr).toMatch(/may not open more files|cannot be opened|too many open files/);
    }
  },
);

it('an expression that backtracks without end is given up after a second', async () => {
  const place = sandbox(CONFIG);
  const words = `${'a'.repeat(60)}!`;
  await place.ken(['q', '-n', words]);
  const { stderr, code } = await place.ken(['c', 'grep', '--regex', '(a+)+$']);
  expect({ stderr, code }).toEqual({
    code: 2,
    stderr:
      'ken: The expression (a+)+$ takes more than a second for one message.\n' +
      'hint: Write it without nested repetitions such as (a+)+.\n',
  });
  expect(await place.ken(['c', 'grep', '--regex', '^a+!$'])).toMatchObject({ code: 0 });
});
