/** Programs as tools, called by the real binary. */

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LAUNCHER as launcher } from '../cli/launcher.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { toml, toolSandbox } from './tool-sandbox.ts';

const NODE = toml(process.execPath);
/** Prints what it was given as JSON. */
const TELL = `process.stdin.setEncoding('utf8').on('data', (input) => console.log(JSON.stringify({
  words: process.argv.slice(1), input: JSON.parse(input), directory: process.cwd(), environment: process.env })))`;

const tellTool = (args: readonly string[], more = '') => `
[conversation.tools.tell]
source = "local"
run = "unattended"
command = { program = ${NODE}, args = ${JSON.stringify(['-e', TELL, '--', ...args])} }
${more}
[conversation.tools.tell.parameters.x]
type = "string"
[conversation.tools.tell.parameters.y]
type = "string"
`;

/** Each with a shell command around it, in which the text would be obeyed. */
const SHELL_TEXTS = [
  ['; touch hacked', 'echo X'],
  ['$(touch hacked)', 'echo "X"'],
  ['`touch hacked`', 'echo "X"'],
  ['" && touch hacked && "', 'echo "X"'],
  ["' || touch hacked || '", "false 'X'"],
  ['| touch hacked', 'echo X'],
  ['> hacked', 'echo X'],
  ['\n touch hacked', 'echo X'],
] as const;

it.each([
  'two words',
  ...SHELL_TEXTS.map(([text]) => text),
  '*',
  '~',
  '--option=1',
  '{{y}}',
  '%s\\n',
  'ünï 🚀',
  '',
])('makes of the argument %j one word and nothing else', async (x) => {
  const { ken, root } = toolSandbox(tellTool(['{{x}}', 'end']));
  const { code, stdout } = await ken(['tools', 'run', 'tell', JSON.stringify({ x, y: 'Y' })]);
  expect({ code, words: JSON.parse(stdout).words }).toEqual({ code: 0, words: [x, 'end'] });
  expect(existsSync(path.join(root, 'hacked'))).toBe(false);
});

it.each(SHELL_TEXTS)('%j would be obeyed by a shell', (text, command) => {
  const directory = temporaryDirectory();
  spawnSync('sh', ['-c', command.replace('X', () => text)], { cwd: directory });
  expect(existsSync(path.join(directory, 'hacked'))).toBe(true);
});

it('says that no program can be given a NUL', async () => {
  const { ken } = toolSandbox(tellTool(['{{x}}']));
  const { code, stderr } = await ken(['tools', 'run', 'tell', '{"x":"a\\u0000b"}']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'warning: An argument holds a NUL character.\n' });
});

it('gives a program the call on its standard input, the workspace, and little else', async () => {
  const { ken, root, home } = toolSandbox(tellTool([]));
  const { stdout } = await ken(['tools', 'run', 'tell', '{"x":"a"}'], {
    environment: { OPENAI_API_KEY: 'secret', SSH_AUTH_SOCK: '/x', NODE_OPTIONS: '', LC_ALL: 'C' },
  });
  const { input, directory, environment } = JSON.parse(stdout);
  expect(input).toEqual({
    tool: { name: 'tell', arguments: { x: 'a' }, answers: {} },
    context: { root, action: 'run' },
  });
  expect(directory).toBe(root);
  expect(environment).toEqual({
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    LC_ALL: 'C',
    TZ: 'UTC',
  });
});

it('tells a program that holds several tools which one is meant', async () => {
  const { ken } = toolSandbox(tellTool(['{{tool.name}}']).replace('"local"', '"local.other"'));
  const { stdout } = await ken(['tools', 'run', 'tell', '{}']);
  expect(JSON.parse(stdout)).toMatchObject({ words: ['other'], input: { tool: { name: 'other' } } });
});

it('runs a script with its arguments beside it', async () => {
  const { ken } = toolSandbox(
    `[conversation.tools.t]\nrun = "unattended"\ncommand = { program = 'echo "[$1]" | tr a-z A-Z', args = ["{{x}}"], shell = true }\nparameters.x.type = "string"\n`,
  );
  const { stdout } = await ken(['tools', 'run', 't', '{"x":"a; b"}']);
  expect(stdout).toBe('[A; B]\n');
});

it.each([
  ['{"type":"success","content":"done"}', 0, 'done\n', ''],
  ['plain text', 0, 'plain text\n', ''],
  ['{"type":"error","message":"no","trace":["why"],"transient":false}', 1, '', 'warning: no\nwhy\n'],
])('reads the outcome %s', async (printed, code, stdout, stderr) => {
  const { ken } = toolSandbox(
    `[conversation.tools.t]\nrun = "unattended"\ncommand = { program = "printf", args = ["%s\\\\n", ${toml(printed)}] }\n`,
  );
  const result = await ken(['tools', 'run', 't']);
  expect({ ...result, stderr: result.stderr.replace(/^took .*\n/m, '') }).toEqual({ code, stdout, stderr });
});

it('makes an error of a program that fails', async () => {
  const { ken } = toolSandbox(
    '[conversation.tools.t]\nrun = "unattended"\ncommand = { program = "echo out; echo err >&2; exit 3", shell = true }\n',
  );
  const { code, stdout } = await ken(['tools', 'run', 't', '--json']);
  expect({ code, outcome: JSON.parse(stdout).outcome }).toEqual({
    code: 1,
    outcome: {
      type: 'error',
      message: 'The tool ended with code 3.',
      trace: ['err', 'out'],
      transient: false,
    },
  });
});

const ASK = `process.stdin.on('data', (input) => {
  const { answers } = JSON.parse(input).tool;
  const asked = ['sure', 'color'].find((id) => !(id in answers));
  console.log(asked === undefined ? JSON.stringify(answers) : JSON.stringify({ type: 'needs-input', question: {
    id: asked, text: asked + '?', 'answer-type': asked === 'sure' ? 'boolean' : { select: { options: ['red', 'blue'] } } } }));
})`;
const ASKING = `[conversation.tools.t]\nrun = "unattended"\ncommand = { program = ${NODE}, args = ["-e", ${toml(ASK)}] }\n`;

it('runs a tool again with every answer, from the command line and from the configuration', async () => {
  const { ken } = toolSandbox(`${ASKING}questions.color.answer = "blue"\n`);
  const { stdout } = await ken(['tools', 'run', 't', '{}', '--answer', 'sure=true']);
  expect(stdout).toBe('{"sure":true,"color":"blue"}\n');
});

it.each([
  ['nobody is there', '', "warning: Nobody answered the tool's question: sure?\n"],
  [
    'the configured answer is of another kind',
    'questions.sure.answer = "yes"\n',
    "warning: Nobody answered the tool's question: sure?\n",
  ],
])('gives up when %s', async (_, more, stderr) => {
  const { ken } = toolSandbox(ASKING + more);
  const result = await ken(['tools', 'run', 't']);
  expect({ code: result.code, stderr: result.stderr.replace(/^took .*\n/m, '') }).toEqual({
    code: 1,
    stderr,
  });
});

/** A program that leaves another behind and never ends. */
const LINGER = `[conversation.tools.t]
run = "unattended"
command = { program = 'sleep 600 & echo $! > child.pid; echo $$ > own.pid; wait', shell = true }
timeout = 1
`;

/** One that has ended and that nobody has asked about yet counts as ended. */
function isAlive(pidFile: string): boolean {
  const pid = readFileSync(pidFile, 'utf8').trim();
  return pid !== '' && /^\d+ \(.*\) [^ZX]/.test(readIfThere(`/proc/${pid}/stat`));
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

it('ends a program and all it started when its time is up', async () => {
  const { ken, root } = toolSandbox(LINGER);
  const { code, stderr } = await ken(['tools', 'run', 't']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'ken: "t" did not answer within 1 s.\nhint: Give it less to do, or raise conversation.tools.t.timeout.\n',
  });
  expect(['own.pid', 'child.pid'].map((name) => isAlive(path.join(root, name)))).toEqual([false, false]);
});

it('ends a program and all it started at Ctrl-C', async () => {
  const { root, home } = toolSandbox(LINGER.replace('timeout = 1', 'timeout = 600'));
  const ken = spawn(process.execPath, [launcher, 'tools', 'run', 't'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home, KEN_HOME: home },
    stdio: 'ignore',
  });
  const files = ['own.pid', 'child.pid'].map((name) => path.join(root, name));
  while (!files.every((file) => existsSync(file) && isAlive(file))) await wait(20);
  const ended = new Promise((resolve) => ken.on('exit', resolve));
  ken.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(files.map(isAlive)).toEqual([false, false]);
});

it('says which program is missing', async () => {
  const { ken } = toolSandbox(
    '[conversation.tools.t]\nrun = "unattended"\ncommand = "no-such-program-here"\n',
  );
  const { code, stderr } = await ken(['tools', 'run', 't']);
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no-such-program-here'),
  });
});

it('ends a program that prints without end', async () => {
  const { ken } = toolSandbox('[conversation.tools.t]\nrun = "unattended"\ncommand = "yes"\n');
  const { code, stderr } = await ken(['tools', 'run', 't']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'ken: "t" printed more than a tool may, and was stopped.\n',
  });
});

it.each([
  ['{"z":1}', '- must not have "z"'],
  ['{"x":1}', ''],
  ['[]', ''],
  ['{', ''],
])('runs nothing for the arguments %s', async (given) => {
  const { ken, root } = toolSandbox(
    '[conversation.tools.t]\nrun = "unattended"\ncommand = "touch ran {{x}}"\nparameters.x = { type = "string", required = true }\n',
  );
  expect((await ken(['tools', 'run', 't', given])).code).toBe(2);
  expect(existsSync(path.join(root, 'ran'))).toBe(false);
});

it('runs nothing of a workspace that nobody trusted', async () => {
  const { ken, root } = toolSandbox(
    '',
    '[conversation.tools.t]\nsource = "local"\ncommand = "touch ran"\nrun = "unattended"\n',
  );
  const { code, stderr } = await ken(['tools', 'run', 't']);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr:
      'warning: this workspace is not trusted, so conversation.tools.t is left out; see "ken trust --show".\n' +
      'ken: There is no tool "t" that can be used here.\nhint: See "ken tools ls".\n',
  });
  expect(existsSync(path.join(root, 'ran'))).toBe(false);
});

it('runs the same tool once the workspace is trusted', async () => {
  const { ken, root } = toolSandbox(
    '[approvals]\nnoninteractive = "allow"\n',
    '[conversation.tools.t]\nsource = "local"\ncommand = "touch ran"\nrun = "unattended"\n',
  );
  expect((await ken(['tools', 'run', 't'])).code).toBe(3);
  expect((await ken(['trust'])).code).toBe(0);
  expect((await ken(['tools', 'run', 't'])).code).toBe(0);
  expect(existsSync(path.join(root, 'ran'))).toBe(true);
});

it.each([
  ['source = "builtin.lern"', 'There is no builtin tool "lern".', 'Did you mean learn?'],
  [
    'command = "ls {{nobody}}"',
    'conversation.tools.t.command mentions {{nobody}}, which is not a parameter.',
    'Add it to parameters.',
  ],
  [
    'wasm = "../x.wasm"',
    'conversation.tools.t.wasm leads out of the workspace: "../x.wasm".',
    'Paths of tools are relative to the workspace and stay inside it.',
  ],
])('takes a tool away for %s', async (line, message, hint) => {
  const { ken } = toolSandbox(`[conversation.tools.t]\nrun = "unattended"\n${line}\n`);
  const { code, stderr } = await ken(['tools', 'ls']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `warning: t cannot be used: ${message}\n${hint}\n`,
  });
});
