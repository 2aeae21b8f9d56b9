import { expect, it } from 'vitest';
import { type DirectoryReader, walkFiles } from './walk-files.ts';

/** Directories by their path; what is missing cannot be read. */
const reader = (directories: Record<string, readonly string[]>): DirectoryReader => ({
  entries: (directory) =>
    directories[directory]?.map((name) => ({ name, kind: name.endsWith('.md') ? 'file' : 'directory' })),
  follow: () => 'broken',
  identity: (directory) => directory,
});

it('tells a directory that cannot be read from an empty one', () => {
  expect(walkFiles(reader({ '': [] }))).toEqual({ files: [], skipped: [] });
  expect(walkFiles(reader({}))).toEqual({ problem: 'unreadable', files: [], skipped: [] });
});

it('passes over what cannot be read further below', () => {
  expect(walkFiles(reader({ '': ['a.md', 'closed'] }))).toEqual({
    files: ['a.md'],
    skipped: [{ path: 'closed', reason: 'unreadable' }],
  });
});
