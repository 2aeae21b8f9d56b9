import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { CONVERSATION_INDEX } from '../../src/adapters/sqlite/conversation-index.ts';
import { openDatabase } from '../../src/adapters/sqlite/open-database.ts';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';

interface Clone extends Sandbox {
  readonly index: string;
  /** What `ken c ls` prints when nothing is wrong. */
  readonly listed: string;
}

/** A workspace with one conversation, as a clone brings it, and what a list of it looks like. */
async function clone(): Promise<Clone> {
  const place = sandbox('');
  const id = conversationIdAt(Date.UTC(2026, 0, 1), 'abcd');
  const metadata = {
    title: 'Tea',
    created_at: '2026-01-01T00:00:00.000Z',
    active_at: '2026-01-01T00:00:00.000Z',
  };
  place.write(`.ken/conversations/${id}/metadata.json`, JSON.stringify(metadata));
  place.write(`.ken/conversations/${id}/base_config.json`, '{}');
  place.write(`.ken/conversations/${id}/events.jsonl`, '');
  const index = path.join(place.root, '.ken/index.db');
  return { ...place, index, listed: id };
}

/** The same, and the list must be right whatever lies in the index's place. */
async function expectList(place: Clone, warning: string): Promise<void> {
  const { code, stdout, stderr } = await place.ken(['c', 'ls']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: warning });
  expect(stdout).toContain(place.listed);
  expect(await place.ken(['c', 'ls'])).toEqual({ code: 0, stdout, stderr: '' });
}

function madeAgain({ index }: Clone): string {
  return `warning: ${index} was damaged and is made again; the old one is ${index}.corrupt.\n`;
}

it('lists the conversations of a clone', async () => {
  await expectList(await clone(), '');
});

it('does not run the triggers of an index that came along', async () => {
  const place = await clone();
  await (await openDatabase({ file: place.index, kind: 'derived', migrations: CONVERSATION_INDEX })).close();
  const connection = new DatabaseSync(place.index);
  connection.exec(
    'create trigger forget after insert on conversation_list begin delete from conversation_list; end',
  );
  connection.close();
  await expectList(place, madeAgain(place));
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
  await expectList(place, madeAgain(place));
  expect(readFileSync(precious).equals(bytes)).toBe(true);
  expect(lstatSync(place.index).isFile()).toBe(true);
});

it('does not wait at a pipe in the place of the index', async () => {
  const place = await clone();
  execFileSync('mkfifo', [place.index]);
  await expectList(place, madeAgain(place));
});

it('does not play in a journal or a log that came along', async () => {
  const place = await clone();
  await expectList(place, '');
  writeFileSync(`${place.index}-journal`, 'forged');
  await expectList(place, madeAgain(place));
  writeFileSync(`${place.index}-wal`, 'forged, but longer than nothing');
  await expectList(place, madeAgain(place));
});
