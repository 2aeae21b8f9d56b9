import { describe, expect, it } from 'vitest';
import { lockedVersions } from './locked-versions.ts';
import { parseVersionRef, tagsOfVersion, versionRef } from './version-ref.ts';

describe('reads the version of a package', () => {
  it.each<[string, string, string, string[]]>([
    [
      'package-lock.json',
      '{"lockfileVersion":3,"packages":{"":{},"node_modules/hono":{"version":"4.1.0"},"node_modules/a/node_modules/hono":{"version":"3.0.0"}}}',
      'hono',
      ['4.1.0'],
    ],
    [
      'package-lock.json',
      '{"packages":{"node_modules/a/node_modules/@x/y":{"version":"1.0.0"},"node_modules/b/node_modules/@x/y":{"version":"2.0.0"}}}',
      '@x/y',
      ['1.0.0', '2.0.0'],
    ],
    [
      'npm-shrinkwrap.json',
      '{"lockfileVersion":1,"dependencies":{"hono":{"version":"4.1.0"}}}',
      'hono',
      ['4.1.0'],
    ],
    [
      'pnpm-lock.yaml',
      "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      '@x/y':\n        specifier: ^4\n        version: 4.1.0(react@19.0.0)\npackages:\n  '@x/y@3.0.0':\n    resolution: {}\n",
      '@x/y',
      ['4.1.0'],
    ],
    ['pnpm-lock.yaml', 'packages:\n\n  hono@4.1.0:\n    resolution: {}\n', 'hono', ['4.1.0']],
    ['pnpm-lock.yaml', 'packages:\n\n  /hono/4.1.0:\n    resolution: {}\n', 'hono', ['4.1.0']],
    [
      'yarn.lock',
      '# yarn lockfile v1\n\n"@x/y@^1.0.0", "@x/y@^1.1.0":\n  version "1.2.3"\n',
      '@x/y',
      ['1.2.3'],
    ],
    [
      'yarn.lock',
      '"hono@npm:^4.0.0":\n  version: 4.1.0\n  resolution: "hono@npm:4.1.0"\n',
      'hono',
      ['4.1.0'],
    ],
    ['bun.lock', '  "packages": {\n    "hono": ["hono@4.1.0", "", {}, "sha512-x"],\n', 'hono', ['4.1.0']],
    [
      'Cargo.lock',
      '[[package]]\nname = "serde"\nversion = "1.0.200"\n\n[[package]]\nname = "serde_json"\nversion = "1.0.1"\n',
      'serde',
      ['1.0.200'],
    ],
    [
      'uv.lock',
      '[[package]]\nname = "typing-extensions"\nversion = "4.12.2"\n',
      'typing_extensions',
      ['4.12.2'],
    ],
    ['poetry.lock', '[[package]]\r\nname = "Flask"\r\nversion = "3.0.3"\r\n', 'flask', ['3.0.3']],
    ['Pipfile.lock', '{"default":{"flask":{"version":"==3.0.3"}}}', 'flask', ['3.0.3']],
    [
      'go.mod',
      'module x\n\nrequire (\n\tgithub.com/go-chi/chi/v5 v5.1.0 // indirect\n)\n',
      'github.com/go-chi/chi/v5',
      ['v5.1.0'],
    ],
    [
      'go.sum',
      'github.com/a/b v1.0.0/go.mod h1:x=\ngithub.com/a/b v1.2.0 h1:x=\n',
      'github.com/a/b',
      ['v1.2.0'],
    ],
    ['Gemfile.lock', 'GEM\n  specs:\n    rails (7.2.1)\n      rack (>= 2)\n', 'rails', ['7.2.1']],
    ['composer.lock', '{"packages":[{"name":"a/b","version":"v1.2.3"}]}', 'a/b', ['v1.2.3']],
    ['package-lock.json', '{"packages":{}}', 'hono', []],
    ['unknown.lock', 'hono 4', 'hono', []],
  ])('in %s', (file, text, name, versions) => {
    expect(lockedVersions(file, text, name)).toEqual(versions);
  });
});

it.each([
  '--upload-pack=x',
  '4.1.0 --x',
  '../main',
  '1.0..2',
  '1.0.lock',
  'main',
  '4.1.0\n',
  '4:1',
  '9'.repeat(200),
  7,
  { a: 1 },
])('believes no version %j of a lock file', (version) => {
  const lock = JSON.stringify({ packages: { 'node_modules/hono': { version } } });
  expect(lockedVersions('package-lock.json', lock, 'hono')).toEqual([]);
});

it.each(['[', '{"packages": 1}', '{"packages": [1]}', `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`, '\0'])(
  'finds nothing in the lock file %j',
  (text) => {
    for (const file of [
      'package-lock.json',
      'pnpm-lock.yaml',
      'yarn.lock',
      'Cargo.lock',
      'composer.lock',
      'go.mod',
    ])
      expect(lockedVersions(file, text, 'hono')).toEqual([]);
  },
);

it('names the tag of a version as a ref that no branch can have', () => {
  const hono = { name: '@scope/hono', version: '4.1.0' };
  expect(versionRef(hono)).toBe('version:@scope/hono@4.1.0');
  expect(parseVersionRef('version:@scope/hono@4.1.0')).toEqual(hono);
  expect(parseVersionRef('version:4.1.0')).toEqual({ name: '', version: '4.1.0' });
  for (const other of [
    'v4.1.0',
    'version:',
    'version:x@',
    'version:a b@1',
    'version:..@1',
    'version:-x@main',
  ])
    expect(parseVersionRef(other), other).toBeUndefined();
});

it("looks for the package's own tags first", () => {
  const tags = tagsOfVersion({ name: '@scope/hono', version: 'v4.1.0' });
  expect(tags[0]).toBe('@scope/hono@4.1.0');
  expect(tags.indexOf('hono@4.1.0')).toBeLessThan(tags.indexOf('v4.1.0'));
  expect(tags).toContain('4.1.0');
  expect(tagsOfVersion({ name: '', version: '1.2' })).toEqual([
    'v1.2',
    '1.2',
    'release-1.2',
    'release/1.2',
    'rel_1_2',
  ]);
});
