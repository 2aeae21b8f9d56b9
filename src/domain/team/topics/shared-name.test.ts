import { expect, it } from 'vitest';
import { directoryProblem, sharedNameProblem } from './shared-name.ts';

it.each(['a.md', 'deep/er/a.toml', '.rules.md', 'pdf/scripts/fill.py', 'my agents.md', 'claude-code.md'])(
  'shares %s',
  (path) => {
    expect(sharedNameProblem(path)).toBeUndefined();
  },
);

it.each([
  '../a.md',
  '/a.md',
  'a/../../b.md',
  '.git/config',
  '.GIT/x',
  '.claude/skills/x/SKILL.md',
  '.envrc',
  'node_modules/x/index.js',
  'AGENTS.md',
  'sub/CLAUDE.md',
  'claude.local.md',
  'GEMINI.md',
  '.cursorrules',
  'copilot-instructions.md',
  'a\nb.md',
])('does not share %j', (path) => {
  expect(sharedNameProblem(path)).toEqual(expect.any(String));
});

it.each([
  ['.ken/kb/project', 'run.sh', true],
  ['docs/skills', 'deploy.md', true],
  ['src', 'index.js', false],
  ['docs', 'package.json', false],
  ['.', 'a.md', false],
  ['.claude/skills', 'a.md', false],
  ['docs/.private', 'a.md', false],
  ['.ken', 'config.toml', false],
])('writes to %s a file such as %s: %s', (directory, path, isWritten) => {
  expect(directoryProblem(directory, [path]) === undefined).toBe(isWritten);
});
