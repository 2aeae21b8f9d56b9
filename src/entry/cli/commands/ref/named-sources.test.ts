import { expect, it } from 'vitest';
import { optionsFrom } from '../../options.ts';
import { sourcesIn, titleFor } from './named-sources.ts';

type Given = readonly (readonly [name: string, value: string])[];

function named(argument: string | undefined, given: Given = []) {
  return sourcesIn({
    arguments: argument === undefined ? [] : [argument],
    options: optionsFrom(given.map(([name, value]) => ({ name, value }))),
    directory: '/work',
  });
}

it.each([
  ['honojs/hono', 'https://github.com/honojs/hono', 'hono'],
  ['https://git.example.org/a/b/tea.git/', 'https://git.example.org/a/b/tea.git/', 'tea'],
  ['git@example.org:tea.git', 'git@example.org:tea.git', 'tea'],
  ['./tea', '/work/tea', 'tea'],
  ['/src/tea', '/src/tea', 'tea'],
  ['-x/tea', '-x/tea', 'tea'],
])('%s is %s, and its topic %s', (argument, url, title) => {
  const sources = named(argument);
  expect(sources).toEqual([{ type: 'git', url, paths: [], isTyped: true }]);
  expect(titleFor(sources)).toBe(title);
});

it('adds what belongs to the argument, and further repositories', () => {
  const given: Given = [
    ['path', 'docs/'],
    ['ref', 'v1'],
    ['git', './tea'],
    ['path', 'src/'],
  ];
  expect(named('honojs/hono', given)).toEqual([
    { type: 'git', url: 'https://github.com/honojs/hono', paths: ['docs/'], ref: 'v1', isTyped: true },
    { type: 'git', url: '/work/tea', paths: ['src/'], isTyped: true },
  ]);
});

it('names a topic after its first page', () => {
  expect(titleFor(named(undefined, [['web', 'https://fetch.spec.whatwg.org/']]))).toBe(
    'fetch.spec.whatwg.org',
  );
  const long = titleFor(named(undefined, [['web', `https://example.org/${'x'.repeat(300)}`]]));
  expect(long).toHaveLength(200);
});

it('says what is missing', () => {
  expect(() => titleFor(named(undefined))).toThrow('"ken ref create" needs a repository or a page.');
  expect(() => named(undefined, [['path', 'docs/']])).toThrow(
    '--path docs/ does not follow a repository that it could belong to.',
  );
});
