import { expect, it } from 'vitest';
import { sandboxHere } from './ken-here.ts';

it('shows what is here', async () => {
  const { ken, root } = sandboxHere('');
  expect(await ken(['status'])).toEqual({
    code: 0,
    stdout: `Workspace\n  ${root}\n  1 config file\n`,
    stderr: '',
  });
  expect(await ken(['status', '--json'])).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ workspace: { root, config_files: [`${root}/.ken/config.toml`] } })}\n`,
    stderr: '',
  });
});

it('needs a workspace', async () => {
  expect(await sandboxHere().ken(['status'])).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'ken: There is no workspace here or in any directory above.\n' +
      'hint: Run "ken init" to make this directory one.\n',
  });
});

it('names what only looks like a workspace', async () => {
  const { ken, root, write } = sandboxHere();
  write('.ken', '');
  expect(await ken(['status'])).toEqual({
    code: 3,
    stdout: '',
    stderr:
      `ken: There is no workspace here or in any directory above: ${root}/.ken is not a directory.\n` +
      'hint: Rename it and run "ken init".\n',
  });
});
