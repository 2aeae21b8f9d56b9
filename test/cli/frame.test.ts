import { expect, it } from 'vitest';
import { VERSION } from '../../src/base/version.ts';
import { sandbox } from './ken.ts';

it('prints its version', async () => {
  expect(await sandbox().ken(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
});

it('suggests the command that was meant', async () => {
  expect(await sandbox().ken(['inti'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'ken: "inti" is not a ken command.\nhint: Did you mean init?\n',
  });
});
