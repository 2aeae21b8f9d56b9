import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import { parseAttributes } from './git-attributes.ts';
import type { GitFile, GitMode } from './git-reader.ts';
import { matchPaths } from './match-paths.ts';
import { selectFiles } from './select-files.ts';
import { addSkips } from './skip.ts';

const file = (path: string, mode: GitMode = '100644'): GitFile => ({ path, mode, oid: '0'.repeat(40) });
const files = (...paths: string[]) => paths.map((path) => file(path));
const pathsOf = (found: readonly GitFile[]) => found.map(({ path }) => path);

const TREE = files(
  'README.md',
  'app/[slug]/page.tsx',
  'app/s/page.tsx',
  'docs-old/a.md',
  'docs.md',
  'docs/a.md',
  'docs/deep/b.md',
  'docsite/x.md',
  'src/docs/c.md',
);

it.each<[string[], string[], string[]]>([
  [['docs/'], ['docs/a.md', 'docs/deep/b.md'], []],
  [['docs'], ['docs/a.md', 'docs/deep/b.md'], []],
  [['./docs/'], ['docs/a.md', 'docs/deep/b.md'], []],
  [['docs//deep'], ['docs/deep/b.md'], []],
  [['README.md'], ['README.md'], []],
  [['readme.md'], [], ['readme.md']],
  [['README.md/'], [], ['README.md/']],
  [['*.md'], ['README.md', 'docs.md'], []],
  [
    ['**/*.md', 'nowhere/'],
    ['README.md', 'docs-old/a.md', 'docs.md', 'docs/a.md', 'docs/deep/b.md', 'docsite/x.md', 'src/docs/c.md'],
    ['nowhere/'],
  ],
  [['*/docs/'], ['src/docs/c.md'], []],
  [['docs/*'], ['docs/a.md'], []],
  [['docs/**'], ['docs/a.md', 'docs/deep/b.md'], []],
  [['{docs,docsite}/*.md'], ['docs/a.md', 'docsite/x.md'], []],
  [['app/[slug]/page.tsx'], ['app/[slug]/page.tsx'], []],
  [['app/[slug]/'], ['app/[slug]/page.tsx'], []],
  [['app/[a-z]/page.tsx'], ['app/s/page.tsx'], []],
  [['doc'], [], ['doc']],
  [['docs/', 'docs/', 'a'], ['docs/a.md', 'docs/deep/b.md'], ['a']],
])('%j', (paths, matching, unmatchedPaths) => {
  const found = matchPaths(TREE, paths);
  expect({ ...found, matching: pathsOf(found.matching) }).toEqual({ matching, unmatchedPaths });
});

it.each([[[]], [['.']], [['./']], [['**']]])('%j means everything', (paths) => {
  expect(matchPaths(TREE, paths)).toEqual({ matching: TREE, unmatchedPaths: [] });
});

it.each([
  '-x',
  '--upload-pack=x',
  '/etc/passwd',
  '../x',
  'a/../b',
  '',
  ' ',
  'a\0b',
  'a\nb',
  '!docs/',
  '{a,b}'.repeat(9),
])('the path %j is refused', (path) => {
  expect(() => selectFiles(TREE, [path])).toThrow(Fault);
});

it('a directory never matches what only begins with its name', () => {
  const name = fc
    .string({ unit: fc.constantFrom('a', 'b', '-', '.', '_'), minLength: 1, maxLength: 4 })
    .filter((text) => !/^(-|\.+$)/.test(text));
  fc.assert(
    fc.property(
      fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
      name,
      (tree, directory) => {
        const all = files(...new Set(tree.map((levels) => levels.join('/'))));
        const expected = all.filter(({ path }) => path.split('/')[0] === directory && path.includes('/'));
        expect(matchPaths(all, [`${directory}/`]).matching).toEqual(expected);
        expect(matchPaths(all, [`${directory}/`]).unmatchedPaths).toEqual(
          expected.length > 0 ? [] : [`${directory}/`],
        );
      },
    ),
  );
});

it('every file that paths match is selected or counted, once', () => {
  const level = fc.constantFrom(
    'a',
    'docs',
    'vendor',
    'node_modules',
    'x.min.js',
    'yarn.lock',
    'b.png',
    'c.ts',
    'É.md',
  );
  const path = fc.array(level, { minLength: 1, maxLength: 4 }).map((levels) => levels.join('/'));
  const mode = fc.constantFrom<GitMode>('100644', '100755', '120000', '160000');
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ path, mode }), { selector: (each) => each.path }),
      fc.array(fc.constantFrom('a/', 'docs', '**/*.ts', '*', 'zzz')),
      (tree, paths) => {
        const all = tree.map((each) => file(each.path, each.mode));
        const { selected, skipped, unmatchedPaths } = selectFiles(all, paths);
        const counted = Object.values(skipped).reduce((sum, count) => sum + count, 0);
        expect(selected.length + counted).toBe(matchPaths(all, paths).matching.length);
        expect(all.filter((each) => selected.includes(each))).toEqual(selected);
        for (const each of unmatchedPaths) expect(paths).toContain(each);
      },
    ),
  );
});

it('leaves out by name what is not worth reading, and counts it by reason', () => {
  const tree = [
    ...files(
      'a.md',
      'src/a.ts',
      'Cargo.lock',
      'web/package-lock.json',
      'go.sum',
      'jquery.min.js',
      'app.js.map',
    ),
    ...files(
      'node_modules/x/index.js',
      'pkg/vendor/y.go',
      'logo.PNG',
      'font.woff2',
      'vendor.md',
      '.png',
      'min.js',
    ),
    file('link', '120000'),
    file('sub', '160000'),
    file('run', '100755'),
  ];
  expect({ ...selectFiles(tree, []), selected: pathsOf(selectFiles(tree, []).selected) }).toEqual({
    selected: ['a.md', 'src/a.ts', 'vendor.md', '.png', 'min.js', 'run'],
    skipped: { binary: 2, lock_file: 3, minified: 2, submodule: 1, symlink: 1, vendored: 2 },
    unmatchedPaths: [],
  });
});

it('listens to linguist attributes, the deepest and last of them', () => {
  const attributes = parseAttributes([
    { directory: 'gen', text: 'keep.ts -linguist-generated\n' },
    {
      directory: '',
      text: [
        '# comment linguist-generated',
        '*.pb.go linguist-generated',
        '/gen/*.ts text linguist-generated=true',
        'vendor/** -linguist-vendored',
        '"with space/*" linguist-vendored',
        'lib/** linguist-vendored',
        'lib/ours.js !linguist-vendored',
        'a{b}.ts linguist-generated',
        '[!x].rs linguist-generated=false',
        '!neg linguist-generated',
        'dir/ linguist-generated',
      ].join('\r\n'),
    },
  ]);
  const tree = files(
    ...['x/y.pb.go', 'gen/a.ts', 'gen/deep/a.ts', 'gen/keep.ts', 'vendor/z.go', 'with space/a', 'lib/x.js'],
    ...['lib/ours.js', 'a{b}.ts', 'ab.ts', 'neg', 'dir/x'],
  );
  const found = selectFiles(tree, [], attributes);
  expect({ ...found, selected: pathsOf(found.selected) }).toEqual({
    selected: ['gen/deep/a.ts', 'gen/keep.ts', 'vendor/z.go', 'lib/ours.js', 'ab.ts', 'neg', 'dir/x'],
    skipped: { generated: 3, vendored: 2 },
    unmatchedPaths: [],
  });
});

it('reads any attributes file without an error', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('linguist-generated', ' ', '\n', '"', '\\', '*', '[', '!', '/', 'a', '{'),
      }),
      (text) => {
        const attributes = parseAttributes([{ directory: '', text }]);
        expect([true, false, undefined]).toContain(attributes.isGenerated('a/a'));
      },
    ),
  );
});

it('adds counts up, in one order', () => {
  expect(Object.entries(addSkips({ vendored: 1 }, { binary: 2, vendored: 3 }, {}))).toEqual([
    ['binary', 2],
    ['vendored', 4],
  ]);
});
