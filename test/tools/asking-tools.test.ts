/** `ken tools run` of tools that ask: the operator's own act at a terminal, a request anywhere else. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import { ptyProblem } from '../cli/pty.ts';
import { toolSandbox } from './tool-sandbox.ts';

const problem = ptyProblem();
const why = problem ? ` (skipped: ${problem})` : '';

function markPlace(run: string) {
  const place = toolSandbox(`[conversation.tools.mark]\ncommand = "touch ran"\nrun = "${run}"\n`);
  return {
    ...place,
    hasRun: () => existsSync(path.join(place.root, 'ran')),
    async approvals(...words: string[]) {
      return JSON.parse((await place.ken(['approvals', 'ls', '--json', ...words])).stdout).approvals;
    },
  };
}

it('waits for approval where there is no terminal', async () => {
  const place = markPlace('ask');
  const { code, stdout, stderr } = await place.ken(['tools', 'run', 'mark']);
  const [waiting] = await place.approvals();
  expect({ code, stdout, stderr }).toEqual({
    code: 4,
    stdout: '',
    stderr:
      `ken: This waits for approval ${waiting.id}: Run tool 'mark'? touch ran\n` +
      `hint: Run "ken approvals approve ${waiting.id}" in a terminal, then try again.\n`,
  });
  expect(waiting).toMatchObject({ status: 'pending', actor: 'ken tools run' });
  expect(place.hasRun()).toBe(false);
});

it.skipIf(problem)(`runs once what was approved${why}`, async () => {
  const place = markPlace('ask');
  await place.ken(['tools', 'run', 'mark']);
  const [{ id }] = await place.approvals();
  await atTerminal(place, ['approvals', 'approve', id], [{ after: 'yes / no / more: ', keys: 'yes\r' }]);
  expect((await place.ken(['tools', 'run', 'mark'])).code).toBe(0);
  expect(place.hasRun()).toBe(true);
  expect((await place.ken(['tools', 'run', 'mark'])).code).toBe(4);
});

it.skipIf(problem).each(['ask', 'deny'])(
  `at a terminal, runs a tool with run = "%s" unasked and records who ran it${why}`,
  async (run) => {
    const place = markPlace(run);
    const { code, text } = await atTerminal(place, ['tools', 'run', 'mark'], []);
    expect(code).toBe(0);
    expect(text).not.toContain('yes / no');
    expect(place.hasRun()).toBe(true);
    expect(await place.approvals('--all')).toMatchObject([
      { status: 'consumed', summary: "Run tool 'mark'? touch ran" },
    ]);
    const [{ id, actor }] = await place.approvals('--all');
    const shown = JSON.parse((await place.ken(['approvals', 'show', id, '--json'])).stdout);
    expect(JSON.stringify(shown)).toContain(`"by":${JSON.stringify(actor)}`);
    expect(JSON.stringify(shown)).toContain('"through":"terminal"');
  },
);

it('refuses a denied tool where there is no terminal', async () => {
  const place = markPlace('deny');
  expect(await place.ken(['tools', 'run', 'mark'])).toEqual({
    code: 4,
    stdout: '',
    stderr:
      'ken: The tool "mark" is denied by its configuration.\n' +
      'hint: Run it at a terminal, where the call is your own decision, or change its "run".\n',
  });
  expect(place.hasRun()).toBe(false);
});
