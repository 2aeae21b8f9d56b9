import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.ts';

const scripts = path.join(import.meta.dirname, '../../scripts');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Packs what `published/` has and reports it as npm does; writes down what it was asked for. */
const NPM = `#!/bin/sh
echo "$*" >> "$PLACE/asked"
for last; do :; done
tar -czf "$last/grammar.tgz" -C "$PLACE/published" package
echo '[{"name": "@some/grammar", "filename": "grammar.tgz"}]'
`;

/** A checkout with one grammar, and a registry that has `wasm` for every version. */
function checkout({ recorded, wasm }: { recorded: string; wasm: string }) {
  const place = temporaryDirectory();
  const write = (name: string, text: string, mode = 0o644) => {
    mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    writeFileSync(path.join(place, name), text, { mode });
  };
  const entry = { package: '@some/grammar', version: '1.0.0', file: 'g.wasm', sha256: sha256(recorded) };
  write('grammars/manifest.json', JSON.stringify({ lua: { ...entry, licence: 'MIT' } }));
  write('grammars/lua.wasm.gz', 'as it was');
  write('published/package/package.json', '{"license": "MIT"}');
  write('published/package/LICENSE.md', 'Copyright (c) someone\n');
  write('published/package/g.wasm', wasm);
  write('bin/npm', NPM, 0o755);
  for (const name of ['licences.mjs', 'refresh-grammars.mjs'])
    cpSync(path.join(scripts, name), path.join(place, 'scripts', name));
  const read = (name: string) => readFileSync(path.join(place, name));
  const refresh = (...words: string[]) =>
    spawnSync(process.execPath, [path.join(place, 'scripts/refresh-grammars.mjs'), ...words], {
      encoding: 'utf8',
      env: { PATH: `${place}/bin:/usr/bin:/bin`, PLACE: place },
    });
  return { read, refresh, entry };
}

it('writes the grammars of the recorded versions, with their licences', () => {
  const { read, refresh } = checkout({ recorded: 'same', wasm: 'same' });
  expect(refresh()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(read('asked').toString()).toMatch(/^pack @some\/grammar@1\.0\.0 --json --ignore-scripts /);
  expect(gunzipSync(read('grammars/lua.wasm.gz')).toString()).toBe('same');
  expect(read('grammars/LICENSES.txt').toString()).toBe(
    'The grammars in this directory are parts of these packages.\n\n@some/grammar:\n\nCopyright (c) someone\n',
  );
});

it('writes nothing when a recorded version has changed', () => {
  const { read, refresh } = checkout({ recorded: 'same', wasm: 'another' });
  const { status, stderr } = refresh();
  expect({ status, message: stderr.match(/^Error: .*$/m)?.[0] }).toEqual({
    status: 1,
    message: `Error: g.wasm of @some/grammar@1.0.0 has the digest ${sha256('another')}, not ${sha256('same')}`,
  });
  expect(read('grammars/lua.wasm.gz').toString()).toBe('as it was');
});

it('takes another version of a package, and records its digest', () => {
  const { read, refresh, entry } = checkout({ recorded: 'same', wasm: 'another' });
  expect(refresh('@some/grammar@2.0.0')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(JSON.parse(read('grammars/manifest.json').toString())).toEqual({
    lua: { ...entry, version: '2.0.0', sha256: sha256('another'), licence: 'MIT' },
  });
  expect(refresh('@other/grammar@2.0.0').status).toBe(1);
  expect(refresh('@some/grammar').status).toBe(1);
});
