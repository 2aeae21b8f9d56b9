import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import { sandbox } from '../cli/ken.ts';
import { ptyProblem } from '../cli/pty.ts';
import { leavePending, statusOf, withApprovals } from './pending.ts';

const ID = '3f2a9c41d07e';
const APPROVE = ['approvals', 'approve', ID];
const ASKS = 'Approve? yes / no / more: ';
const problem = ptyProblem();
const hidden = { type: 'tool_run', tool: 'sh', arguments: { command: '# tidy up\nrm -rf ~' } } as const;

describe.skipIf(problem)(`at a terminal${problem ? ` (${problem})` : ''}`, () => {
  it('shows the request whole and approves it', async () => {
    const place = sandbox('');
    await leavePending(place, hidden);
    const { code, text } = await atTerminal(place, APPROVE, [{ after: ASKS, keys: 'yes\r' }]);
    expect({ code, text }).toEqual({
      code: 0,
      text: [
        `Approval ${ID} is needed:`,
        "│ Run tool 'sh'?",
        '│',
        '│ arguments:',
        '│ » command: |',
        '│ »   # tidy up',
        '│ »   rm -rf ~',
        '│',
        '│ asked by ken',
        `│ in ${place.root}`,
        `9 lines. ${ASKS}yes`,
        'Approved; what asked for it can be run again.',
        '',
      ].join('\n'),
    });
    await withApprovals(place, async (approvals) =>
      expect((await approvals.get(ID, Date.now()))?.state).toMatchObject({
        status: 'approved',
        decision: { by: userInfo().username, through: 'terminal' },
      }),
    );
  });

  it('denies, after a look at the exact request and an answer that is none', async () => {
    const place = sandbox('');
    const { digest } = await leavePending(
      place,
      { type: 'workspace_escape', path: '/etc' },
      { created: Date.now() },
    );
    const { code, text } = await atTerminal(place, APPROVE, [
      { after: ASKS, keys: 'more\r' },
      { after: ASKS, keys: 'constructor\r' },
      { after: ASKS, keys: '\r' },
      { after: ASKS, keys: ' NO \r' },
    ]);
    expect(code).toBe(4);
    const lines = text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').split('\n');
    expect(lines).toEqual([
      `Approval ${ID} is needed:`,
      '│ Use a path outside the workspace?',
      '│',
      '│ path:',
      '│ » /etc',
      '│',
      '│ asked by ken',
      `│ in ${place.root}`,
      `7 lines. ${ASKS}more`,
      `│ approval   ${ID}`,
      '│ reason     workspace_escape',
      '│ asked by   ken',
      `│ workspace  ${place.root}`,
      '│ created    TIME',
      '│ expires    TIME',
      `│ sha-256    ${digest}`,
      '│ request',
      '│ » type: "workspace_escape"',
      '│ » path: "/etc"',
      `7 lines. ${ASKS}constructor`,
      'Type yes, no or more; Ctrl-C leaves it undecided.',
      `7 lines. ${ASKS}`,
      'Type yes, no or more; Ctrl-C leaves it undecided.',
      `7 lines. ${ASKS} NO `,
      'Denied.',
      '',
    ]);
    expect(await statusOf(place)).toBe('denied');
  });

  it('takes nothing for an answer that was typed before the question', async () => {
    const place = sandbox('');
    await leavePending(place, hidden);
    const { code, text } = await atTerminal(place, APPROVE, [
      { after: '', keys: 'yes\r' },
      { after: ASKS, keys: 'no\r' },
    ]);
    expect({ code, end: text.split(ASKS).at(-1), status: await statusOf(place) }).toEqual({
      code: 4,
      end: 'no\nDenied.\n',
      status: 'denied',
    });
  });

  it('leaves it undecided at Ctrl-C', async () => {
    const place = sandbox('');
    await leavePending(place, hidden);
    const { code, text } = await atTerminal(place, APPROVE, [{ after: ASKS, keys: '\x03' }]);
    expect({ code, end: text.split(ASKS).at(-1), status: await statusOf(place) }).toEqual({
      code: 130,
      end: '\nken: Interrupted.\n',
      status: 'pending',
    });
  });

  it('leaves it undecided when the input ends', async () => {
    const place = sandbox('');
    await leavePending(place, hidden);
    const { code, text } = await atTerminal(place, APPROVE, [{ after: ASKS, keys: '\x04' }]);
    expect({ code, end: text.split(ASKS).at(-1)?.trimStart(), status: await statusOf(place) }).toEqual({
      code: 4,
      end:
        `ken: Nothing was decided; approval ${ID} still waits.\n` +
        `hint: Run "ken approvals approve ${ID}" again, or "ken approvals deny ${ID}".\n`,
      status: 'pending',
    });
  });

  it('trusts exactly what it shows, and shows what changed', async () => {
    const place = sandbox('[providers.mcp.git]\ncommand = "git-mcp"\n');
    const wide = { columns: 120 };
    const first = await atTerminal(place, ['trust'], [{ after: ASKS, keys: 'y\r' }], wide);
    expect(first.text.split('\n').slice(1)).toEqual([
      '│ Trust what this workspace defines?',
      '│',
      '│ definitions:',
      '│ » + .ken/config.toml: providers.mcp.git = {"command":"git-mcp"}',
      '│ »     It runs programs or reaches the net.',
      '│',
      '│ asked by ken trust',
      `│ in ${place.root}`,
      `8 lines. ${ASKS}y`,
      'Trusted as shown.',
      '',
    ]);
    expect(await place.ken(['config', 'show', 'providers.mcp.git.command'])).toEqual({
      code: 0,
      stdout: 'providers.mcp.git.command = "git-mcp"\n',
      stderr: '',
    });
    place.write('.ken/config.toml', '[providers.mcp.git]\ncommand = "git-mcq"\n');
    const second = await atTerminal(place, ['trust'], [{ after: ASKS, keys: 'n\r' }], wide);
    expect(second.code).toBe(4);
    expect(second.text.split('\n').slice(4, 6)).toEqual([
      '│ » - .ken/config.toml: providers.mcp.git = {"command":"git-mcp"}',
      '│ » + .ken/config.toml: providers.mcp.git = {"command":"git-mcq"}',
    ]);
    expect((await place.ken(['config', 'show', 'providers.mcp.git.command'])).stdout).toBe('');
  });
});
