import { expect, it } from 'vitest';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import { pageFileName, sourceDirectories } from './layout.ts';
import type { TopicSource } from './topic.ts';
import { asciiSlug, isSameTitle, otherSlugOfTitle, slugOfTitle } from './topic-slug.ts';

const git = (url: string): TopicSource => ({ type: 'git', url, paths: [], unknown: {} });
const web: TopicSource = { type: 'web', url: 'https://example.org/', unknown: {} };

it.each<[TopicSource[], string[]]>([
  [[git('https://github.com/o/r')], ['']],
  [
    [git('https://github.com/o/r'), web],
    ['', ''],
  ],
  [[web], ['']],
  [
    [git('https://github.com/DioxusLabs/dioxus.git'), web, git('git@github.com:o/r.git')],
    ['dioxuslabs-dioxus/', '', 'o-r/'],
  ],
  [
    [git('https://a.example/o/r'), git('https://b.example/o/r'), git('ssh://x/o/r/')],
    ['o-r/', 'o-r-2/', 'o-r-3/'],
  ],
  [
    [
      git('https://a.example/'),
      git('file:///srv/日本'),
      { type: 'local', path: '/home/x/notes', unknown: {} },
    ],
    ['source/', 'srv/', 'x-notes/'],
  ],
])('%j', (sources, directories) => {
  expect(sourceDirectories(sources)).toEqual(directories);
});

it.each([
  ['https://dioxuslabs.com/learn/0.6/', 'dioxuslabs-com-learn-0-6.md'],
  ['https://www.example.org/', 'example-org.md'],
  ['https://example.org/guide/Intro.html', 'example-org-guide-intro.md'],
  ['https://example.org/llms.txt', 'example-org-llms.md'],
  ['https://example.org/?page=1', 'example-org-a8b9ac85.md'],
  ['https://example.org/?page=2', 'example-org-d7a0f3c0.md'],
  [`https://example.org/${'x/'.repeat(200)}`, `${`example-org-${'x-'.repeat(200)}`.slice(0, 100)}`],
])('%s is kept as %s', (url, name) => {
  const made = pageFileName(systemHasher, url, () => false);
  if (name.endsWith('.md') && !url.includes('?')) expect(made).toBe(name);
  else expect(made).toMatch(/^[a-z0-9-]{1,110}-[0-9a-f]{8}\.md$/);
});

it('takes another name when one is taken, and two addresses never share one', () => {
  const taken = new Set(['example-org.md']);
  const made = pageFileName(systemHasher, 'https://example.org/', (name) => taken.has(name));
  expect(made).toMatch(/^example-org-[0-9a-f]{8}\.md$/);
  const pages = ['?page=1', '?page=2'].map((query) =>
    pageFileName(systemHasher, `https://example.org/${query}`, () => false),
  );
  expect(new Set(pages).size).toBe(2);
});

it.each([
  ['Dioxus - Rust UI Framework', 'dioxus-rust-ui-framework'],
  ['Café  Crème!', 'cafe-creme'],
  ["What's new", 'whats-new'],
  ['../../etc/passwd', 'etc-passwd'],
  ['日本語', '77710aed'],
  ['C++', 'c'],
  ['Nul', 'nul-e54bdb05'],
])('%s has the slug %s', (title, slug) => {
  expect(slugOfTitle(systemHasher, title)).toBe(slug);
});

it('gives another title with the same slug another directory', () => {
  expect(isSameTitle('C++', 'C#')).toBe(false);
  expect(isSameTitle(' c++ ', 'C++')).toBe(true);
  expect(otherSlugOfTitle(systemHasher, 'C#')).toMatch(/^c-[0-9a-f]{6}$/);
  expect(asciiSlug('')).toBe('');
});
