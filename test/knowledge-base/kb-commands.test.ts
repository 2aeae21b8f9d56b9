import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { golden } from './example-topics.ts';
import { CONFIG, exampleWorkspace, goldenJson } from './example-workspace.ts';

const LS_CONFIG = `${CONFIG.replace('introduction', 'learned = ["maintainers/*"]\ndisabled = ["code-quality"]\nintroduction')}
[kb.topic.gone]
enable = false
subjects = "docs/gone"
`;

describe('ken kb ls', () => {
  it('lists topics and subjects with their price', async () => {
    const { ken, write } = exampleWorkspace(LS_CONFIG);
    write('.ken/kb/project/code-quality.md', 'Lint before a review.');
    write('.ken/kb/project/.internal-notes.md', 'Internal.');
    expect(await ken(['kb', 'ls'])).toEqual({
      code: 0,
      stdout: `${golden('kb-ls.golden.txt')}\n`,
      stderr: '',
    });
    const { stdout } = await ken(['kb', 'ls', '--hidden', '--json']);
    expect(JSON.parse(stdout)).toEqual(goldenJson('kb-ls.golden.json'));
    expect((await ken(['kb', 'ls', '--hidden'])).stdout).toContain(
      'skills/ast-grep/rules        15       4  hidden\n',
    );
    expect((await ken(['kb', 'ls', 'skills'])).stdout).not.toContain('project');
    expect((await ken(['kb', 'ls', 'gone'])).stdout).toContain('off, missing');
  });

  it('says so when there is nothing', async () => {
    expect(await sandboxHere('').ken(['kb', 'ls'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'There are no topics. "ken kb new" makes one.\n',
    });
    expect(await sandboxHere('').ken(['kb', 'ls', '--json'])).toMatchObject({ stdout: '{"topics":[]}\n' });
  });
});

describe('ken kb check', () => {
  it('finds nothing wrong with the example workspace', async () => {
    const directory = path.join(import.meta.dirname, '../../examples/workspace');
    expect(await sandboxHere().ken(['kb', 'check', '--workspace', directory])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing is wrong (topics: 2).\n',
    });
  });

  it('names everything that is wrong, and exits 6', async () => {
    const config = CONFIG.replace('General Project Knowledge', '');
    const { ken, write, root } = sandboxHere(config);
    write('.ken/kb/project/code-quality.md', 'x');
    write('.ken/kb/project/code-quality.toml', 'x = 1');
    write('.ken/kb/project/hints.md', 'Read `maintainers/nobody`.');
    write('.ken/kb/project/maintainers/jean.md', 'x');
    write('.ken/kb/project/logo.png', new Uint8Array([0x89, 0x50, 0]));
    write('secret.md', 'secret');
    symlinkSync('../../../secret.md', path.join(root, '.ken/kb/project/away.md'));
    const { code, stdout } = await ken(['kb', 'check', '--json']);
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 6,
      ...(goldenJson('kb-check.golden.json') as object),
    });
    expect(await ken(['kb', 'check'])).toEqual({
      code: 6,
      stdout: [
        'project: its title is empty [empty-title]',
        'project: away.md is a link that leaves the topic; follow_symlinks allows that, and "ken trust" if it leaves the workspace [skipped-file]',
        'project/code-quality.md: code-quality.md shares its name with another file [collision]',
        'project/code-quality.toml: code-quality.toml shares its name with another file [collision]',
        'project/hints: it mentions the subject "maintainers/nobody", which cannot be learned [unknown-subject]',
        'project/logo: it is a binary file [binary]',
        'skills: .ken/kb/skills does not exist [directory]',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it('is told by doctor when a directory is gone', async () => {
    const { stdout } = await sandboxHere(CONFIG).ken(['doctor']);
    expect(stdout).toContain(
      'problem  Knowledge base: project: .ken/kb/project does not exist; skills: .ken/kb/skills does not exist\n' +
        '         Create the directory, or correct "subjects" of the topic.\n',
    );
  });
});

describe('ken kb new and add', () => {
  it('make a topic and its subjects, and keep the comments of the config', async () => {
    const { ken, root, write } = sandboxHere('# Mine.\n\n[assistant]\nname = "ada" # a person\n');
    expect(await ken(['kb', 'new', 'skills', '--title', 'Skills "we" have'])).toEqual({
      code: 0,
      stdout: '',
      stderr:
        'The topic skills keeps its subjects in .ken/kb/skills. Add one with "ken kb add skills/NAME FILE".\n',
    });
    expect(readFileSync(path.join(root, '.ken/config.toml'), 'utf8')).toBe(
      '# Mine.\n\n[assistant]\nname = "ada" # a person\n\n' +
        '[kb.topic.skills]\nsubjects = ".ken/kb/skills"\ntitle = "Skills \\"we\\" have"\n',
    );
    write('limits.toml', 'max = 1\n');
    expect(await ken(['kb', 'add', 'skills/limits', 'limits.toml'])).toMatchObject({ code: 0, stdout: '' });
    expect(await ken(['kb', 'add', 'skills/ast-grep', '-'], { input: 'From a pipe.\n' })).toEqual({
      code: 0,
      stdout: '',
      stderr: '.ken/kb/skills/ast-grep.md is the subject skills/ast-grep.\n',
    });
    const hidden = await ken(['kb', 'add', 'skills/ast-grep/.rules', '--json'], { input: 'Rules.\n' });
    expect(JSON.parse(hidden.stdout)).toEqual({
      topic: 'skills',
      slug: 'ast-grep/rules',
      file: '.ken/kb/skills/ast-grep/.rules.md',
      bytes: 7,
    });
    expect(await ken(['learn', 'skills', 'limits', 'ast-grep/rules'])).toMatchObject({
      stdout:
        '<subject "limits">\n```toml\nmax = 1\n```\n</subject>\n\n<subject "ast-grep/rules">\nRules.\n</subject>\n',
    });
  });

  it('never overwrite', async () => {
    const { ken, root, write } = exampleWorkspace();
    const config = readFileSync(path.join(root, '.ken/config.toml'), 'utf8');
    expect(await ken(['kb', 'new', 'skills', '--title', 'Other'])).toMatchObject({ code: 5, stdout: '' });
    expect(await ken(['kb', 'new', 'my skills'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'ken: "my skills" cannot be the id of a topic.\nhint: Use letters, digits, "_" and "-".\n',
    });
    expect(readFileSync(path.join(root, '.ken/config.toml'), 'utf8')).toBe(config);
    write('new.md', 'new');
    for (const name of ['ast-grep', 'ast-grep.md', 'ast-grep.toml', '.ast-grep', 'ast-grep/rules']) {
      expect(await ken(['kb', 'add', `skills/${name}`, 'new.md'])).toMatchObject({ code: 5, stdout: '' });
    }
    expect(readFileSync(path.join(root, '.ken/kb/skills/ast-grep.md'), 'utf8')).toBe('...content...\n');
    write('docs/there.md', 'was here');
    expect(await ken(['kb', 'new', 'docs', '--directory', 'docs'])).toMatchObject({ code: 0 });
    expect((await ken(['learn', 'docs', 'there'])).stdout).toBe('was here\n');
  });

  it('refuse what cannot be', async () => {
    const { ken, root, write } = exampleWorkspace();
    const code = async (...words: string[]) => (await ken(['kb', ...words])).code;
    expect(await code('new', 'ken')).toBe(2);
    expect(await code('new', 'a b')).toBe(2);
    for (const directory of ['../out', '/tmp/out', '.', 'a/../..', '']) {
      expect(await code('new', 'out', '--directory', directory)).toBe(2);
    }
    write('file', 'in the way');
    expect(await code('new', 'out', '--directory', 'file')).toBe(5);
    expect(await code('new')).toBe(2);
    expect(await code('add', 'skills')).toBe(2);
    expect(await code('add', 'skills/')).toBe(2);
    expect(await code('add', 'skills/../x', 'new.md')).toBe(2);
    expect(await code('add', 'nothing/x', 'new.md')).toBe(3);
    expect(await code('add', 'skills/x', 'missing.md')).toBe(3);
    expect(await code('add', 'skills/x', '.ken')).toBe(1);
    write('binary', new Uint8Array([0x61, 0]));
    write('latin.md', new Uint8Array([0xe9]));
    expect(await code('add', 'skills/x', 'binary')).toBe(1);
    expect(await code('add', 'skills/x', 'latin.md')).toBe(1);
    write('new.md', 'new');
    symlinkSync('../../..', path.join(root, '.ken/kb/skills/up'));
    expect(await code('add', 'skills/up/x', 'new.md')).toBe(1);
    expect(existsSync(path.join(root, 'x.md'))).toBe(false);
  });
});

describe('ken kb prompt', () => {
  it('prints the section of the next query, with its price', async () => {
    const { ken } = exampleWorkspace();
    const section = golden('section-menu.golden.txt');
    const tokens = Math.ceil(section.length / 4);
    expect(await ken(['kb', 'prompt'])).toEqual({
      code: 0,
      stdout: `${section}\n`,
      stderr: `About ${tokens} tokens.\n`,
    });
    expect(JSON.parse((await ken(['kb', 'prompt', '--json'])).stdout)).toEqual({ section, tokens });
    expect(await sandboxHere('').ken(['kb', 'prompt'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The next query has no rules and no knowledge section.\n',
    });
    expect(await sandboxHere('').ken(['kb', 'prompt', '--json'])).toMatchObject({
      stdout: '{"section":null,"tokens":0}\n',
    });
  });

  it('refuses a subject that is not there, as a query does', async () => {
    const { ken } = exampleWorkspace();
    for (const words of [
      ['kb', 'prompt'],
      ['q', '-n', 'hello'],
    ])
      expect(await ken([...words, '-k', 'project/maintaners/*'])).toEqual({
        code: 3,
        stdout: '',
        stderr:
          'ken: No subject of the topic "project" matches "maintaners/*".\n' +
          'hint: Did you mean maintainers/jean or maintainers/ryan?\n',
      });
  });

  it('preloads the same bytes, whatever asks for it', async () => {
    const description = 'description = "[[topic description here]]"\nintroduction';
    const { ken, write } = exampleWorkspace(CONFIG.replace('introduction', description));
    write('.ken/config.d/kb/maintainers.toml', '[kb.topic.project]\nlearned = ["maintainers/*"]\n');
    const expected = `${golden('section-preloaded.golden.txt')}\n`;
    const asked: [string[], Record<string, string>][] = [
      [['-c', 'kb.topic.project.learned+=maintainers/*'], {}],
      [['-c', 'kb/maintainers'], {}],
      [['-k', 'project/maintainers/*'], {}],
      [['-k', 'project'], {}],
      [['--knowledge=project/maintainers/{jean,ryan}'], {}],
      [['-k', 'project/maintainers/jean', '-k', 'project/maintainers/ryan'], {}],
      [[], { KEN_CFG_KB__TOPIC__PROJECT__LEARNED: '+maintainers/*' }],
      [
        ['-k', 'project/maintainers/*', '-c', 'kb/maintainers'],
        { KEN_CFG_KB__TOPIC__PROJECT__LEARNED: '+maintainers/*' },
      ],
    ];
    for (const [words, environment] of asked) {
      expect(await ken(['kb', 'prompt', '-q', ...words], { environment })).toEqual({
        code: 0,
        stdout: expected,
        stderr: '',
      });
    }
  });

  it('knows no topic that is not there', async () => {
    expect(await exampleWorkspace().ken(['kb', 'prompt', '-k', 'projekt/x'])).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'ken: There is no topic "projekt".\nhint: Did you mean project? ' +
        'Valid topics: project (General Project Knowledge), skills (Learnable Assistant Skills).\n',
    });
  });

  it('keeps to the budget', async () => {
    const { ken } = exampleWorkspace();
    const words = ['kb', 'prompt', '-q', '-k', 'project', '-c', 'kb.preload_budget_tokens=20'];
    const { stdout } = await ken(words);
    expect(stdout).toContain('did not fit into the system prompt:\n\n- project/maintainers/ryan\n\n');
    expect(stdout).toContain('- project (**General Project Knowledge**): foo bar baz...\n');
  });
});

describe('ken kb export-skills', () => {
  it('writes skills that read back as a topic', async () => {
    const { ken, root, write } = exampleWorkspace();
    const exported = {
      code: 0,
      stdout: `${root}/out/ast-grep/SKILL.md\n${root}/out/ast-grep/rules.md\n`,
      stderr: '',
    };
    expect(await ken(['kb', 'export-skills', 'skills', 'out'])).toEqual(exported);
    // What a kill left of it is completed by the same command; what is another file's stays.
    rmSync(path.join(root, 'out/ast-grep/rules.md'));
    expect(await ken(['kb', 'export-skills', 'skills', 'out'])).toEqual(exported);
    const rules = readFileSync(path.join(root, 'out/ast-grep/rules.md'));
    write('out/ast-grep/rules.md', 'Other rules.\n');
    expect(await ken(['kb', 'export-skills', 'skills', 'out'])).toMatchObject({ code: 5, stdout: '' });
    write('out/ast-grep/rules.md', rules);
    await ken(['kb', 'new', 'back', '--directory', 'out']);
    expect((await ken(['learn', 'back'])).stdout).toContain('\n- ast-grep: ...content...\n');
    expect((await ken(['learn', 'back', 'ast-grep/rules'])).stdout).toBe('All the rules.\n');
  });

  it('gives each file its own content', async () => {
    const { ken, root, write } = exampleWorkspace();
    for (const name of ['a', 'b', 'c'])
      write(`.ken/kb/skills/ast-grep/.${name}.txt`, `the text of ${name}\n`);
    const { stdout } = await ken(['kb', 'export-skills', 'skills', 'out']);
    for (const name of ['a', 'b', 'c']) {
      expect(stdout).toContain(`${root}/out/ast-grep/${name}.txt\n`);
      expect(readFileSync(path.join(root, `out/ast-grep/${name}.txt`), 'utf8')).toBe(`the text of ${name}\n`);
    }
  });
});

it('completes topics and subjects', async () => {
  const { ken } = exampleWorkspace();
  const complete = async (...words: string[]) => (await ken(['complete', '--', ...words])).stdout;
  expect(await complete('learn', 'sk')).toBe('skills\tLearnable Assistant Skills\n:4\n');
  expect(await complete('learn', 'skills', '')).toBe('ast-grep\t\nast-grep/rules\thidden\n:4\n');
  expect(await complete('kb', 'prompt', '-k', 'project/maintainers/j')).toBe(
    'project/maintainers/jean\t\n:4\n',
  );
  expect(await complete('kb', 'prompt', '-k', 'pro')).toBe('project/\tGeneral Project Knowledge\n:6\n');
});
