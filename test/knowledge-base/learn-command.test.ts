import { expect, it } from 'vitest';
import { golden } from './example-topics.ts';
import { CONFIG, exampleWorkspace, goldenJson } from './example-workspace.ts';

const said = (stdout: string) => ({ code: 0, stdout, stderr: '' });

it('lists a topic', async () => {
  const config = CONFIG.replace(
    'title = "Learn',
    'description = "[[optional topic description]]"\ntitle = "Learn',
  );
  expect(await exampleWorkspace(config).ken(['learn', 'skills'])).toEqual(
    said(`${golden('listing-skills.golden.md')}\n`),
  );
});

it('lists a topic with some of it already learned', async () => {
  const config = CONFIG.replace(
    'introduction',
    'learned = ["maintainers/*"]\ndescription = "[[optional topic description]]"\nintroduction',
  );
  const { ken, write } = exampleWorkspace(config);
  write('.ken/kb/project/code-quality.md', 'x');
  write('.ken/kb/project/.internal-notes.md', 'x');
  expect(await ken(['learn', 'project'])).toEqual(said(`${golden('listing-project-learned.golden.md')}\n`));
  const { stdout } = await ken(['learn', 'project', '--json']);
  expect(JSON.parse(stdout)).toEqual(goldenJson('learn-list.golden.json'));
});

it('loads a hidden subject by its slug, and by no glob', async () => {
  const { ken } = exampleWorkspace();
  expect(await ken(['learn', 'skills', 'ast-grep/rules'])).toEqual(said('All the rules.\n'));
  expect(await ken(['learn', 'skills', '**'])).toEqual(said(`${golden('load-all-skills.golden.txt')}\n`));
  expect(await ken(['learn', 'skills', 'ast-grep/*'])).toEqual({
    code: 3,
    stdout: '',
    stderr: 'ken: No subject of topic "skills" matches "ast-grep/*".\nhint: Did you mean ast-grep?\n',
  });
});

it.each([['ast-grep'], ['ast-*'], ['**'], ['ast-grep/rules']])(
  'keeps what is disabled out of reach of %s, learned or not',
  async (pattern) => {
    const { ken } = exampleWorkspace();
    const disabled = ['-c', 'kb.topic.skills.disabled:=["ast-grep","ast-grep/rules"]'];
    const refused = {
      code: 3,
      stdout: '',
      stderr: `ken: No subject of topic "skills" matches "${pattern}".\nhint: It has no subjects left to learn.\n`,
    };
    expect(await ken(['learn', 'skills', pattern, ...disabled])).toEqual(refused);
    const learned = ['-c', 'kb.topic.skills.learned:=["ast-grep","ast-grep/rules","**"]'];
    expect(await ken(['learn', 'skills', pattern, ...disabled, ...learned])).toEqual(refused);
    const { stdout } = await ken(['kb', 'prompt', ...disabled, ...learned]);
    expect(stdout).not.toMatch(/content|rules|skills/);
  },
);

it('says what is loaded as JSON', async () => {
  const { ken } = exampleWorkspace();
  const { stdout } = await ken(['learn', 'skills', '--json', '*', 'ast-grep/rules', 'none']);
  expect(JSON.parse(stdout)).toEqual(goldenJson('learn-load.golden.json'));
});

it('finds a topic by its title, and offers topics when there is none', async () => {
  const { ken } = exampleWorkspace();
  expect(await ken(['learn', 'learnable assistant SKILLS', 'ast-grep'])).toEqual(said('...content...\n'));
  expect(await ken(['learn', 'skils'])).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'ken: There is no topic "skils".\nhint: Did you mean skills? ' +
      'Valid topics: project (General Project Knowledge), skills (Learnable Assistant Skills).\n',
  });
});

it('searches a topic', async () => {
  const { ken, write } = exampleWorkspace();
  write('.ken/kb/project/code-quality.md', 'Lint before a review.\n');
  const { stdout } = await ken(['learn', 'project', '--search', 'reviews', '--json']);
  expect(JSON.parse(stdout)).toEqual(goldenJson('learn-search.golden.json'));
  expect(await ken(['learn', 'project', '--search', 'reviews'])).toEqual(
    said(
      [
        '# Topic: General Project Knowledge',
        '## Subjects about "reviews":',
        '- code-quality (Lint before a review.)\n  Lint before a review.',
        'Use the `learn` tool with the `subjects` argument to learn specific subjects.\n',
      ].join('\n\n'),
    ),
  );
  expect(await ken(['learn', 'project', '--search', 'zebra'])).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'ken: No subject of topic "project" is about "zebra".\nhint: Try other words, or list the subjects.\n',
  });
});

it('tells errors as JSON', async () => {
  const { code, stderr } = await exampleWorkspace().ken(['learn', 'skills', '!x', '--json']);
  expect({ code, error: JSON.parse(stderr) }).toEqual({
    code: 2,
    error: {
      error: {
        code: 'kb/invalid-pattern',
        message: 'The pattern "!x" negates, and patterns can only add subjects.',
        hint: null,
      },
    },
  });
});

it('needs a topic and a workspace', async () => {
  const { ken, root } = exampleWorkspace();
  expect(await ken(['learn'])).toMatchObject({ code: 2, stdout: '' });
  expect(await ken(['learn', 'skills', '--search', ' '])).toMatchObject({ code: 2, stdout: '' });
  expect(await ken(['learn', 'skills'], { directory: `${root}/..` })).toMatchObject({ code: 3, stdout: '' });
});

it('refuses a topic in place of the one that ships inside', async () => {
  const { ken } = exampleWorkspace(`${CONFIG}\n[kb.topic.ken]\nsubjects = "x"\n`);
  expect(await ken(['learn', 'skills'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'ken: The topic id "ken" is reserved for what ships with ken.\nhint: Give the topic another id.\n',
  });
});

it('ends quietly when nobody reads on', async () => {
  const { shell, write } = exampleWorkspace();
  for (let at = 0; at < 20; at++) write(`.ken/kb/project/big-${at}.md`, 'x\n'.repeat(50_000));
  expect(await shell("ken learn project '**' | head -1")).toEqual(said('<subject "big-0">\n'));
});

it('says the same bytes on every machine and in every run', async () => {
  const names = [
    'b',
    'a/z',
    '\u{1f600}',
    '\uff5e',
    'B',
    'Ä',
    'ä',
    'i',
    'I',
    'İ',
    '10',
    '9',
    '#1',
    'a b',
    'a-b',
    'a.b',
  ];
  const outputs = new Set<string>();
  for (const order of [names, names.toReversed(), names.toSorted()]) {
    const { ken, write } = exampleWorkspace();
    for (const name of order) write(`.ken/kb/project/${name}.md`, `${name}\n`);
    for (const LC_ALL of ['C', 'tr_TR.UTF-8', 'sv_SE.UTF-8']) {
      const environment = { LC_ALL, LANG: LC_ALL, TZ: 'Asia/Kathmandu' };
      const listed = await ken(['learn', 'project'], { environment });
      const loaded = await ken(['learn', 'project', '**'], { environment });
      const prompt = await ken(['kb', 'prompt', '-k', 'project'], { environment });
      outputs.add(JSON.stringify([listed, loaded, prompt]));
    }
  }
  expect(outputs.size).toBe(1);
});
