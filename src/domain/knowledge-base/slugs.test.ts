import fc from 'fast-check';
import { expect, it } from 'vitest';
import hiddenTable from '../../../test/golden/knowledge-base/hidden.golden.json' with { type: 'json' };
import { extensionOf, subjectsOf } from './slugs.ts';

const slugs = (paths: readonly string[]) =>
  Object.fromEntries(subjectsOf(paths).map(({ path, slug }) => [path, slug]));

it.each(hiddenTable.rows)('$path is $slug', ({ path, slug, hidden }) => {
  expect(subjectsOf([path]).map((each) => each.plain())).toEqual([
    { path, slug, hidden, isSkill: false, collides: false, state: 'available' },
  ]);
});

it.each([
  ['a.tar.gz', 'a.tar'],
  ['README', 'README'],
  ['.env', 'env'],
  ['..md', 'md'],
  ['...', '...'],
  ['a.', 'a.'],
  ['a..md', 'a.'],
  ['.a/.b/..c.md', 'a/b/c'],
  ['x/...y', 'x/y'],
  ['#1 ☕.md', '#1 ☕'],
  ['two\nlines.md', 'two\\u{A}lines'],
  ['SKILL.md', 'SKILL'],
])('%j is %j', (path, slug) => {
  expect(slugs([path])).toEqual({ [path]: slug });
});

it.each([
  [{ 'a.md': 'a.md', 'a.toml': 'a.toml' }],
  [{ 'a.md': 'a.md', 'a.toml': 'a.toml', 'a.md.txt': 'a.md.txt' }],
  [{ '.a.md': 'a.md', '.a.toml': 'a.toml', 'a.md.txt': 'a.md.txt' }],
  [{ rules: 'rules', '.rules': '.rules' }],
  [{ 'rules.md': 'rules.md', '.rules.md': '.rules.md' }],
  [{ 'd/x.md': 'd/x.md', '.d/x.md': '.d/x.md', '.d/.x.md': '.d/.x.md' }],
  [{ a: 'a', 'a.md': 'a.md' }],
  [{ 'x/SKILL.md': 'x/SKILL.md', 'x.md': 'x.md' }],
])('collisions in %j', (expected) => {
  expect(slugs(Object.keys(expected))).toEqual(expected);
  expect(subjectsOf(Object.keys(expected)).every(({ collides }) => collides)).toBe(true);
});

it('lists a skill under its directory, and hides what supports it', () => {
  expect(
    subjectsOf([
      'pdf/SKILL.md',
      'pdf/forms.md',
      'pdf/scripts/run.py',
      'pdf/deep/SKILL.md',
      'pdfs.md',
      'g/h/SKILL.md',
    ]).map((each) => each.plain()),
  ).toEqual([
    { path: 'g/h/SKILL.md', slug: 'g/h', hidden: false, isSkill: true, collides: false, state: 'available' },
    { path: 'pdf/SKILL.md', slug: 'pdf', hidden: false, isSkill: true, collides: false, state: 'available' },
    {
      path: 'pdf/deep/SKILL.md',
      slug: 'pdf/deep/SKILL',
      hidden: true,
      isSkill: false,
      collides: false,
      state: 'available',
    },
    {
      path: 'pdf/forms.md',
      slug: 'pdf/forms',
      hidden: true,
      isSkill: false,
      collides: false,
      state: 'available',
    },
    {
      path: 'pdf/scripts/run.py',
      slug: 'pdf/scripts/run',
      hidden: true,
      isSkill: false,
      collides: false,
      state: 'available',
    },
    { path: 'pdfs.md', slug: 'pdfs', hidden: false, isSkill: false, collides: false, state: 'available' },
  ]);
});

it.each([
  ['a.MD', 'MD'],
  ['.gitignore', ''],
  ['.a.md', 'md'],
  ['dir.d/file', ''],
])('the extension of %j is %j', (path, extension) => {
  expect(extensionOf(path)).toBe(extension);
});

it('gives every file one slug of its own, whatever the order', () => {
  const name = fc
    .string({
      unit: fc.constantFrom('.', 'a', 'md', '.md', 'SKILL', '\n', '\\u{A}'),
      minLength: 1,
      maxLength: 5,
    })
    .filter((text) => text !== '.' && text !== '..');
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
      const subjects = subjectsOf(paths);
      expect(new Set(subjects.map(({ slug }) => slug)).size).toBe(paths.length);
      expect(subjectsOf(paths.toReversed())).toEqual(subjects);
    }),
    { numRuns: 2000 },
  );
});
