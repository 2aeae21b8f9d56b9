import { describe, expect, it } from 'vitest';
import { BACKUP_FORMAT, groupOf, manifestText, parseManifest, pathProblem } from './manifest.ts';

const WHOLE = {
  ken: '0.2.0',
  createdAt: 1_800_000_000_000,
  workspace: 'project',
  since: undefined,
  files: [{ path: 'kb/docs/a.md', bytes: 3, sha256: 'ab', modifiedAt: 1_700_000_000_000 }],
};

describe('manifest', () => {
  it('is read as it was written', () => {
    expect(parseManifest(manifestText(WHOLE))).toEqual(WHOLE);
    expect(parseManifest(manifestText({ ...WHOLE, since: 5 }))).toEqual({ ...WHOLE, since: 5 });
  });

  it('of a later format is refused with a sentence', () => {
    const later = manifestText(WHOLE).replace(`"format":${BACKUP_FORMAT}`, '"format":99');
    expect(() => parseManifest(later)).toThrow('This backup has format 99; this ken reads up to 1.');
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"format":1}',
    '{"format":1,"ken":"x","workspace":"w","created_at":1,"files":[{}]}',
  ])('is refused when it is %j', (text) =>
    expect(() => parseManifest(text)).toThrow('This is not a whole backup.'),
  );
});

describe('paths', () => {
  it.each([
    'kb/docs/a.md',
    'kb/.ken/kb/project/a.md',
    'config/config.toml',
    'config/.gitignore',
    'ledger/knowledge.db',
  ])('%s is good', (path) => expect(pathProblem(path)).toBeUndefined());

  it.each([
    ...[
      '',
      'kb',
      'kb/',
      '/etc/passwd',
      'kb//a',
      'kb/../a',
      'kb/a/../../b',
      'config/./x',
      'other/x',
      'kb/a\0b',
      'kb/a\\b',
    ],
    ...[
      'kb/.git/hooks/post-checkout',
      'kb/docs/.envrc',
      'kb/.ken/config.toml',
      'kb/node_modules/.bin/x',
      'kb/.bashrc',
    ],
    `kb/${'x'.repeat(300)}`,
  ])('%j is refused', (path) => expect(pathProblem(path)).toBeDefined());

  it('are grouped by what belongs together', () => {
    expect(groupOf('ledger/a.jsonl')).toBe(groupOf('ledger/knowledge.db'));
    expect(groupOf('conversations/1/events.jsonl')).toBe('conversations/1');
    expect(groupOf('references/axum/files/a/b.md')).toBe('references/axum');
    expect(groupOf('kb/docs/a.md')).toBe('kb/docs/a.md');
  });
});
