/** Collections of an index of qmd, in the form in which it keeps them, as reference topics. */

import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { QMD_SCHEMA } from '../foreign-schemas.ts';
import { referencePlace } from './library.ts';

function index(root: string): {
  file: string;
  put: (name: string, text: string, isActive?: boolean) => void;
} {
  const file = path.join(root, 'index.sqlite');
  const db = new DatabaseSync(file);
  db.exec(QMD_SCHEMA);
  return {
    file,
    put(name, text, isActive = true) {
      const [collection = '', ...rest] = name.split('/');
      db.prepare('insert or ignore into content values (?, ?, ?)').run(`h-${text}`, text, '');
      db.prepare('delete from documents where collection = ? and path = ?').run(collection, rest.join('/'));
      db.prepare('insert into documents values (null, ?, ?, ?, ?, ?, ?, ?)').run(
        ...[collection, rest.join('/'), '', `h-${text}`, '', '', isActive ? 1 : 0],
      );
    },
  };
}

it('makes a topic of a collection, finds and cites its files, and reads them again at a refresh', async () => {
  const place = referencePlace({ 'a.md': 'a' });
  const { file, put } = index(place.root);
  put('notes/pumps/relay.md', '# Relay\n\nRelay K1 bounces when it is cold.\n');
  put('notes/old.md', 'Removed long ago.', false);
  put('notes/../../escape.md', 'Outside.');
  const notes = `${file}/notes`;
  expect(await place.ken(['ref', 'import', notes, '--dry-run'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '1 file would be looked at.\n',
  });
  expect(JSON.parse((await place.ken(['ref', 'ls', '--json'])).stdout).topics).toEqual([]);
  const imported = await place.ken(['ref', 'import', file, '--title', 'Notes', '--json']);
  expect(JSON.parse(imported.stdout)).toMatchObject({ topic_id: 'topic-notes', file_count: 1 });
  const { stdout } = await place.ken(['search', '--in', 'refs', 'when does the relay bounce', '--json']);
  const [hit] = JSON.parse(stdout).hits;
  expect(hit.citation).toMatchObject({ path: 'pumps/relay.md', lines: { first: 1, last: 3 } });
  expect((await place.ken(['ref', 'import', notes])).code).toBe(5);
  put('notes/pumps/relay.md', '# Relay\n\nRelay K1 was replaced.\n');
  const refreshed = await place.ken(['ref', 'refresh', 'topic-notes', '--json']);
  expect(refreshed.code, refreshed.stderr).toBe(0);
  expect(place.kept('notes/files/pumps/relay.md')).toContain('was replaced');
});

it('lists the collections when none, or an unknown one, is named', async () => {
  const place = referencePlace({ 'a.md': 'a' });
  const { file, put } = index(place.root);
  put('notes/a.md', 'a');
  put('work/b.md', 'b');
  const hint = `hint: Name one: ${file}/notes (1), ${file}/work (1).\n`;
  expect(await place.ken(['ref', 'import', file])).toMatchObject({
    code: 3,
    stderr: `ken: ${file} holds 2 collections.\n${hint}`,
  });
  expect(await place.ken(['ref', 'import', `${file}/other`])).toMatchObject({
    code: 3,
    stderr: `ken: ${file} holds no collection "other".\n${hint}`,
  });
});
