/** A tool in C, from the template to a call; and what doctor says about the compiler. */

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../cli/ken.ts';

const NODE_PATH = path.join(import.meta.dirname, '../../node_modules');
const CLANGS = ['clang-19', 'clang-20', 'clang-18', 'clang-17', 'clang-16', 'clang'];
const compiles = (clang: string) =>
  spawnSync(clang, ['--target=wasm32-wasi', '-fsyntax-only', '-xc', '-'], { input: '#include <stdio.h>\n' })
    .status === 0;
const problem = CLANGS.some(compiles) ? undefined : 'there is no clang with wasi-libc here';

it.skipIf(problem)(`builds and runs the template in C${problem ? ` (${problem})` : ''}`, async () => {
  const { ken, write, root } = sandbox('');
  write('README.md', '# Garden\n');
  expect((await ken(['tools', 'new', 'hello', '--lang', 'c'])).code).toBe(0);
  const built = await ken(['tools', 'build', 'hello'], { environment: { NODE_PATH } });
  expect(built).toMatchObject({ code: 0, stdout: '' });
  expect(existsSync(path.join(root, '.ken/tools/hello.wasm'))).toBe(true);
  expect(await ken(['tools', 'check', '.ken/tools/hello.wasm'])).toMatchObject({ code: 0 });
  expect(await ken(['tools', 'run', '.ken/tools/hello.wasm', '{"name":"Ada"}'])).toMatchObject({
    code: 0,
    stdout: 'Hello, Ada! I see 1 names here.\n',
  });
});

/** A compiler that ends with this code, and leaves a mark. */
function fakeClang({ write, root }: Sandbox, code: number): { CLANG: string } {
  const file = write('clang', `#!/bin/sh\ntouch '${root}/asked'\nexit ${code}\n`);
  chmodSync(file, 0o755);
  return { CLANG: file };
}

it('says at once that clang is missing, and installs nothing in vain', async () => {
  const place = sandbox('');
  await place.ken(['tools', 'new', 'hello', '--lang', 'c']);
  const { code, stderr } = await place.ken(['tools', 'build', 'hello'], { environment: fakeClang(place, 1) });
  expect({ code, stderr: stderr.replace(/^warning: .*\n/, '') }).toEqual({
    code: 3,
    stderr:
      'ken: There is no clang that compiles C for WebAssembly.\n' +
      'hint: On Debian: apt-get install clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32.\n',
  });
  expect(existsSync(path.join(place.root, '.ken/tools/hello/node_modules'))).toBe(false);
});

it.each([
  ['one that finds the C library for WebAssembly', 0, (place: Sandbox) => path.join(place.root, 'clang')],
  ['none that does', 1, () => 'no clang that finds wasi-libc, which only tools in C need'],
])('doctor looks for a compiler: %s', async (_, code, message) => {
  const place = sandbox('');
  const { stdout } = await place.ken(['doctor', '--json'], { environment: fakeClang(place, code) });
  const checks: { id: string; status: string; message: string }[] = JSON.parse(stdout).checks;
  expect(checks.find(({ id }) => id === 'c-compiler')).toMatchObject({
    status: 'ok',
    message: message(place),
  });
  expect(existsSync(path.join(place.root, 'asked'))).toBe(true);
});
