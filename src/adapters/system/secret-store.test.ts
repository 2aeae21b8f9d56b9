import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { systemProcesses } from './run-process.ts';
import { systemSecrets } from './secret-store.ts';

/** A keyring with one secret, which also says which variables it was given. */
function keyring() {
  const programs = temporaryDirectory();
  const program = path.join(programs, 'secret-tool');
  writeFileSync(
    program,
    `#!/bin/sh
[ "$*" = "lookup service site account ada" ] || exit 1
echo "hunter2$SECRET_TOKEN"
`,
  );
  chmodSync(program, 0o755);
  const environment = { PATH: `${programs}:/usr/bin:/bin`, SECRET_TOKEN: 'of the operator' };
  return systemSecrets({ processes: systemProcesses, environment });
}

it.runIf(process.platform === 'linux')(
  'reads a secret of the keyring, without your environment',
  async () => {
    expect(await keyring().read({ kind: 'keyring', service: 'site', account: 'ada' })).toBe('hunter2');
  },
);

it.runIf(process.platform === 'linux')('names the secret that the keyring does not have', async () => {
  await expect(
    keyring().read({ kind: 'keyring', service: 'site', account: undefined }),
  ).rejects.toMatchObject({
    code: 'tools/no-secret',
    message: 'The keyring has no secret "site".',
  });
});
