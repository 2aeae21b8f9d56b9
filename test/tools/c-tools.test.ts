/** Tools in C, Rust and Go, from the template to a call; and what doctor says about the compiler. */

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { withCompilers } from './compilers.ts';

const environment = Object.fromEntries(
  ['CLANG', 'RUSTC', 'GO'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);

const CLANGS = process.env.CLANG
  ? [process.env.CLANG]
  : ['clang-19', 'clang-20', 'clang-18', 'clang-17', 'clang-16', 'clang'];
const compiles = (clang: string) =>
  spawnSync(clang, ['--target=wasm32-wasi', '-fsyntax-only', '-xc', '-'], { input: '#include <stdio.h>\n' })
    .status === 0;
const noClang = CLANGS.some(compiles) ? undefined : 'there is no clang with wasi-libc here';
const RUSTC = process.env.RUSTC ?? 'rustc';
const hasTarget = (target: string) => {
  const { status, stdout } = spawnSync(RUSTC, ['--print=target-libdir', `--target=${target}`]);
  return status === 0 && existsSync(String(stdout).trim());
};
const noRust = ['wasm32-wasip1', 'wasm32-wasi'].some(hasTarget)
  ? undefined
  : 'there is no rustc with a library for WebAssembly here';

const { stdout: goVersion } = spawnSync(process.env.GO ?? 'go', ['env', 'GOVERSION'], { encoding: 'utf8' });
const noGo =
  Number(/^go1\.(\d+)/.exec(goVersion ?? '')?.[1] ?? 0) >= 24 ? undefined : 'there is no Go 1.24 here';

it.for([
  { lang: 'go', problem: noGo },
  { lang: 'c', problem: noClang },
  { lang: 'rust', problem: noRust },
])('builds and runs the template in $lang', async ({ lang, problem }, { skip }) => {
  skip(problem !== undefined, problem);
  const { ken, write } = withCompilers(sandbox(''));
  write('README.md', '# Garden\n');
  expect((await ken(['tools', 'new', 'hello', '--lang', lang])).code).toBe(0);
  const build = ['tools', 'build', 'hello', '--yes', '--json'];
  const [first, second] = [await ken(build, { environment }), await ken(build, { environment })];
  expect(first).toMatchObject({ code: 0, stderr: expect.not.stringContaining('ken:') });
  expect(JSON.parse(second.stdout)).toEqual(JSON.parse(first.stdout));
  expect(await ken(['tools', 'check', '.ken/tools/hello.wasm'])).toMatchObject({ code: 0 });
  expect(await ken(['tools', 'run', '.ken/tools/hello.wasm', '{"name":"Ada"}'])).toMatchObject({
    code: 0,
    stdout: 'Hello, Ada! I see 1 names here.\n',
  });
});

it('says that there is no Go that is new enough', async () => {
  const place = sandbox('');
  await place.ken(['tools', 'new', 'hello', '--lang', 'go']);
  const go = place.write('../go', '#!/bin/sh\necho go1.19.8\n');
  chmodSync(go, 0o755);
  const { code, stderr } = await place.ken(['tools', 'build', 'hello', '--yes'], { environment: { GO: go } });
  expect({ code, stderr: stderr.replace(/^warning: .*\n/, '') }).toEqual({
    code: 3,
    stderr:
      'ken: There is no Go 1.24 or newer.\n' + 'hint: On Debian 13: apt-get install golang-go. Found 1.19.\n',
  });
});

/** A compiler that ends with this code, and leaves a mark. */
function fakeClang({ write, root }: Sandbox, code: number): { CLANG: string } {
  const file = write('../clang', `#!/bin/sh\ntouch '${root}/asked'\nexit ${code}\n`);
  chmodSync(file, 0o755);
  return { CLANG: file };
}

it('says at once that clang is missing, and installs nothing in vain', async () => {
  const place = sandbox('');
  await place.ken(['tools', 'new', 'hello', '--lang', 'c']);
  const { code, stderr } = await place.ken(['tools', 'build', 'hello', '--yes'], {
    environment: fakeClang(place, 1),
  });
  expect({ code, stderr: stderr.replace(/^warning: .*\n/, '') }).toEqual({
    code: 3,
    stderr:
      'ken: There is no clang that compiles C for WebAssembly.\n' +
      'hint: On Debian: apt-get install clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32.\n',
  });
  expect(existsSync(path.join(place.home, 'cache/compilers'))).toBe(false);
});

it.each([
  ['one that finds the C library for WebAssembly', 0, (place: Sandbox) => path.join(place.root, '../clang')],
  ['none that does', 1, () => 'not installed; only tools in C need it'],
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
