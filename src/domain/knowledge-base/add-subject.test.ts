import { expect, it } from 'vitest';
import { planSubject } from './add-subject.ts';

const FILES = { files: ['a.md', 'b/c.toml', '.h.md'] };

it.each([
  ['new', undefined, 'new.md', 'new'],
  ['new', 'toml', 'new.toml', 'new'],
  ['new', '', 'new.md', 'new'],
  ['new.json', 'toml', 'new.json', 'new'],
  ['d/.rules', undefined, 'd/.rules.md', 'd/rules'],
  ['.x/y', undefined, '.x/y.md', 'x/y'],
  ['b/d', 'toml', 'b/d.toml', 'b/d'],
])('%j from a %j file goes to %s', (name, extension, path, slug) => {
  expect(planSubject(FILES, { name, extension })).toEqual({ path, slug });
});

it.each(['a', 'a.md', 'a.toml', 'b/c', 'h', '.a'])('%j is taken', (name) => {
  expect(() => planSubject(FILES, { name, extension: undefined })).toThrow(
    'There is a subject of that name already',
  );
});

it.each(['aux', 'notes/NUL.md', 'a:b', 'C:a', 'what?', 'a ', 'notes./a'])(
  '%j is no name that Windows can have',
  (name) => {
    expect(() => planSubject(FILES, { name, extension: undefined })).toThrow(
      /cannot be the name of a subject: (.*) (Windows|drive letter)|: .*Windows/,
    );
  },
);

it.each(['', '..', '../x', 'a/../b', '/x', 'a//b', 'a/', '.', 'x.', 'a\0b'])('%j is no name', (name) => {
  expect(() => planSubject(FILES, { name, extension: undefined })).toThrow('cannot be the name of a subject');
});
