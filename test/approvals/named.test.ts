import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { leavePending } from './pending.ts';

const SERVER = '[providers.mcp.git]\ncommand = "git-mcp"\n';
const LEFT_OUT =
  'warning: this workspace is not trusted, so providers.mcp.git is left out; see "ken trust --show".\n';

/** The lines of one section of `ken status`, or of one check of `ken doctor`. */
function part(output: string, start: RegExp, indent: RegExp): string[] {
  const lines = output.split('\n');
  const at = lines.findIndex((line) => start.test(line));
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !indent.test(line));
  return at === -1 ? [] : [lines[at] ?? '', ...rest.slice(0, end)];
}

it('status and doctor name what is pending and untrusted', async () => {
  const place = sandboxHere(SERVER);
  await leavePending(place, { type: 'tool_run', tool: 'sh', arguments: {} });
  const status = await place.ken(['status']);
  expect(status).toMatchObject({ code: 0, stderr: LEFT_OUT });
  expect(part(status.stdout, /^Trust$/, /^ /)).toEqual([
    'Trust',
    '  1 definition left out: not trusted; run "ken trust"',
  ]);
  expect(part(status.stdout, /^Approvals$/, /^ /)).toEqual([
    'Approvals',
    "  3f2a9c41d07e  Run tool 'sh'? (just now)",
  ]);
  expect(JSON.parse((await place.ken(['status', '--json'])).stdout)).toMatchObject({
    trust: { state: 'untrusted', definitions: 1 },
    approvals: { pending: [{ id: '3f2a9c41d07e', summary: "Run tool 'sh'?" }], jobs: [] },
  });
  const doctor = await place.ken(['doctor']);
  expect(part(doctor.stdout, /^\w+ +Trust:/, /^ /)).toEqual([
    'warning  Trust: this workspace defines tools, servers or commands that are left out',
    '         Look at them with "ken trust --show", and run "ken trust" if you want them.',
  ]);
  expect(part(doctor.stdout, /^\w+ +Approvals:/, /^ /)).toEqual([
    'warning  Approvals: 1 request waits for you',
    '         See them with "ken approvals ls".',
  ]);
});

it('status and doctor say that it is trusted, and when it no longer is', async () => {
  const place = sandboxHere(SERVER);
  mkdirSync(path.join(place.home, 'config'));
  writeOwnConfig(place.home, 'approvals.noninteractive = "allow"\n');
  await place.ken(['trust']);
  const before = [(await place.ken(['status'])).stdout, (await place.ken(['doctor'])).stdout] as const;
  expect(part(before[0], /^Trust$/, /^ /)).toEqual(['Trust', '  1 definition, trusted']);
  expect(part(before[1], /^\w+ +Trust:/, /^ /)).toEqual([
    'ok       Trust: what this workspace defines is as you saw it',
  ]);
  place.write('.ken/config.toml', SERVER.replace('git-mcp', 'evil'));
  const after = [(await place.ken(['status'])).stdout, (await place.ken(['doctor'])).stdout] as const;
  expect(part(after[0], /^Trust$/, /^ /)).toEqual([
    'Trust',
    '  1 definition left out: changed since trusted; run "ken trust"',
  ]);
  expect(part(after[1], /^\w+ +Trust:/, /^ /)).toEqual([
    'warning  Trust: this workspace has changed since you trusted it, so its definitions are left out',
    '         See what changed with "ken trust --show", and decide with "ken trust".',
  ]);
});

it('lists, shows and denies', async () => {
  const place = sandboxHere('');
  expect(await place.ken(['approvals', 'ls'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Nothing waits for your approval.\n',
  });
  const created = Date.now() - 2 * 3_600_000 - 60_000;
  const reason = { type: 'label_command', label: 'host', command: 'hostname\nuptime' } as const;
  const { digest } = await leavePending(place, reason, { created, request: { program: 'hostname' } });
  expect(await place.ken(['approvals', 'ls'])).toEqual({
    code: 0,
    stdout: [
      'id            status   asked        question                         workspace',
      `3f2a9c41d07e  pending  2 hours ago  Run a command for label 'host'?  ${place.root}`,
      '',
    ].join('\n'),
    stderr: '',
  });
  const time = (at: number) => new Date(at).toISOString();
  expect(await place.ken(['approvals', 'show', '3F2A'])).toEqual({
    code: 0,
    stdout: [
      'approval   3f2a9c41d07e',
      'status     pending',
      'asked by   ken',
      `workspace  ${place.root}`,
      `created    ${time(created)} (2 hours ago)`,
      `expires    ${time(created + 24 * 3_600_000)} (in 21 hours)`,
      `sha-256    ${digest}`,
      '',
      "Run a command for label 'host'?",
      '',
      'command:',
      '> hostname',
      '> uptime',
      '',
      'The exact request:',
      '> program: "hostname"',
      '',
    ].join('\n'),
    stderr: '',
  });
  expect(await place.ken(['approvals', 'deny', '3f2a'])).toEqual({
    code: 0,
    stdout: '',
    stderr: "Denied: Run a command for label 'host'?\n",
  });
  expect((await place.ken(['approvals', 'ls'])).stdout).toBe('');
  expect((await place.ken(['approvals', 'ls', '--all'])).stdout).toContain('3f2a9c41d07e  denied');
});

it('works outside of a workspace, and completes ids', async () => {
  const place = sandboxHere();
  await leavePending(place, { type: 'workspace_escape', path: '/etc' });
  const { stdout } = await place.ken(['complete', '--', 'approvals', 'show', '3']);
  expect(stdout).toContain('3f2a9c41d07e');
  expect(await place.ken(['approvals', 'show', '3f2a'])).toMatchObject({ code: 0 });
});
