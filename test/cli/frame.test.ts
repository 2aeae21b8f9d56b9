import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/base/package-files.ts';
import { sandbox } from './ken.ts';
import { LAUNCHER as launcher } from './launcher.ts';

const hasTerminals = ['script', 'stty'].every((program) => spawnSync(program, ['--version']).status === 0);
const ken = (...words: string[]) => sandbox().ken(words);
const failed = (stderr: string, code = 2) => ({ code, stdout: '', stderr });

it.each([[['--version']], [['-q', '--version']], [['--json', '--version']]])(
  '%j prints the version',
  async (words) => {
    expect(await ken(...words)).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  },
);

it('shows an overview when nothing is asked', async () => {
  const overview = await ken();
  expect({ code: overview.code, stderr: overview.stderr }).toEqual({ code: 0, stderr: '' });
  expect(overview.stdout).toMatch(/^A knowledge base for you .*\n\nExamples:\n {2}ken init\n/);
  expect(await ken('--help')).toEqual(overview);
  expect(await ken('help')).toEqual(overview);
  expect(await ken('-h', '--json')).toEqual(overview);
});

it('shows one command, however it is asked', async () => {
  const help = await ken('init', '--help');
  expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(/^Make this directory a workspace\.\n/);
  expect(await ken('help', 'init')).toEqual(help);
  expect(await ken('--help', 'init', '--bogus')).toEqual(help);
});

it.each([
  [['inti'], 'ken: "inti" is not a ken command.\nhint: Did you mean init?\n'],
  [['help', 'inti'], 'ken: "inti" is not a ken command.\nhint: Did you mean init?\n'],
  [['help', 'init', 'x'], 'ken: "ken init x" is not a command.\nhint: See "ken init --help".\n'],
  [['xyzzy'], 'ken: "xyzzy" is not a ken command.\nhint: See "ken --help".\n'],
  [['init', '--jsno'], 'ken: "ken init" has no option "--jsno".\nhint: Did you mean --json?\n'],
  [['init', '--cfg'], 'ken: "--cfg" needs a value.\nhint: See "ken init --help".\n'],
  [['-q'], 'ken: No command was given.\nhint: See "ken --help".\n'],
  [['--'], 'ken: No command was given.\nhint: See "ken --help".\n'],
  [
    ['--limit', '5', 'init'],
    'ken: "ken" has no option "--limit".\nhint: "ken --help" lists the options. A command\'s own options go after its name.\n',
  ],
])('explains what is wrong with %j', async (words, stderr) => {
  expect(await ken(...words)).toEqual(failed(stderr));
});

it.each([
  [['--json', 'inti'], { message: '"inti" is not a ken command.', hint: 'Did you mean init?' }],
  [['inti', '--json'], { message: '"inti" is not a ken command.', hint: 'Did you mean init?' }],
  [['init', '--json', '--cfg'], { message: '"--cfg" needs a value.', hint: 'See "ken init --help".' }],
])('says it as one line of JSON when asked to: %j', async (words, error) => {
  expect(await ken(...words)).toEqual(
    failed(`${JSON.stringify({ error: { code: 'cli/usage', ...error } })}\n`),
  );
});

it('says it as JSON also when a word would turn the text around', async () => {
  const { code, stderr } = await ken('a\u202eb\u001b[31m', '--json');
  expect({ code, error: JSON.parse(stderr).error.message }).toEqual({
    code: 2,
    error: '"a\u202eb\u001b[31m" is not a ken command.',
  });
  expect(stderr).toMatch(/^[\n -~]+$/);
});

it('works in a directory that has been removed, as far as it can', async () => {
  const { shell } = sandbox();
  const inRemoved = (line: string) => shell(`mkdir gone && cd gone && rmdir ../gone && ${line}`);
  expect(await inRemoved('ken --version')).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  expect(await inRemoved('ken init')).toEqual(
    failed(
      'ken: The current directory does not exist any more.\n' +
        'hint: Change to another directory and run the command again.\n',
      3,
    ),
  );
});

it('is quiet when the reader goes away', async () => {
  const { shell } = sandbox();
  const quiet = { code: 0, stdout: '', stderr: '' };
  expect(await shell('ken --help | head -1')).toEqual({
    ...quiet,
    stdout: 'A knowledge base for you and your AI assistant.\n',
  });
  expect(await shell('ken --help | true')).toEqual(quiet);
  expect(await shell('ken --version | true')).toEqual(quiet);
});

it('keeps its exit code when nobody listens to standard error', async () => {
  const { shell } = sandbox();
  expect(await shell('ken inti 2> >(true)')).toEqual(failed(''));
  expect(await shell('ken inti 2>&-')).toEqual(failed(''));
});

it('says that standard output cannot be written', async () => {
  expect(await sandbox().shell('ken --help >/dev/full')).toEqual(
    failed('ken: Standard output cannot be written: ENOSPC: no space left on device, write.\n', 1),
  );
});

it('takes global flags before and after the command, --cfg from left to right', async () => {
  const { ken } = sandbox('');
  const name = (...words: string[]) => ken(words);
  const ada = { code: 0, stdout: 'assistant.name = "ada"\n', stderr: '' };
  expect(
    await name('-c', 'assistant.name=eve', 'config', 'show', 'assistant.name', '-c', 'assistant.name=ada'),
  ).toEqual(ada);
  expect(
    await name('config', '--cfg=assistant.name=eve', 'show', '-cassistant.name=ada', 'assistant.name'),
  ).toEqual(ada);
  expect(await name('--json', 'config', 'show', 'assistant.name', '-c', 'assistant.name=ada')).toEqual({
    ...ada,
    stdout: '{"config":{"assistant":{"name":"ada"}}}\n',
  });
});

it('uses the workspace it is told to use', async () => {
  const { ken, root, write } = sandbox();
  write('inner/.ken/config.toml', 'assistant.name = "ada"');
  const ada = { code: 0, stdout: 'assistant.name = "ada"\n', stderr: '' };
  expect(await ken(['--workspace', 'inner', 'config', 'show', 'assistant.name'])).toEqual(ada);
  expect(await ken(['config', 'show', 'assistant.name', `--workspace=${root}/inner`])).toEqual(ada);
  expect(await ken(['status', '--workspace', 'none'])).toEqual(
    failed(
      `ken: There is no directory ${root}/none.\nhint: --workspace takes the directory that holds .ken/.\n`,
      3,
    ),
  );
});

it('works with a home that cannot be written to', async () => {
  const { ken } = sandbox('');
  const environment = { KEN_HOME: '/dev/null/home', HOME: '/dev/null/home' };
  expect(await ken(['config', 'show', 'assistant.name'], { environment })).toEqual({
    code: 0,
    stdout: 'assistant.name = "ken"\n',
    stderr: '',
  });
});

it.skipIf(!hasTerminals)('fits its help to a terminal of 20 columns (needs script and stty)', async () => {
  const { shell } = sandbox();
  const { code, stdout } = await shell(
    `script -qec 'stty cols 20; "${process.execPath}" "${launcher}" init --help' /dev/null`,
  );
  const lines = stdout.replaceAll('\r', '').split('\n');
  expect({ code, first: lines.slice(0, 4) }).toEqual({
    code: 0,
    first: ['Make this directory', 'a workspace.', '', 'Writes .ken/ with a'],
  });
  const tooWide = lines.filter(
    (line) => line.length > 20 && /\S\s+\S/.test(line) && !line.startsWith('  ken '),
  );
  expect(tooWide).toEqual([]);
});
