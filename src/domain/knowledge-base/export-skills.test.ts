import { expect, it } from 'vitest';
import { type MemoryEntry, topicFilesInMemory } from '../../../test/doubles/subject-files.ts';
import { topic } from '../../../test/knowledge-base/example-topics.ts';
import { exportSkills } from './export-skills.ts';
import { parseFrontMatter } from './front-matter.ts';
import { openTopic } from './open-topics.ts';
import { subjectsOf } from './slugs.ts';

async function exported(files: Readonly<Record<string, MemoryEntry>>, disabled: readonly string[] = []) {
  const tree = Object.fromEntries(Object.entries(files).map(([path, entry]) => [`.ken/kb/t/${path}`, entry]));
  const { skills, leftOut } = exportSkills(
    await openTopic({ topicFiles: topicFilesInMemory(tree) }, topic('t', { disabled })),
  );
  const written = skills.flatMap((skill) => skill.files);
  const text = (content: string | Uint8Array) =>
    typeof content === 'string' ? content : Buffer.from(content).toString();
  return { files: Object.fromEntries(written.map(({ path, content }) => [path, text(content)])), leftOut };
}

it('writes subjects as skills, and hidden ones beside the skill above', async () => {
  expect(
    await exported(
      {
        'ast-grep.md': '# Structural search\n\nRead `ast-grep/rules`.\n',
        'ast-grep/.rules.md': 'Rules.\n',
        'ast-grep/.more/deep.txt': 'Deep.\n',
        'limits.toml': 'max = 3',
        'off.md': 'secret',
        '.alone.md': 'hidden',
      },
      ['off'],
    ),
  ).toEqual({
    files: {
      'ast-grep/SKILL.md':
        '---\nname: "ast-grep"\ndescription: "Structural search"\n---\n\n# Structural search\n\nRead `ast-grep/rules`.\n',
      'ast-grep/rules.md': 'Rules.\n',
      'ast-grep/more/deep.txt': 'Deep.\n',
      'limits/SKILL.md': '---\nname: "limits"\ndescription: "max = 3"\n---\n\n```toml\nmax = 3\n```\n',
    },
    leftOut: [{ slug: 'alone', why: 'it is hidden and belongs to no skill' }],
  });
});

it('gives back a skill that is one already, byte for byte', async () => {
  const files = {
    'pdf/SKILL.md': '---\nname: pdf\ndescription: >\n  Reads PDF.\nlicense: MIT\n---\n# PDF\n',
    'pdf/scripts/run.py': 'print(1)\n',
    'pdf/.forms.md': 'hidden twice',
    'pdf/forms.md': 'once',
  };
  expect((await exported(files)).files).toEqual(files);
});

it('names skills as the layout asks, each differently', async () => {
  const long = 'x'.repeat(80);
  const { files, leftOut } = await exported({
    'a/b.md': '1',
    'a-b.md': '2',
    'A B.md': '3',
    'Über uns.md': '4',
    '日本.md': '5',
    [`${long}1.md`]: '6',
    [`${long}2.md`]: '7',
    'bin.md': new Uint8Array([0]),
  });
  const names = Object.keys(files).map((file) => file.replace('/SKILL.md', ''));
  expect(names).toEqual([
    'a-b',
    'a-b-2',
    'a-b-3',
    'x'.repeat(64),
    `${'x'.repeat(62)}-2`,
    'uber-uns',
    'skill',
  ]);
  for (const name of names) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(parseFrontMatter(files[`${name}/SKILL.md`] ?? '')?.fields.name).toBe(name);
  }
  expect(leftOut).toEqual([{ slug: 'bin', why: 'it is a binary file' }]);
});

it('is a topic again when it is read back', async () => {
  const { files } = await exported({ 'tea.md': '# Tea\n', 'tea/.pots.md': 'Pots\n' });
  expect(subjectsOf(Object.keys(files)).map(({ slug, hidden }) => [slug, hidden])).toEqual([
    ['tea', false],
    ['tea/pots', true],
  ]);
});
