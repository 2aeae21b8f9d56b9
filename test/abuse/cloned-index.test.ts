import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { SEARCH_INDEX } from '../../src/adapters/sqlite/index/index-schema.ts';
import { openDatabase } from '../../src/adapters/sqlite/seam/open-database.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';

interface Clone extends Sandbox {
  readonly index: string;
}

/** A workspace with one subject, as a clone brings it. */
async function clone(): Promise<Clone> {
  const place = sandbox('[kb.topic.garden]\nsubjects = ".ken/kb/garden"\n');
  place.write('.ken/kb/garden/tea.md', '# Tea\n\nSteep it for three minutes.\n');
  return { ...place, index: path.join(place.root, '.ken/index.db') };
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

it('searches a clone', async () => {
  await expectFound(await clone(), '');
});

it('does not run the triggers of an index that came along', async () => {
  const place = await clone();
  await (await openDatabase({ file: place.index, kind: 'derived', migrations: SEARCH_INDEX })).close();
  const connection = new DatabaseSync(place.index);
  connection.exec('create trigger forget after insert on search_item begin delete from search_item; end');
  connection.close();
  await expectFound(place, madeAgain(place));
});

it('leaves a database alone that the index is a link to', async () => {
  const place = await clone();
  const precious = path.join(place.home, 'data/approvals.db');
  mkdirSync(path.dirname(precious), { recursive: true });
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
  const place = await clone();
  execFileSync('mkfifo', [place.index]);
  await expectFound(place, madeAgain(place));
});

it('does not play in a journal or a log that came along', async () => {
  const place = await clone();
  await expectFound(place, '');
  writeFileSync(`${place.index}-journal`, 'forged');
  await expectFound(place, madeAgain(place));
  writeFileSync(`${place.index}-wal`, 'forged, but longer than nothing');
  await expectFound(place, madeAgain(place));
});
