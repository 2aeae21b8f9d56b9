import { expect, it } from 'vitest';
import { type MemoryEntry, topicFilesInMemory } from '../../../test/doubles/subject-files.ts';
import { knowledgeBase, topic } from '../../../test/knowledge-base/example-topics.ts';
import { checkTopics } from './check-topics.ts';
import type { Topic } from './topic.ts';

async function check(
  files: Readonly<Record<string, MemoryEntry>>,
  topics: readonly Topic[],
  maxSubjectBytes = 1000,
) {
  const topicFiles = topicFilesInMemory(files);
  const findings = await checkTopics({ topicFiles }, knowledgeBase(topics, { maxSubjectBytes }));
  return findings.map(({ topic: id, kind, slug, message }) => [
    kind,
    slug === undefined ? id : `${id}/${slug}`,
    message,
  ]);
}

const T = topic('t');

it('finds nothing wrong with a good topic', async () => {
  const files = {
    'hello.md': 'irrelevant',
    '.ken/kb/t/a.md':
      'Read `b/c` first, then `learn` more. See `src/main.ts`, read `README`, see the file `x/y`. 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '.ken/kb/t/b/.c.md': 'Learn `a`; read the subject `t/a`.',
    '.ken/kb/t/s/SKILL.md': '---\nname: s\ndescription: does s\n---\n',
  };
  expect(await check(files, [{ ...T, title: 'T', learned: ['a'], disabled: ['s'] }])).toEqual([]);
});

it('looks at no topic that is switched off', async () => {
  expect(await check({}, [{ ...T, enabled: false }])).toEqual([]);
});

it('finds directories that cannot be used', async () => {
  const files = { '.ken/kb/file': 'x', '.ken/kb/away': { link: '../../../away' }, '../away/a.md': 'x' };
  expect(await check(files, [T, topic('file'), topic('away')])).toEqual([
    ['directory', 't', '.ken/kb/t does not exist'],
    ['directory', 'file', '.ken/kb/file is not a directory'],
    [
      'directory',
      'away',
      '.ken/kb/away is a link that leaves the workspace; follow_symlinks and "ken trust" together allow that',
    ],
  ]);
});

it('finds what is wrong with files', async () => {
  const files = {
    '.ken/kb/t/a.md': 'A',
    '.ken/kb/t/a.toml': 'A',
    '.ken/kb/t/bin.md': new Uint8Array([0]),
    '.ken/kb/t/latin.md': new Uint8Array([0xe9]),
    '.ken/kb/t/long.md': 'x'.repeat(2000),
    '.ken/kb/t/out.md': { link: '../../../secret.md' },
    '.ken/kb/t/gone.md': { link: 'nowhere' },
    '.ken/kb/t/bare/SKILL.md': 'no front matter',
    '.ken/kb/t/half/SKILL.md': '---\nname: half\n---\n',
    '.ken/kb/t/bidi.md': 'access \u202e drawkcab',
    '.ken/kb/t/tags.md': 'hi \u{e0041}\u{e0042}',
    'secret.md': 's',
  };
  expect(
    await check(files, [{ ...T, title: ' ', learned: ['zzz'], disabled: ['a*', 'nothing/**'] }]),
  ).toEqual([
    ['empty-title', 't', 'its title is empty'],
    ['skipped-file', 't', 'gone.md is a link that leads nowhere'],
    [
      'skipped-file',
      't',
      'out.md is a link that leaves the topic; follow_symlinks allows that, and "ken trust" if it leaves the workspace',
    ],
    ['collision', 't/a.md', 'a.md shares its name with another file'],
    ['collision', 't/a.toml', 'a.toml shares its name with another file'],
    ['dead-pattern', 't', 'learned: "zzz" matches no subject'],
    ['dead-pattern', 't', 'disabled: "nothing/**" matches no subject'],
    ['skill', 't/bare', 'it is a SKILL.md without front matter'],
    ['invisible-text', 't/bidi', 'it holds text that a reader cannot see (\\u{202E})'],
    ['binary', 't/bin', 'it is a binary file'],
    ['skill', 't/half', 'it is a SKILL.md without a description'],
    ['not-utf8', 't/latin', 'it is not valid UTF-8'],
    ['oversize', 't/long', 'it has 2000 bytes, and only 1000 are shown'],
    ['invisible-text', 't/tags', 'it holds text that a reader cannot see (\\u{E0041})'],
  ]);
});

it('finds hints to subjects that cannot be learned', async () => {
  const files = {
    '.ken/kb/t/ast-grep.md': 'Read `ast-grep/rulez` for rules. Learn `nothing`. See also the subject `old`.',
    '.ken/kb/t/ast-grep/.rules.md': 'see `u/b` and load `u/c`',
    '.ken/kb/t/off.md': 'x',
    '.ken/kb/t/more.md': 'read the subject `off`, twice: read the subject `off`',
    '.ken/kb/u/b.md': 'x',
  };
  expect(await check(files, [{ ...T, disabled: ['off'] }, topic('u')])).toEqual([
    ['unknown-subject', 't/ast-grep', 'it mentions the subject "ast-grep/rulez", which cannot be learned'],
    ['unknown-subject', 't/ast-grep', 'it mentions the subject "nothing", which cannot be learned'],
    ['unknown-subject', 't/ast-grep', 'it mentions the subject "old", which cannot be learned'],
    ['unknown-subject', 't/ast-grep/rules', 'it mentions the subject "u/c", which cannot be learned'],
    ['unknown-subject', 't/more', 'it mentions the subject "off", which cannot be learned'],
  ]);
});

it('takes a name that is read for a subject where it cannot be a path of the workspace', async () => {
  const files = {
    '.ken/kb/t/a.md':
      'Read `ast-grep/rules` first, then read `src/rules`; answers are `text/plain`, read `text/plain`.',
    '.ken/kb/t/b.md': 'see `other/place`',
    'src/rules.ts': '',
  };
  expect(await check(files, [T])).toEqual([
    ['unknown-subject', 't/a', 'it mentions the subject "ast-grep/rules", which cannot be learned'],
  ]);
  expect(await check(files, [{ ...T, respectsGitignore: true }])).toEqual([]);
});

it('ends soon on text made to hold it up', async () => {
  const pieces = ['read ', 'read the the ', '\u{1f3f4}', '\u{e0041}', '`a/', 'learn\t'];
  const files = Object.fromEntries(
    pieces.map((piece, at) => [`.ken/kb/t/${at}.md`, `\u{1f3f4}${piece.repeat(20_000)}`] as const),
  );
  await check(files, [T], 300_000);
});
