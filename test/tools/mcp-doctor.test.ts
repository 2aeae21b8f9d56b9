/** Doctor and completion know servers without starting any. */

import { expect, it } from 'vitest';
import { scriptedPlace, serverConfig, toolConfig, variable } from './mcp-sandbox.ts';
import { toolSandbox } from './tool-sandbox.ts';

async function finding(check: string, config: string) {
  const { stdout } = await toolSandbox(config, '').ken(['doctor', '--json']);
  const checks: { id: string; status: string; message: string; hint?: string }[] = JSON.parse(stdout).checks;
  const found = checks.find(({ id }) => id === check);
  return { status: found?.status, message: found?.message, hint: found?.hint };
}

it('finds nothing wrong with a server that can be started, and does not start it', async () => {
  const place = scriptedPlace();
  const { stdout } = await place.ken(['doctor', '--json']);
  const tools = JSON.parse(stdout).checks.find(({ id }: { id: string }) => id === 'tools');
  expect(tools).toMatchObject({ status: 'ok', message: '1 configured' });
  expect(place.log()).toEqual([]);
});

it.each([
  [
    'tools',
    `${toolConfig('t', 'mcp.gone.t')}${toolConfig('u', 'builtin.lern')}`,
    '"u": There is no builtin tool "lern"; "t": There is no server "gone" in providers.mcp',
    'Did you mean learn? Define it as providers.mcp.gone, with a command or a url.',
  ],
  [
    'servers',
    `[providers.mcp.s]\ncommand = "no-such-program"\n${toolConfig('t', 'mcp.s.t')}`,
    '"s": it needs no-such-program, which is not installed',
    'Install it, or check the PATH.',
  ],
  [
    'servers',
    `${serverConfig('s', [], `env = { A = "${variable('TOKEN')}" }`)}${toolConfig('t', 'mcp.s.t')}`,
    '"s": providers.mcp.s.env.A names the environment variable TOKEN, which is not set',
    'Set TOKEN, or write $${ where no variable is meant.',
  ],
])('says of the %s what is wrong with %s', async (check, config, message, hint) => {
  expect(await finding(check, config)).toEqual({ status: 'problem', message, hint });
});

it('completes the names of servers', async () => {
  const { ken } = scriptedPlace();
  const { stdout } = await ken(['complete', '--', 'tools', 'ls', '--server', '']);
  expect(stdout).toContain(`scripted\t${process.execPath}`);
});
