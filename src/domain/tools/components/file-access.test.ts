import { expect, it } from 'vitest';
import { entryInWords, type FileAccessEntry, fileGrants, grantsInWords } from './file-access.ts';

const KEY = 'conversation.tools.t';

it.each<[string, FileAccessEntry, string, boolean]>([
  ['nothing', {}, 'It sees no files.', true],
  ['none', { access: 'none' }, 'It sees no files.', false],
  ['read', { access: 'read' }, 'It may read the whole workspace.', false],
  ['write', { access: 'write' }, 'It may read and change the whole workspace.', false],
  ['plain paths', { access: 'read', paths: ['docs', './src/'] }, 'It may read docs, src.', false],
  ['plain paths alone', { paths: ['docs'] }, 'It sees no files.', true],
  [
    'paths of their own',
    {
      paths: [
        { path: 'docs', access: 'read' },
        { path: 'notes', access: 'write' },
      ],
    },
    'It may read docs. It may read and change notes.',
    false,
  ],
  [
    'both kinds of paths',
    { access: 'write', paths: ['out', { path: 'docs', access: 'read' }, { path: 'keys', access: 'none' }] },
    'It may read docs. It may read and change out.',
    false,
  ],
])('grants what the entry says: %s', (_, entry, words, isUndeclared) => {
  const found = fileGrants(KEY, entry);
  expect([grantsInWords(found.grants), found.isUndeclared]).toEqual([words, isUndeclared]);
});

it.each<[FileAccessEntry, string]>([
  [{ access: 'read', paths: ['../x'] }, `${KEY}.paths leads out of the workspace: "../x".`],
  [{ paths: [{ path: '/etc', access: 'read' }] }, `${KEY}.paths leads out of the workspace: "/etc".`],
  [{ paths: [{ access: 'read' }] }, `${KEY}.paths has an entry without "path".`],
])('refuses %j', (entry, message) => {
  expect(() => fileGrants(KEY, entry)).toThrow(message);
});

it.each([
  [{ wasm: 'x.wasm' }, "It sees no files. (Unless '*' gives access.)"],
  [{ access: 'read', paths: ['docs', { path: 'a' }] }, 'It may read docs, a.'],
  [{ paths: ['..'] }, 'this tool.paths leads out of the workspace: "..".'],
])('says in words what an entry asks for: %j', (entry, words) => {
  expect(entryInWords(entry)).toBe(words);
});
