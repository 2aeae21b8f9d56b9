import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { leavePending, statusOf } from '../approvals/pending.ts';
import { atTerminal } from '../cli/at-terminal.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { LAUNCHER } from '../cli/launcher.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { ptyProblem } from '../cli/pty.ts';

const ID = '3f2a9c41d07e';
const ALLOW = 'approvals.noninteractive = "allow"\n';
const RUN = { type: 'tool_run', tool: 'sh', arguments: {} } as const;
const problem = ptyProblem();

async function waiting(): Promise<Sandbox> {
  const place = sandboxHere('');
  await leavePending(place, RUN);
  return place;
}

function authority(place: Sandbox, text: string, mode: number): void {
  const file = path.join(place.home, 'data/authority.toml');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

it('another XDG_CONFIG_HOME approves nothing in the data directory of the operator', async () => {
  const place = await waiting();
  place.write('../e/ken/config.toml', ALLOW);
  const xdg = {
    KEN_HOME: '',
    XDG_CONFIG_HOME: path.join(place.root, '../e'),
    XDG_DATA_HOME: path.join(place.home, 'x'),
  };
  mkdirSync(path.join(place.home, 'x'));
  const link = await place.shell(`mv ${place.home}/data ${place.home}/x/ken && ken approvals approve ${ID}`, {
    environment: xdg,
  });
  expect(link).toMatchObject({ code: 4 });
  expect(link.stderr).toContain(
    'approvals.noninteractive counts only in authority.toml and is left out here',
  );
});

it('config.toml decides nothing about approvals, clients and hosts, and doctor says so', async () => {
  const place = await waiting();
  const text = `${ALLOW}mcp.trusted_clients = ["x"]\nnet.allow = ["127.0.0.1"]\n`;
  place.write('../home/config/config.toml', text);
  expect(await place.ken(['approvals', 'approve', ID])).toMatchObject({ code: 4 });
  expect(await statusOf(place)).toBe('pending');
  const { stdout } = await place.ken(['config', 'show', '-q']);
  expect(stdout).toContain('net.allow = []\n');
  expect(stdout).toContain('mcp.trusted_clients = []\n');
  expect((await place.ken(['doctor'])).stdout).toContain(
    'warning  Config: 3 keys are not in force\n         Run "ken config check" to see which',
  );
});

it.each([
  [0o644, 'can be read or written by other accounts'],
  [0o620, 'can be read or written by other accounts'],
])('authority.toml of mode %o counts for nothing', async (mode, why) => {
  const place = await waiting();
  authority(place, ALLOW, mode);
  const result = await place.ken(['approvals', 'approve', ID]);
  expect(result.code).toBe(4);
  expect(result.stderr).toContain(`data/authority.toml ${why}, so nothing in it counts`);
  authority(place, ALLOW, 0o600);
  expect(await place.ken(['approvals', 'approve', ID])).toMatchObject({ code: 0 });
});

it.skipIf(process.getuid?.() !== 0)('authority.toml of another account counts for nothing', async () => {
  const place = await waiting();
  authority(place, ALLOW, 0o600);
  await place.shell(`chown 65534 ${place.home}/data/authority.toml`);
  const result = await place.ken(['approvals', 'approve', ID]);
  expect(result).toMatchObject({ code: 4 });
  expect(result.stderr).toContain('belongs to another account, so nothing in it counts');
});

it('authority.toml holds nothing else', async () => {
  const place = sandboxHere('');
  authority(place, 'assistant.name = "x"\n', 0o600);
  expect(await place.ken(['status'])).toEqual({
    code: 4,
    stdout: '',
    stderr:
      `ken: ${place.home}/data/authority.toml:1:1: "assistant.name" does not belong into authority.toml.\n` +
      'hint: Move it to your own config.toml; authority.toml holds approvals, mcp.trusted_clients and net.allow.\n',
  });
});

it('a config file that others can write to may only narrow', async () => {
  const place = sandboxHere('');
  writeOwnConfig(place.home, 'editor = "evil"\nassistant.model = "openai/x"\nassistant.turn_limit = 3\n');
  const file = path.join(place.home, 'config/config.toml');
  chmodSync(file, 0o666);
  const { stdout, stderr } = await place.ken(['config', 'show']);
  expect(stdout).toContain('assistant.model = "ken/extractive"\n');
  expect(stdout).toContain('assistant.turn_limit = 3\n');
  expect(stdout).not.toContain('editor');
  expect(stderr).toBe(
    `warning: ${file} can be written to by other accounts, so editor, assistant.model are left out; ` +
      'make it yours alone with "chmod go-w".\n',
  );
});

it('"config set --user" of what widens needs the operator, and harmless keys do not', async () => {
  const place = sandboxHere('');
  for (const [key, value] of [
    ['approvals.noninteractive', 'allow'],
    ['mcp.trusted_clients', 'x'],
    ['net.allow', 'localhost'],
    ['editor', 'evil'],
    ['assistant.model', 'openai/x'],
  ] as const) {
    const result = await place.ken(['config', 'set', '--user', key, value]);
    expect({ key, ...result }).toEqual({
      key,
      code: 4,
      stdout: '',
      stderr: `ken: Setting ${key} needs you: there is no person at a terminal.\nhint: Run it in a terminal of your own.\n`,
    });
  }
  expect(await place.ken(['config', 'set', '--user', 'assistant.turn_limit', '3'])).toMatchObject({
    code: 0,
  });
});

describe.skipIf(problem)('at a terminal', () => {
  it('the operator writes authority.toml for nobody else', async () => {
    const place = sandboxHere('');
    const words = ['config', 'set', '--user', 'net.allow', 'localhost'];
    expect(await atTerminal(place, words, [])).toMatchObject({ code: 0 });
    const file = path.join(place.home, 'data/authority.toml');
    expect(readFileSync(file, 'utf8')).toBe('[net]\nallow = ["localhost"]\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await place.ken(['config', 'show', 'net.allow'])).stdout).toBe('net.allow = ["localhost"]\n');
  });

  it.each([
    ['CLAUDECODE', 'Claude Code'],
    ['CODEX_THREAD_ID', 'Codex'],
  ])('an assistant that sets %s is not the operator', async (variable, assistant) => {
    const place = await waiting();
    const marked = { environment: { [variable]: '1' } };
    const refused = await atTerminal(place, ['approvals', 'approve', ID], [], marked);
    expect(refused).toEqual({
      code: 4,
      text:
        `ken: Approving needs you: this terminal belongs to ${assistant} (the variable ${variable}).\n` +
        'hint: Run it in a terminal that you opened yourself, outside of the assistant.\n',
    });
    const set = await atTerminal(
      place,
      ['config', 'set', '--user', 'approvals.noninteractive', 'allow'],
      [],
      marked,
    );
    expect(set.code).toBe(4);
    expect(await statusOf(place)).toBe('pending');
  });

  it('a cleared environment hides nothing from the processes further up', async () => {
    const place = await waiting();
    const { openPty } = await import('../cli/pty.ts');
    const { root, home } = place;
    const pty = openPty(
      `env -u CLAUDECODE bash -c 'exec env -u CLAUDECODE KEN_HOME=${home} "$KEN" "$LAUNCHER" approvals approve ${ID}'`,
      {
        directory: root,
        environment: {
          CLAUDECODE: '1',
          KEN: process.execPath,
          LAUNCHER,
        },
      },
    );
    const { code, output } = await pty.ended();
    expect(output).toContain('this terminal belongs to Claude Code (the variable CLAUDECODE of process');
    expect(code).toBe(4);
  });
});
