import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandbox } from './ken.ts';

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

it('finds nothing wrong', async () => {
  const { ken, root } = sandbox();
  await ken(['init']);
  expect(await ken(['doctor'], { environment: programs(root, BOTH) })).toEqual({
    code: 0,
    stdout: [
      `ok       Node: ${node}`,
      'ok       git: 2.50.1',
      'ok       gh: 2.80.0',
      'ok       Config: 1 file, nothing wrong',
      'ok       Directories: 5 can be written to',
      `ok       Workspace: ${root}`,
      'ok       Knowledge base: 1 topic',
      'ok       Trust: nothing here needs it',
      'ok       Approvals: nothing waits for you',
      '',
    ].join('\n'),
    stderr: 'Nothing is wrong.\n',
  });
});

it('works outside a workspace, as JSON too', async () => {
  const { ken, root } = sandbox();
  const ok = (id: string, title: string, message: string) => ({
    id,
    title,
    hint: null,
    status: 'ok',
    message,
  });
  const { code, stdout, stderr } = await ken(['doctor', '--json'], { environment: programs(root, BOTH) });
  expect({ code, stderr, report: JSON.parse(stdout) }).toEqual({
    code: 0,
    stderr: '',
    report: {
      checks: [
        ok('node', 'Node', node),
        ok('git', 'git', '2.50.1'),
        ok('gh', 'gh', '2.80.0'),
        ok('config', 'Config', '0 files, nothing wrong'),
        ok('directories', 'Directories', '4 can be written to'),
        ok('workspace', 'Workspace', 'none here'),
        { ...ok('knowledge-base', 'Knowledge base', 'no workspace here'), status: 'skipped' },
        { ...ok('trust', 'Trust', 'no workspace here'), status: 'skipped' },
        ok('approvals', 'Approvals', 'nothing waits for you'),
      ],
    },
  });
});

it('names every problem with what to do, and exits 6', async () => {
  const { ken, root, home } = sandbox('[asistant]\nname = "ken"\n');
  writeFileSync(path.join(home, 'data'), '');
  const answers = { git: 'echo broken >&2; exit 3' };
  expect(await ken(['doctor'], { environment: programs(root, answers) })).toEqual({
    code: 6,
    stdout: [
      `ok       Node: ${node}`,
      'problem  git: "git --version" fails: broken',
      '         Run it yourself, and install git again if it does not work.',
      'warning  gh: not found',
      '         Install the GitHub CLI to use private repositories on GitHub.',
      `problem  Config: ${root}/.ken/config.toml:1:1: "asistant" is not a known key`,
      '         Did you mean assistant?',
      `problem  Directories: ${home}/data cannot be written to: ${home}/data is not a directory`,
      '         Check who owns them, or set KEN_HOME to a directory of yours.',
      `warning  Workspace: ${root} has no .ken/.gitignore`,
      '         Run "ken init" to add it, so that databases are not committed.',
      'skipped  Knowledge base: not checked while the config is broken',
      'skipped  Trust: not checked while the config is broken',
      'ok       Approvals: nothing waits for you',
      '',
    ].join('\n'),
    stderr: '3 problems, 2 warnings\n',
  });
});

it('goes on when the config cannot even be read', async () => {
  const { ken, root } = sandbox('this is = not [ TOML');
  const { code, stdout } = await ken(['doctor'], { environment: programs(root, BOTH) });
  expect({ code, checks: stdout.match(/^\w+ +\w+:/gm) }).toEqual({
    code: 6,
    checks: [
      'ok       Node:',
      'ok       git:',
      'ok       gh:',
      'problem  Config:',
      'ok       Directories:',
      'warning  Workspace:',
      'skipped  Trust:',
      'ok       Approvals:',
    ],
  });
});

it('waits for no program that hangs', async () => {
  const { ken, root } = sandbox();
  const { code, stdout } = await ken(['doctor'], {
    environment: programs(root, { ...BOTH, gh: 'while :; do :; done' }),
  });
  expect({ code, gh: stdout.split('\n')[2] }).toEqual({
    code: 6,
    gh: 'problem  gh: "gh --version" gives no answer within 3 s',
  });
});
