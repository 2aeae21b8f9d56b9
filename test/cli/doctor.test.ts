import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from './ken-here.ts';

/** A PATH on which these programs say this when asked for their version. */
function programs(root: string, answers: Readonly<Record<string, string>>): Record<string, string> {
  const directory = path.join(root, '../bin');
  mkdirSync(directory, { recursive: true });
  symlinkSync('/bin/sh', path.join(directory, 'sh'));
  for (const [name, script] of Object.entries(answers))
    writeFileSync(path.join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: directory };
}

const BOTH = { git: 'echo git version 2.50.1', gh: 'echo "gh version 2.80.0 (2026-01-01)"' };
const { node } = process.versions;

/** The lines about what every ken has, hints included; what its parts add has tests of its own. */
function frameLines(stdout: string): string[] {
  const reports = stdout.split(/\n(?=\S)/).map((report) => report.trimEnd());
  return reports.filter((report) => /^\w+ +(Node|git|gh|Config|Directories|Workspace):/.test(report));
}

it('finds nothing wrong', async () => {
  const { ken, root } = sandboxHere();
  await ken(['init']);
  const { code, stdout } = await ken(['doctor'], { environment: programs(root, BOTH) });
  expect({ code, lines: frameLines(stdout) }).toEqual({
    code: 0,
    lines: [
      `ok       Node: ${node}`,
      'ok       git: 2.50.1',
      'ok       gh: 2.80.0',
      'ok       Config: 1 file, nothing wrong',
      'ok       Directories: 5 can be written to',
      `ok       Workspace: ${root}`,
    ],
  });
});

it('works outside a workspace, as JSON too', async () => {
  const { ken, root } = sandboxHere();
  const { code, stdout, stderr } = await ken(['doctor', '--json'], { environment: programs(root, BOTH) });
  expect({ code, stderr, checks: JSON.parse(stdout).checks.slice(0, 6) }).toEqual({
    code: 0,
    stderr: '',
    checks: [
      { id: 'node', title: 'Node', hint: null, status: 'ok', message: node },
      { id: 'git', title: 'git', hint: null, status: 'ok', message: '2.50.1' },
      { id: 'gh', title: 'gh', hint: null, status: 'ok', message: '2.80.0' },
      { id: 'config', title: 'Config', hint: null, status: 'ok', message: '0 files, nothing wrong' },
      { id: 'directories', title: 'Directories', hint: null, status: 'ok', message: '4 can be written to' },
      { id: 'workspace', title: 'Workspace', hint: null, status: 'ok', message: 'none here' },
    ],
  });
});

it('names every problem with what to do, and exits 6', async () => {
  const { ken, root, home } = sandboxHere('[asistant]\nname = "ken"\n');
  writeFileSync(path.join(home, 'data'), '');
  const answers = { git: 'echo broken >&2; exit 3' };
  const { code, stdout, stderr } = await ken(['doctor'], { environment: programs(root, answers) });
  expect({ code, lines: frameLines(stdout) }).toEqual({
    code: 6,
    lines: [
      `ok       Node: ${node}`,
      'problem  git: "git --version" fails: broken\n' +
        '         Run it yourself, and install git again if it does not work.',
      'warning  gh: not found\n' + '         Install the GitHub CLI to use private repositories on GitHub.',
      `problem  Config: ${root}/.ken/config.toml:1:1: "asistant" is not a known key\n` +
        '         Did you mean assistant?',
      `problem  Directories: ${home}/data cannot be written to: ${home}/data is not a directory\n` +
        '         Check who owns them, or set KEN_HOME to a directory of yours.',
      `warning  Workspace: ${root} has no .ken/.gitignore\n` +
        '         Run "ken init" to add it, so that databases are not committed.',
    ],
  });
  expect(stderr).toMatch(/^\d problems, \d warnings\n$/);
});

it('goes on when the config cannot even be read', async () => {
  const { ken, root } = sandboxHere('this is = not [ TOML');
  const { code, stdout } = await ken(['doctor'], { environment: programs(root, BOTH) });
  expect({ code, statuses: frameLines(stdout).map((line) => line.split(' ')[0]) }).toEqual({
    code: 6,
    statuses: ['ok', 'ok', 'ok', 'problem', 'ok', 'warning'],
  });
});

it('waits for no program that hangs', async () => {
  const { ken, root } = sandboxHere();
  const { code, stdout } = await ken(['doctor'], {
    environment: programs(root, { ...BOTH, gh: 'while :; do :; done' }),
  });
  expect({ code, gh: frameLines(stdout)[2] }).toEqual({
    code: 6,
    gh:
      'problem  gh: "gh --version" gives no answer within 3 s\n' +
      '         Run it yourself, and install gh again if it does not work.',
  });
});

it('says of the model, the embedder and the disk what a command would run into', async () => {
  const { ken, root, home } = sandboxHere('');
  mkdirSync(path.join(home, 'config'));
  writeFileSync(path.join(home, 'config/config.toml'), 'search.embedder_url = "http://127.0.0.1:9"\n');
  const environment = programs(root, BOTH);
  const linesOf = async (...more: string[]) => {
    const { stdout } = await ken(['doctor', ...more], { environment });
    return stdout.split(/\n(?=\S)/).filter((line) => /^\w+ +(Model|Embedder|Disk):/.test(line));
  };
  const [disk, model, embedder] = await linesOf(
    '-c',
    'assistant.model=nosuch/x',
    '-c',
    'search.embedder=nosuch/y',
  );
  expect(disk).toMatch(/^(ok|warning) +Disk: \d+ MiB free at /);
  expect(model).toMatch(/^problem +Model: "nosuch\/x" names no model of a configured provider\n/);
  expect(embedder).toMatch(/^problem +Embedder: .*nosuch/);
  expect(await linesOf('-c', 'assistant.model=anthropic/x')).toContainEqual(
    expect.stringMatching(/^problem +Model: anthropic\/x needs a key, and ANTHROPIC_API_KEY is not set\n/),
  );
  const outside = ['-c', 'search.embedder=ollama/x'];
  expect(await linesOf(...outside)).toContain(
    'ok       Embedder: ollama/x; "ken doctor --network" reaches it',
  );
  expect(await linesOf(...outside, '--network')).toContainEqual(
    expect.stringMatching(/^problem +Embedder: /),
  );
  expect(await linesOf('-c', 'assistant.model=ken/extractive', '-c', 'search.embedder=builtin')).toEqual([
    expect.stringMatching(/Disk/),
    'ok       Model: ken/extractive',
    'ok       Embedder: builtin, 256 dimensions',
  ]);
});
