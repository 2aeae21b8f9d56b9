/** Every file that ken keeps for itself, replaced by what no command may wait for: each ends in an answer or a sentence. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { endIfStuck } from '../end-if-stuck.ts';

const LIMIT_MS = 20_000;
const TERABYTE = 2 ** 40;
const stuck = endIfStuck();

/** A home in which every part of ken has left something. */
async function filledHome(): Promise<Sandbox> {
  const place = sandboxHere('');
  await place.ken([
    'k',
    'add',
    '--id',
    'a',
    '--title',
    'Tea',
    '--text',
    'warm the pot',
    '--provenance',
    'cmd:x',
  ]);
  await place.ken(['q', '-n', 'How warm is the pot?']);
  await place.ken(['backup', path.join(place.home, 'all.ken.tar.gz')]);
  writeFileSync(path.join(place.home, 'data/authority.toml'), '', { mode: 0o600 });
  return place;
}

/** Files that ken opens by their name; V8's compiled code is Node's own to read. */
function filesOf({ home }: Sandbox): string[] {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('compiled'))
    .map((entry) => path.relative(home, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.endsWith('.ken.tar.gz'))
    .sort();
}

const ODD = {
  pipe: (file: string) => execFileSync('mkfifo', [file]),
  directory: (file: string) => mkdirSync(file),
  'a terabyte of holes': (file: string) => {
    writeFileSync(file, '', { mode: 0o600 });
    truncateSync(file, TERABYTE);
  },
};

const COMMANDS = [['status'], ['search', 'pot'], ['k', 'list'], ['c', 'ls'], ['approvals', 'ls'], ['doctor']];

it.each(Object.entries(ODD))('%s in the place of a file of its own', async (kind, put) => {
  const place = await filledHome();
  const kept = path.join(place.home, '../kept');
  cpSync(place.home, kept, { recursive: true });
  const bad: string[] = [];
  const files = filesOf(place);
  expect(files.length).toBeGreaterThan(6);
  for (const file of files) {
    for (const words of COMMANDS) {
      const odd = path.join(place.home, file);
      rmSync(odd, { recursive: true });
      put(odd);
      const done = stuck.within(LIMIT_MS, `${words.join(' ')} hangs at ${file}, ${kind}`);
      const { code, stderr } = await place.ken(words);
      done();
      if (code === 70 || code === null || (code !== 0 && stderr === '' && words[0] !== 'doctor'))
        bad.push(`${file}: ${words.join(' ')} ends with ${code}: ${stderr}`);
      rmSync(odd, { recursive: true, force: true });
      cpSync(path.join(kept, file), odd);
    }
  }
  expect(bad).toEqual([]);
});
