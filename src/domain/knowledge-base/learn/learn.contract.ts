/** The answers of `learn`: the same bytes in this process and inside a sandbox. */

import { describe, expect, it } from 'vitest';
import formats from '../../../../test/golden/knowledge-base/formats.golden.json' with { type: 'json' };
import globs from '../../../../test/golden/knowledge-base/globs.golden.json' with { type: 'json' };
import {
  golden,
  PROJECT,
  PROJECT_FILES,
  SKILLS,
  SKILLS_FILES,
  topic,
} from '../../../../test/knowledge-base/example-topics.ts';
import type { Topic } from '../topic.ts';

export type LearnFile = string | Uint8Array | { readonly link: string };
/** By path relative to the workspace. */
export type LearnFiles = Readonly<Record<string, LearnFile>>;

/** Answers the text; for what is no answer `error: `, the message and its hint. */
export type Say = (
  files: LearnFiles,
  about: Topic,
  patterns?: readonly string[],
  maxSubjectBytes?: number,
) => Promise<string>;

const T = topic('t');

export const inTopic = (files: LearnFiles): LearnFiles =>
  Object.fromEntries(Object.entries(files).map(([path, entry]) => [`.ken/kb/t/${path}`, entry]));

export function itLearns(name: string, say: Say): void {
  describe(`learn: ${name}`, () => {
    it('lists the skills topic', async () => {
      const described = { ...SKILLS, description: '[[optional topic description]]' };
      expect(await say(SKILLS_FILES, described)).toBe(golden('listing-skills.golden.md'));
    });

    it('lists the project topic with its maintainers already learned', async () => {
      const files = {
        ...PROJECT_FILES,
        '.ken/kb/project/code-quality.md': 'x',
        '.ken/kb/project/.internal-notes.md': 'y',
      };
      const described = {
        ...PROJECT,
        description: '[[optional topic description]]',
        learned: ['maintainers/*'],
      };
      expect(await say(files, described)).toBe(golden('listing-project-learned.golden.md'));
    });

    it('loads every visible subject of the skills topic', async () => {
      expect(await say(SKILLS_FILES, SKILLS, ['**'])).toBe(golden('load-all-skills.golden.txt'));
    });

    it.each(formats.rows)('$path is shown as its extension asks', async ({ path, output }) => {
      expect(await say(inTopic({ [path]: 'key = "value"\n' }), T, ['a'])).toBe(output);
    });

    it.each([
      ['a.TOML', '```toml\nx\n```'],
      ['a.Dockerfile', '```dockerfile\nx\n```'],
      ['a.2 notes`', '```\nx\n```'],
      ['a.constructor', '```constructor\nx\n```'],
    ])('%s is fenced safely', async (path, output) => {
      expect(await say(inTopic({ [path]: 'x' }), T, ['a'])).toBe(output);
    });

    it('makes a fence longer than any inside', async () => {
      expect(await say(inTopic({ 'a.json': 'x ````` y\n' }), T, ['a'])).toBe('``````json\nx ````` y\n``````');
    });

    it('gives one subject by its slug raw, a hidden one too', async () => {
      expect(await say(SKILLS_FILES, SKILLS, ['ast-grep/rules'])).toBe('All the rules.\n');
      expect(await say(SKILLS_FILES, SKILLS, ['ast-grep', 'ast-grep'])).toBe('...content...\n');
      expect(await say(inTopic({ 'a.md': 'no line end</subject>' }), T, ['a'])).toBe('no line end</subject>');
    });

    it('tags one subject found by a glob, and several in the order they were asked for', async () => {
      const files = inTopic({ 'a.md': 'A', 'b.md': 'B\n', 'c.toml': 'c = 1' });
      expect(await say(files, T, ['a*'])).toBe('<subject "a">\nA\n</subject>');
      expect(await say(files, T, ['c', '*', 'b'])).toBe(
        '<subject "c">\n```toml\nc = 1\n```\n</subject>\n\n<subject "a">\nA\n</subject>\n\n<subject "b">\nB\n</subject>',
      );
    });

    it('reports what matches nothing beside what does', async () => {
      expect(await say(inTopic({ 'a.md': 'A' }), T, ['a', 'zz', 'y*'])).toBe(
        '<subject "a">\nA\n</subject>\n\n(no subject matches "zz")\n\n(no subject matches "y*")',
      );
    });

    it('tags even one slug when another matches nothing', async () => {
      expect(await say(inTopic({ 'a.md': 'A' }), T, ['a', 'zz'])).toBe(
        '<subject "a">\nA\n</subject>\n\n(no subject matches "zz")',
      );
    });

    it('offers close slugs, or the available ones, and never hidden or disabled ones', async () => {
      const files = inTopic({ 'tea.md': '', 'teapot.md': '', '.tee.md': '', 'teas.md': '', 'coffee.md': '' });
      const about = { ...T, disabled: ['teas'], learned: ['coffee'] };
      expect(await say(files, about, ['tez'])).toBe(
        'error: No subject of topic "t" matches "tez". Did you mean tea?',
      );
      expect(await say(files, about, ['x', 'y'])).toBe(
        'error: No subject of topic "t" matches "x", "y". Available subjects: tea, teapot.',
      );
      const deeper = inTopic({ 'operations/deploy.md': '', 'operations/backups.md': '' });
      expect(await say(deeper, T, ['deploy'])).toBe(
        'error: No subject of topic "t" matches "deploy". Did you mean operations/deploy?',
      );
      expect(await say(inTopic({}), T, ['x'])).toBe(
        'error: No subject of topic "t" matches "x". It has no subjects left to learn.',
      );
    });

    it('does not name thousands of slugs', async () => {
      const files = inTopic(
        Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`s${at + 100}.md`, ''])),
      );
      expect(await say(files, T, ['zzzzzzzz'])).toMatch(/: s100, .*, s149 and 10 more\.$/);
    });

    it.each(['a', 'a*', '**'])(
      'keeps a disabled subject out of reach of %j, learned or not',
      async (pattern) => {
        const files = inTopic({ 'a.md': 'SECRET', 'b.md': 'B', '.h.md': 'SECRET' });
        for (const disabled of [['a', 'h'], ['?'], ['[ah]']]) {
          const text = await say(files, { ...T, disabled, learned: ['a', 'h'] }, [pattern]);
          expect(text).not.toMatch(/SECRET|system prompt/);
        }
        for (const disabled of [['a', 'h'], ['?'], ['**']]) {
          expect(await say(files, { ...T, disabled }, ['h'])).toMatch(/^error: No subject/);
        }
      },
    );

    it('knows what is in the system prompt already', async () => {
      const files = inTopic({ 'a.md': 'A', 'b.md': 'B', 'd/c.md': 'C', '.h.md': 'H' });
      const about = { ...T, learned: ['a', 'd/*', 'h'] };
      expect(await say(files, about)).toBe(
        [
          '# Topic: t',
          '## Available subjects:',
          '- b',
          'Use the `learn` tool with the `subjects` argument to learn specific subjects.',
          '## Already learned (in system prompt):',
          '- a\n- d/c\n- h',
        ].join('\n\n'),
      );
      expect(await say(files, about, ['a'])).toBe('(subject "a" is already in the system prompt)');
      expect(await say(files, about, ['a', 'b'])).toBe(
        '(subject "a" is already in the system prompt)\n\n<subject "b">\nB\n</subject>',
      );
      expect(await say(files, about, ['*'])).toBe('<subject "b">\nB\n</subject>');
      expect(await say(files, about, ['d/*'])).toBe(
        '(all subjects that match "d/*" are already in the system prompt)',
      );
    });

    it.each([
      ['empty', {}, T],
      ['all learned', { 'a.md': '' }, { ...T, learned: ['**'] }],
      ['all disabled', { 'a.md': '', '.b.md': '' }, { ...T, disabled: ['**'] }],
      ['only hidden', { '.a.md': '' }, T],
    ])('says that a topic has nothing to list: %s', async (_, files, about) => {
      expect(await say(inTopic(files), about)).toContain('# Topic: t\n\n## Available subjects:\n\n(none)');
    });

    it('drops a byte-order mark and keeps Windows line ends', async () => {
      expect(await say(inTopic({ 'a.md': '\ufeffone\r\ntwo\r\n' }), T, ['a'])).toBe('one\r\ntwo\r\n');
    });

    it('cuts a long subject at a character and says so', async () => {
      const files = inTopic({ 'a.md': 'ab€cd', 'b.json': '"ab€cd"' });
      expect(await say(files, T, ['a'], 4)).toBe('ab\n(cut: the first 2 of 7 bytes are shown)');
      expect(await say(files, T, ['a'], 5)).toBe('ab€\n(cut: the first 5 of 7 bytes are shown)');
      expect(await say(files, T, ['a'], 7)).toBe('ab€cd');
      expect(await say(files, T, ['b'], 3)).toBe(
        '```json\n"ab\n```\n(cut: the first 3 of 9 bytes are shown)',
      );
    });

    const NUL_LATE = new Uint8Array(9000).fill(0x61).fill(0, 8192, 8193);
    it.each([
      ['binary', new Uint8Array([0x61, 0, 0x62]), 'it is a binary file'],
      [
        'zero as the last byte looked at',
        new Uint8Array(8192).fill(0x61).fill(0, 8191),
        'it is a binary file',
      ],
      ['Latin-1', new Uint8Array([0x63, 0x61, 0x66, 0xe9]), 'it is not valid UTF-8'],
      ['a cut off character', new Uint8Array([0xe2, 0x82]), 'it is not valid UTF-8'],
    ])('skips a file that is no text: %s', async (_, bytes, why) => {
      const files = inTopic({ 'a.md': bytes, 'b.md': 'B' });
      expect(await say(files, T, ['a'])).toBe(`error: The subject "a" was skipped: ${why}.`);
      expect(await say(files, T, ['*'])).toBe(
        `(subject "a" was skipped: ${why})\n\n<subject "b">\nB\n</subject>`,
      );
    });

    it('looks for zero bytes at the beginning only, and shows a later one', async () => {
      expect(await say(inTopic({ 'a.md': NUL_LATE }), T, ['a'])).toBe(
        `${'a'.repeat(8192)}\\u{0}${'a'.repeat(807)}`,
      );
    });

    it('lets no subject close its tag', async () => {
      const files = inTopic({
        'a.md': 'x</subject>\n</topic></knowledge>\u001b[0m',
        '<.md': '1',
        'q"uo>te.md': '2',
      });
      expect(await say(files, T, ['*'])).toBe(
        [
          '<subject "&lt;">\n1\n</subject>',
          '<subject "a">\nx&lt;/subject>\n&lt;/topic>&lt;/knowledge>\\u{1B}[0m\n</subject>',
          '<subject "q&quot;uo&gt;te">\n2\n</subject>',
        ].join('\n\n'),
      );
    });

    it.each(['!a', 'b/!(c)'])('refuses the negation %j', async (pattern) => {
      expect(await say(inTopic({ 'a.md': '' }), T, [pattern, 'a'])).toBe(
        `error: The pattern "${pattern}" negates, and patterns can only add subjects.`,
      );
    });

    it('takes a slug for a slug, whatever its characters', async () => {
      const files = inTopic({ '!a.md': '1', '[x].md': '2', 'a*b.md': '3', 'aXb.md': '4' });
      expect(await say(files, T, ['!a'])).toBe('1');
      expect(await say(files, T, ['[x]'])).toBe('2');
      expect(await say(files, T, ['a*b'])).toBe('3');
    });

    it('says the same bytes from run to run, whatever order the files come in', async () => {
      const names = ['b', 'a/z', '\u{1f600}', '\uff5e', 'B', '.h', 'é', 'e'].map((name) => `${name}.md`);
      const tree = (order: readonly string[]) =>
        inTopic(Object.fromEntries(order.map((name) => [name, name])));
      const texts = await Promise.all(
        [names, names.toReversed(), names.toSorted()].map((each) => say(tree(each), T)),
      );
      expect(new Set(texts).size).toBe(1);
      expect(texts[0]).toContain('- B\n- a/z\n- b\n- e\n- é\n- \uff5e\n- \u{1f600}\n');
    });
    it('lists skills with what they say about themselves', async () => {
      const files = inTopic({
        'pdf/SKILL.md': '---\nname: pdf\ndescription: Reads </topic>\n  PDF files.\n---\n# PDF\n',
        'pdf/forms.md': 'Forms.',
        'bare/SKILL.md': 'no front matter',
        'tea.md': 'tea',
      });
      expect(await say(files, T)).toContain('- bare\n- pdf: Reads &lt;/topic> PDF files.\n- tea\n');
      expect(await say(files, T, ['pdf/forms'])).toBe('Forms.');
      expect(await say(files, T, ['pdf'])).toContain('name: pdf');
    });

    it.each(globs.rows)('$pattern gives $matches', async ({ pattern, matches }) => {
      const files = inTopic(Object.fromEntries(globs.files.map((path) => [path, path])));
      const told = await say(files, T, [pattern]);
      const tags = [...told.matchAll(/^<subject "(.*)">$/gm)].map(([, slug]) => slug);
      // One subject asked for by its slug comes without a tag.
      if (matches.length !== 1 || tags.length > 0) expect(tags).toEqual(matches);
      else expect(told).not.toMatch(/^error: /);
    });
  });
}
