/** Components that import what WASI does not have: constructors, statics, and what JavaScript objects inherit. */

import { existsSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { expect, it } from 'vitest';
import { NO_FILES } from '../../src/adapters/wasm/runner/remote-files.ts';
import { createWasi, type WasiImports } from '../../src/adapters/wasm/runner/wasi.ts';
import { sandbox } from '../cli/ken.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { openHost } from '../wasm/open-host.ts';
import { probeHost } from '../wasm/probe-host.ts';

const probe = probeHost();
const never = new AbortController().signal;

async function check(wat: string) {
  const file = path.join(temporaryDirectory(), 'tool.wasm');
  writeFileSync(file, await parse(wat));
  return probe().host.check({ file }, never);
}

/** An interface that is imported with these members; `$r` is the resource. */
const importOf = (name: string, members: string) => `(import "${name}" (instance ${members}))`;
const descriptor = (members: string) =>
  importOf('wasi:filesystem/types@0.2.12', `(export "descriptor" (type $r (sub resource))) ${members}`);

it.each([
  ['[constructor]descriptor', '(func (param "opened" string) (result (own $r)))'],
  ['[constructor]descriptor', '(func (result (own $r)))'],
  ['[static]descriptor.to-string', '(func (result string))'],
  ['[static]descriptor.constructor', '(func (param "text" string))'],
  ['[static]descriptor.open-at', '(func)'],
  ['[method]descriptor.value-of', '(func (param "self" (borrow $r)) (result (own $r)))'],
  ['[method]descriptor.constructor', '(func (param "self" (borrow $r)))'],
  ['[method]descriptor.has-own-property', '(func (param "self" (borrow $r)) (param "x" u32) (result bool))'],
  ['to-string', '(func (result string))'],
  ['constructor', '(func (param "text" string))'],
  ['get-directories', '(func)'],
])('is refused with an import of %s', async (name, type) => {
  await expect(check(`(component ${descriptor(`(export "${name}" ${type})`)})`)).rejects.toMatchObject({
    code: 'wasm/unknown-import',
    message: `The component imports wasi:filesystem/types ${name}, which WASI does not have.`,
    hint: 'No compiler makes such imports; do not trust this file.',
  });
});

it.each([
  ['a resource of its own', '(export "key" (type (sub resource)))', 'key'],
  ['a word of JavaScript', '(export "delete" (func))', 'delete'],
  [
    'a method that is a word of JavaScript',
    '(export "[method]descriptor.delete" (func (param "self" (borrow $r))))',
    '[method]descriptor.delete',
  ],
])('is refused with %s', async (_, members, named) => {
  await expect(check(`(component ${descriptor(members)})`)).rejects.toMatchObject({
    code: 'wasm/unknown-import',
    message: expect.stringContaining(`The component imports wasi:filesystem/types ${named}`),
  });
});

it('is refused with a function in the contract of tools', async () => {
  await expect(
    check(`(component ${importOf('ken:tool/types@0.1.0', '(export "f" (func))')})`),
  ).rejects.toMatchObject({
    code: 'wasm/unknown-import',
    message: 'The component imports ken:tool/types f, which the contract of tools does not have.',
  });
});

it('is refused with two versions of one interface', async () => {
  const [plain, forged] = ['[method]descriptor.sync', '[method]descriptor.value-of'].map((name) =>
    descriptor(`(export "${name}" (func (param "self" (borrow $r))))`),
  );
  const wat = `(component ${plain?.replace('0.2.12', '0.2.0')} ${forged})`;
  await expect(check(wat)).rejects.toMatchObject({
    code: 'wasm/unknown-import',
    message:
      'The component imports one interface twice: wasi:filesystem/types@0.2.0, wasi:filesystem/types@0.2.12.',
  });
});

it('is refused by ken tools check in words', async () => {
  const { ken, root } = sandbox('');
  const forged = descriptor('(export "[constructor]descriptor" (func (result (own $r))))');
  writeFileSync(path.join(root, 'tool.wasm'), await parse(`(component ${forged})`));
  expect(await ken(['tools', 'check', 'tool.wasm'])).toMatchObject({
    code: 6,
    stdout: expect.stringContaining(
      'The component imports wasi:filesystem/types [constructor]descriptor, which WASI does not have.\n',
    ),
  });
});

/** Runs a component without any check. */
async function run(wat: string, imports: WasiImports): Promise<unknown> {
  await $init;
  const { files } = generate(await parse(wat), {
    name: 'tool',
    map: [],
    instantiation: { tag: 'sync' },
    noNodejsCompat: true,
    noNamespacedExports: true,
    base64Cutoff: 0,
  });
  const sources = new Map(files.map(([name, bytes]) => [name, bytes]));
  const glue = new TextDecoder().decode(sources.get('tool.js')).replace(/^export /gm, '');
  const modules = (name: string) => new WebAssembly.Module(Uint8Array.from(sources.get(name) ?? []));
  const instantiate = new Script(`(() => { ${glue}\nreturn instantiate; })()`).runInThisContext();
  return instantiate(modules, imports).run();
}

/** Takes a network of the host's, and gives it, or nothing, to the forged function. */
const usingNetwork = (name: string, type: string, core: string, call: string) => `(component
  (import "wasi:sockets/network@0.2.12" (instance $n
    (export "network" (type $r (sub resource))) (export "${name}" ${type})))
  (alias export $n "network" (type $r))
  (import "wasi:sockets/instance-network@0.2.12" (instance $i
    (alias outer 1 $r (type $o)) (export "network" (type $u (eq $o)))
    (export "instance-network" (func (result (own $u))))))
  (core func $network (canon lower (func $i "instance-network")))
  (core func $forged (canon lower (func $n "${name}")))
  (core module $m
    (import "host" "network" (func $network (result i32)))
    (import "host" "forged" (func $forged ${core}))
    (func (export "run") (result i32) ${call}))
  (core instance $c (instantiate $m (with "host" (instance
    (export "network" (func $network)) (export "forged" (func $forged))))))
  (func (export "run") (result u32) (canon lift (core func $c "run"))))`;

const FORGED: [name: string, type: string, core: string, call: string][] = [
  ['[constructor]network', '(func (result (own $r)))', '(result i32)', 'call $forged'],
  ['[static]network.bind', '(func)', '', 'call $forged i32.const 1'],
  [
    '[static]network.constructor',
    '(func (param "text" u32))',
    '(param i32)',
    '(call $forged (i32.const 1)) i32.const 1',
  ],
  [
    '[method]network.value-of',
    '(func (param "self" (borrow $r)) (result (own $r)))',
    '(param i32) (result i32)',
    '(call $forged (call $network))',
  ],
  [
    '[method]network.has-own-property',
    '(func (param "self" (borrow $r)) (param "x" u32) (result bool))',
    '(param i32 i32) (result i32)',
    '(call $forged (call $network) (i32.const 1)) drop i32.const 1',
  ],
  ['constructor', '(func)', '', 'call $forged i32.const 1'],
];

it.each(FORGED)('would run with an import of %s in a host without walls', async (...forged) => {
  expect(await run(usingNetwork(...forged), openHost([]))).toBeGreaterThan(0);
});

it.each(FORGED)('finds no %s in the host, were it not checked', async (...forged) => {
  const wasi = createWasi({ outputBytes: 1000, files: NO_FILES, directories: [] });
  await expect(run(usingNetwork(...forged), wasi.imports)).rejects.toThrow(
    /only the host makes resources|is not a function|unexpectedly undefined/,
  );
});

/** A descriptor of a host without walls: a class whose constructor anyone can call. */
class ForgeableDescriptor {
  readonly #directory: string;

  constructor(_files: unknown, opened: { readonly anchor: { readonly fd: string } }) {
    this.#directory = `/proc/self/fd/${opened.anchor.fd}`;
  }

  unlinkFileAt(name: string): void {
    unlinkSync(`${this.#directory}/${name}`);
  }
}

/** Makes a descriptor of a directory that was never granted, and removes a file there. */
const removing = (directory: string) => {
  const texts = ['descriptor', `../../..${directory}`, 'secret'];
  const parts = texts.map((text, at) => ({
    at: 100 + texts.slice(0, at).join('').length,
    length: Buffer.byteLength(text),
  }));
  const [anchoring, fd, secret] = parts.map(({ at, length }) => `(i32.const ${at}) (i32.const ${length})`);
  const nothing = '(i32.const 0) (i32.const 0)';
  return `(component
  (import "wasi:filesystem/types@0.2.12" (instance $n
    (export "descriptor" (type $r (sub resource)))
    (type $f (record (field "handles" string))) (export "f" (type $files (eq $f)))
    (type $a (record (field "anchoring" string) (field "fd" string))) (export "a" (type $anchor (eq $a)))
    (type $d (record (field "anchor" $anchor) (field "guest-path" string))) (export "d" (type $opened (eq $d)))
    (export "[constructor]descriptor" (func (param "files" $files) (param "opened" $opened) (result (own $r))))
    (export "[method]descriptor.unlink-file-at" (func (param "self" (borrow $r)) (param "path" string)))))
  (core module $memory (memory (export "memory") 1)
    (data (i32.const 100) "${texts.join('')}"))
  (core instance $k (instantiate $memory))
  (core func $make (canon lower (func $n "[constructor]descriptor") (memory (core memory $k "memory"))))
  (core func $remove (canon lower (func $n "[method]descriptor.unlink-file-at") (memory (core memory $k "memory"))))
  (core module $m
    (import "host" "make" (func $make (param i32 i32 i32 i32 i32 i32 i32 i32) (result i32)))
    (import "host" "remove" (func $remove (param i32 i32 i32)))
    (func (export "run")
      (call $remove (call $make ${nothing} ${anchoring} ${fd} ${nothing}) ${secret})))
  (core instance $c (instantiate $m (with "host" (instance
    (export "make" (func $make)) (export "remove" (func $remove))))))
  (func (export "run") (canon lift (core func $c "run"))))`;
};

it.runIf(process.platform === 'linux')('forges no descriptor, and would without the walls', async () => {
  const outside = temporaryDirectory();
  const secret = path.join(outside, 'secret');
  writeFileSync(secret, '');
  const { imports } = createWasi({ outputBytes: 1000, files: NO_FILES, directories: [] });
  await expect(check(removing(outside))).rejects.toMatchObject({ code: 'wasm/unknown-import' });
  await expect(run(removing(outside), imports)).rejects.toThrow('only the host makes resources');
  expect(existsSync(secret)).toBe(true);

  const open = { ...imports, 'wasi:filesystem/types': { Descriptor: ForgeableDescriptor } };
  await run(removing(outside), open);
  expect(existsSync(secret)).toBe(false);
});
