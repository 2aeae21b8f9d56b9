import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { shippedFiles } from '../../../test/source-files.ts';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { foreignPlaces, programPath } from '../files/find-workspace.ts';
import { findProgram } from './find-program.ts';

function programAt(...parts: string[]): string {
  const file = path.join(...parts);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  return file;
}

it('finds a program in absolute entries, in their order, and nowhere else', () => {
  const root = temporaryDirectory();
  const first = programAt(root, 'a', 'git');
  programAt(root, 'b', 'git');
  writeFileSync(path.join(root, 'a', 'plain'), '');
  mkdirSync(path.join(root, 'a', 'folder'));
  const searched = ['', '.', './a', 'a', `${root}/none`, `${root}/a`, `${root}/b`].join(':');
  expect(findProgram('git', searched)).toBe(first);
  expect(['plain', 'folder', 'gone'].map((name) => findProgram(name, searched))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  for (const relative of ['', '.', ':', './a:', 'a', undefined])
    expect(findProgram('git', relative)).toBe(undefined);
});

it('leaves out what lies in the workspace, also behind a link', () => {
  const root = temporaryDirectory();
  mkdirSync(path.join(root, 'work/bin'), { recursive: true });
  symlinkSync(path.join(root, 'work/bin'), path.join(root, 'link'));
  const workspace = { root: path.join(root, 'work'), home: path.join(root, 'work/.ken') };
  const searched = `${root}/work/bin:/usr/bin::${root}/link:.:${root}/work:/bin:`;
  const foreign = foreignPlaces(workspace, root);
  expect(programPath(searched, foreign)).toBe('/usr/bin:/bin');
  expect(programPath(searched, [])).toBe(`${root}/work/bin:/usr/bin:${root}/link:${root}/work:/bin`);
  expect([programPath('.', foreign), programPath(undefined, [])]).toEqual(['/usr/bin:/bin', '/usr/bin:/bin']);
});

it('no other file starts a program by its bare name', () => {
  const starting = shippedFiles.filter((file) =>
    /import \{[^}]*\b(?:spawn|spawnSync|exec|execFile|execFileSync|execSync|fork)\b[^}]*\} from 'node:child_process'/.test(
      readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8'),
    ),
  );
  // Each of these names an absolute path, or asks `findProgram`.
  expect(starting.sort()).toEqual([
    'adapters/documents/document-reader.ts',
    'adapters/system/process-table.ts',
    'adapters/system/process-watch.ts',
    'adapters/system/start-in-group.ts',
    'adapters/terminal/editor.ts',
    'adapters/terminal/pager.ts',
    'adapters/wasm/process/confinement.ts',
    'adapters/wasm/process/runner-process.ts',
  ]);
});
