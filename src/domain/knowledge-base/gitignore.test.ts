import { expect, it } from 'vitest';
import { ignoreRules } from './gitignore.ts';

it.each([
  ['*.log', '', 'a.log', true],
  ['*.log', 'deep/down', 'a.log', true],
  ['*.log\n!keep.log', '', 'keep.log', false],
  ['/build', '', 'build', true],
  ['/build', 'src', 'build', false],
  ['docs/*.pdf', 'docs', 'a.pdf', true],
  ['docs/*.pdf', 'docs/old', 'a.pdf', false],
  ['docs/**/a.pdf', 'docs/old/er', 'a.pdf', true],
  ['dist/', '', 'dist', true],
  ['# dist', '', '# dist', false],
  ['\\#dist', '', '#dist', true],
  ['', '', 'a', false],
])('%j in %j and %j: %s', (text, directory, name, isIgnored) => {
  const rules = ignoreRules();
  rules.add('', text);
  expect(rules.ignores(directory, name, name === 'dist' || name === 'build')).toBe(isIgnored);
});

it('lets a directory be named by a pattern that a file does not match', () => {
  const rules = ignoreRules();
  rules.add('', 'dist/');
  expect(rules.ignores('', 'dist', false)).toBe(false);
});

it('lets a deeper file take back what one above ignores', () => {
  const rules = ignoreRules();
  rules.add('', '*.md');
  rules.add('docs', '!*.md');
  expect(rules.ignores('docs', 'a.md', false)).toBe(false);
  expect(rules.ignores('src', 'a.md', false)).toBe(true);
});
