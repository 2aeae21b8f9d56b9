/** Makes the file that a repository would bring to have its own code run as if V8 had compiled ken's. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '../temporary-directory.ts';

const root = path.join(import.meta.dirname, '../..');
const core = path.join(root, 'dist/core.cjs');

/** The forged code prints this before anything else. */
export const RAN = 'CODE FROM THE WORKSPACE RAN';

/** Writes the file for `command` into `directory`, with the modes of a directory that is ken's own. */
export function forgeCompiledCode(directory: string, command: string): void {
  const { name, check } = ownFile();
  const data = compiledBySameNode();
  const index = Buffer.from(JSON.stringify({ ways: [], entries: [['core.cjs', check, data.length]] }));
  const content = Buffer.concat([Buffer.alloc(8), padded(index), padded(data)]);
  content.writeUInt32LE(index.length, 0);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  const file = path.join(directory, name.replace(/help$/, command));
  // The sandbox lends every home a link to code that all tests share.
  rmSync(file, { force: true });
  writeFileSync(file, Buffer.concat([content, content]), { mode: 0o600 });
}

/** How ken names its own file for `ken help`, and how that identifies the text of the code. */
const ownFile = once((): { readonly name: string; readonly check: string } => {
  const home = temporaryDirectory();
  execFileSync(process.execPath, [path.join(root, 'bin/ken.cjs'), 'help'], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', KEN_HOME: home },
  });
  const directory = path.join(home, 'cache/compiled');
  const [name = ''] = readdirSync(directory);
  const bytes = readFileSync(path.join(directory, name));
  const { entries } = JSON.parse(bytes.toString('utf8', 8, 8 + bytes.readUInt32LE(0)));
  return { name, check: entries.find(([part]: string[]) => part === 'core.cjs')[1] };
});

/** V8 compares the length of the text, its own version and its flags. What was not called is not in the data. */
const compiledBySameNode = once((): Buffer => {
  const program = `
    const { readFileSync } = require('node:fs');
    const { Script } = require('node:vm');
    const length = readFileSync(process.argv[1]).length;
    const evil = "require && process.stdout.write('${RAN} ');".padEnd(length);
    const script = new Script(
      '(function (exports, require, module, __filename, __dirname) { ' + evil + '\\n})',
    );
    script.runInThisContext()();
    process.stdout.write(script.createCachedData());`;
  return execFileSync(process.execPath, ['-e', program, core]);
});

/** The same for every forged file. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes], Math.ceil(bytes.length / 8) * 8);
}
