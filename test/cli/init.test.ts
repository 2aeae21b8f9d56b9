import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from './ken-here.ts';

const CREATED = ['.ken/.gitignore', '.ken/kb/project/writing-subjects.md', '.ken/config.toml'];

it('makes a workspace without asking', async () => {
  const { ken, root } = sandboxHere();
  expect(await ken(['init'])).toEqual({
    code: 0,
    stdout: CREATED.map((file) => `${root}/${file}\n`).join(''),
    stderr: `${root} is a workspace. "ken status" shows what is in it.\n`,
  });
  expect(await ken(['init'])).toEqual({
    code: 0,
    stdout: '',
    stderr: `${root} is a workspace already.\n`,
  });
  expect(await ken(['-q', 'init'])).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await ken(['config', 'check'])).toMatchObject({ code: 0 });
});

it('makes the directory it is given', async () => {
  const { ken, root } = sandboxHere();
  const workspace = path.join(root, 'new/garden');
  expect(await ken(['init', 'new/garden', '--json'])).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ workspace, created: CREATED, kept: [] })}\n`,
    stderr: '',
  });
  expect(await ken(['init', '--json'], { directory: workspace })).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ workspace, created: [], kept: ['.ken/.gitignore', '.ken/config.toml'] })}\n`,
    stderr: '',
  });
});

it('says so when it lies inside another', async () => {
  const { ken, root } = sandboxHere('');
  expect(await ken(['init', 'inner'])).toMatchObject({
    code: 0,
    stderr:
      `It is inside another workspace, ${root}.\n` +
      `${root}/inner is a workspace. "ken status" shows what is in it.\n`,
  });
});

it('changes nothing that is there, even a config that is broken', async () => {
  const { ken, root } = sandboxHere('this is = not [ TOML');
  expect(await ken(['init'])).toMatchObject({ code: 0, stdout: `${root}/.ken/.gitignore\n` });
  expect(readFileSync(`${root}/.ken/config.toml`, 'utf8')).toBe('this is = not [ TOML');
  expect(readdirSync(`${root}/.ken`).sort()).toEqual(['.gitignore', 'config.toml']);
});

it('starts with a config whose every suggestion is valid', async () => {
  const { ken, root, write } = sandboxHere();
  await ken(['init']);
  const config = readFileSync(`${root}/.ken/config.toml`, 'utf8');
  const suggestions = config.replace(/^# (\[|\w+ = )/gm, '$1');
  expect(suggestions).not.toBe(config);
  write('.ken/config.toml', suggestions);
  expect(await ken(['config', 'check'])).toEqual({
    code: 0,
    stdout: '1 config file, nothing wrong.\n',
    stderr:
      'warning: this workspace is not trusted, so assistant.instructions is left out; see "ken trust --show".\n',
  });
  expect(await ken(['config', 'show', 'kb.topic.project.learned'])).toMatchObject({
    stdout: 'kb.topic.project.learned = ["overview", "conventions/*"]\n',
  });
});

it('keeps out of git what must not be committed', async () => {
  const { ken, write, shell } = sandboxHere();
  await ken(['init']);
  for (const file of [
    'index.db',
    'index.db-wal',
    'index.db-shm',
    'knowledge/knowledge.db',
    'config.local.toml',
  ])
    write(`.ken/${file}`, '');
  const { stdout } = await shell('git init -q . && git add -A && git ls-files');
  expect(stdout.trim().split('\n')).toEqual([...CREATED].sort());
});

it('refuses what is in its place', async () => {
  const { ken, root, write } = sandboxHere();
  symlinkSync('none', `${root}/.ken`);
  expect(await ken(['init'])).toEqual({
    code: 5,
    stdout: '',
    stderr:
      `ken: ${root}/.ken is a symbolic link, which ken does not follow.\n` +
      'hint: Put a directory in its place, or use the workspace it leads to with --workspace.\n',
  });
  write('file', '');
  expect(await ken(['init', 'file'])).toEqual({
    code: 5,
    stdout: '',
    stderr: `ken: Cannot write ${root}/file: it exists already.\nhint: Use another name, or remove it first.\n`,
  });
});

const isRoot = process.getuid?.() === 0;

it('says that it may not write', async () => {
  const { ken, root, home } = sandboxHere();
  const closed = path.join(root, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o555);
  for (const directory of [path.dirname(root), root, home]) chmodSync(directory, 0o755);
  expect(await ken(['init', 'closed'], { asNobody: isRoot })).toEqual({
    code: 1,
    stdout: '',
    stderr:
      `ken: Cannot write ${closed}/.ken: permission denied.\n` +
      `hint: Check who owns ${closed} and whether you may write there.\n`,
  });
});
