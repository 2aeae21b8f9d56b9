import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunOptions, Sandbox } from './ken.ts';
import { sandboxHere } from './ken-here.ts';
import { writeOwnConfig } from './own-config.ts';

const TOPIC = '[kb.topic.project]\nsubjects = "kb"\ntitle = "File"\nlearned = ["one"]\n';

async function shown(box: Sandbox, key: string, words: readonly string[] = [], options: RunOptions = {}) {
  const result = await box.ken(['config', 'show', key, ...words], options);
  expect(result.stderr).toBe('');
  return result.stdout.trimEnd();
}

describe('every form of --cfg', () => {
  it.each([
    ['title=Flag', 'kb.topic.project.title', '"Flag"'],
    ['title:="JSON"', 'kb.topic.project.title', '"JSON"'],
    ['learned=two', 'kb.topic.project.learned', '["two"]'],
    ['learned=', 'kb.topic.project.learned', '[]'],
    ['learned:=["two","three"]', 'kb.topic.project.learned', '["two", "three"]'],
    ['learned+=a,{b,c}', 'kb.topic.project.learned', '["one", "a,{b,c}"]'],
    ['learned+=one', 'kb.topic.project.learned', '["one"]'],
    ['learned:+=["two","one"]', 'kb.topic.project.learned', '["one", "two"]'],
    ['enable=false', 'kb.topic.project.enable', 'false'],
  ])('-c kb.topic.project.%s', async (assignment, key, value) => {
    const box = sandboxHere(TOPIC);
    expect(await shown(box, key, ['-c', `kb.topic.project.${assignment}`])).toBe(`${key} = ${value}`);
  });

  it.each([
    [['kb.max_subject_bytes=7'], 'kb.max_subject_bytes = 7'],
    [['kb.max_subject_bytes:=7'], 'kb.max_subject_bytes = 7'],
    [['{"kb":{"max_subject_bytes":7}}'], 'kb.max_subject_bytes = 7'],
    [['kb.max_subject_bytes=7', 'kb.max_subject_bytes:=null'], 'kb.max_subject_bytes = 262144'],
    [['kb.max_subject_bytes=7', 'kb.max_subject_bytes=8'], 'kb.max_subject_bytes = 8'],
    [['conversation.labels+=team=platform'], 'conversation.labels.team = "platform"'],
    [['conversation.labels:+={"a":"1","b":""}'], 'conversation.labels.a = "1"\nconversation.labels.b = ""'],
    [['search.weights.lexical=0.25'], 'search.weights.lexical = 0.25'],
    [['conversation.tools."*".run=deny'], 'conversation.tools.*.run = "deny"'],
  ])('-c %j', async (assignments, line) => {
    const key = line.split(/(?:\.[ab])? = /)[0]?.replace('.*', '."*"') ?? '';
    const words = assignments.flatMap((assignment) => ['--cfg', assignment]);
    expect(await shown(sandboxHere(TOPIC), key, words)).toBe(line);
  });

  it('is read left to right, before and after the command', async () => {
    const box = sandboxHere(TOPIC);
    const result = await box.ken([
      '-c',
      'assistant.name=a',
      'config',
      'show',
      'assistant.name',
      '-c',
      'assistant.name=b',
    ]);
    expect(result).toEqual({ code: 0, stdout: 'assistant.name = "b"\n', stderr: '' });
  });

  it('takes @path from the current directory, whatever it is called', async () => {
    const box = sandboxHere(TOPIC);
    box.write('odd=name.toml', 'assistant.name = "from-file"\n');
    expect(await shown(box, 'assistant.name', ['-c', '@odd=name.toml'])).toBe('assistant.name = "from-file"');
  });

  it('believes a file of the workspace no more when a link leads to it, or from it', async () => {
    const box = sandboxHere(TOPIC);
    const own = 'providers.mcp.git.command = "git-mcp"\n';
    box.write('inside.toml', own);
    box.write('../home/outside.toml', own);
    symlinkSync(path.join(box.root, 'inside.toml'), path.join(box.home, 'leads-inside.toml'));
    symlinkSync(path.join(box.home, 'outside.toml'), path.join(box.root, 'leads-outside.toml'));
    const told = async (file: string) =>
      (await box.ken(['config', 'show', 'providers.mcp.git.command', '-c', `@${file}`])).stdout;
    expect(await told(path.join(box.home, 'outside.toml'))).toBe('providers.mcp.git.command = "git-mcp"\n');
    for (const file of ['inside.toml', 'leads-outside.toml', path.join(box.home, 'leads-inside.toml')])
      expect(await told(file), file).toBe('');
  });

  it('merges every file of a name, the user’s first', async () => {
    const box = sandboxHere(TOPIC);
    box.write('.ken/config.d/kb/more.toml', '[kb.topic.project]\nlearned = ["two"]\ntitle = "Workspace"\n');
    box.write(
      '../home/config/config.d/kb/more.toml',
      '[kb.topic.project]\nlearned = ["three"]\ntitle = "User"\n',
    );
    expect(await shown(box, 'kb.topic.project', ['-c', 'kb/more'])).toBe(
      [
        'kb.topic.project.enable = true',
        'kb.topic.project.title = "Workspace"',
        'kb.topic.project.subjects = "kb"',
        'kb.topic.project.follow_symlinks = false',
        'kb.topic.project.gitignore = false',
        'kb.topic.project.learned = ["one", "three", "two"]',
        'kb.topic.project.disabled = []',
      ].join('\n'),
    );
  });

  it('says where it looked for a name that is nowhere', async () => {
    const box = sandboxHere(TOPIC);
    expect(await box.ken(['config', 'show', '-c', 'nowhere'])).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'ken: There is no config named "nowhere".\n' +
        `hint: Looked for ${box.home}/config/config.d/nowhere.toml, ${box.root}/.ken/config.d/nowhere.toml. A key is set as key=value.\n`,
    });
    expect((await box.ken(['config', 'show', '-c', './more.toml'])).stderr).toBe(
      'ken: There is no config named "./more.toml".\nhint: A file is named by -c @./more.toml.\n',
    );
  });

  it.each([
    ['kb.topc.x.title=1', '"topc" is not a known key in kb.', 'Did you mean topic?'],
    [
      'kb.max_subject_bytes=many',
      'kb.max_subject_bytes must be a whole number from 1, not "many".',
      undefined,
    ],
    [
      'kb.topic.project=x',
      'kb.topic.project cannot be written as a plain value.',
      'Write JSON: kb.topic.project:=…',
    ],
    [
      'kb.topic.project.title+=x',
      'kb.topic.project.title is neither a list nor a map.',
      'Use "=" to set it.',
    ],
    ['kb.topic.bad/id.title=x', '"bad/id" cannot be a key of kb.topic.', 'Use letters, digits, "_" and "-".'],
    ['style.color=blue', 'style.color must be one of "auto", "always", "never", not "blue".', undefined],
  ])('refuses %s', async (assignment, message, hint) => {
    const result = await sandboxHere(TOPIC).ken(['config', 'show', '-c', assignment]);
    expect(result.code).toBe(2);
    expect(result.stderr.split('\n')[0]).toBe(`ken: ${message}`);
    if (hint) expect(result.stderr.split('\n')[1]).toBe(`hint: ${hint}`);
  });
});

describe('the environment', () => {
  it.each([
    ['KEN_CFG_KB__TOPIC__PROJECT__TITLE', 'Env', 'kb.topic.project.title = "Env"'],
    ['KEN_CFG_kb__topic__Project__title', 'Env', 'kb.topic.project.title = "Env"'],
    ['KEN_CFG_KB__TOPIC__PROJECT__LEARNED', '+a,{b,c}', 'kb.topic.project.learned = ["one", "a,{b,c}"]'],
    ['KEN_CFG_KB__TOPIC__PROJECT__LEARNED', ':["x"]', 'kb.topic.project.learned = ["x"]'],
    ['KEN_CFG_KB__TOPIC__PROJECT__LEARNED', ':+["x","y"]', 'kb.topic.project.learned = ["one", "x", "y"]'],
    ['KEN_CFG_KB__TOPIC__PROJECT__LEARNED', 'x', 'kb.topic.project.learned = ["x"]'],
    ['KEN_CFG_KB__MAX_SUBJECT_BYTES', '9', 'kb.max_subject_bytes = 9'],
    ['KEN_CFG_KB__TOPIC__MY_TOPIC__TITLE', 'Dash', 'kb.topic.my-topic.title = "Dash"'],
  ])('%s=%s', async (name, value, line) => {
    const box = sandboxHere(`${TOPIC}[kb.topic.my-topic]\nsubjects = "kb"\n`);
    const key = line.split(' = ')[0] ?? '';
    expect(await shown(box, key, [], { environment: { [name]: value } })).toBe(line);
  });

  it('refuses a name that could mean two keys', async () => {
    const box = sandboxHere('[kb.topic.a-b]\nsubjects = "kb"\n[kb.topic.a_b]\nsubjects = "kb"\n');
    expect(
      await box.ken(['config', 'show'], { environment: { KEN_CFG_KB__TOPIC__A_B__TITLE: 'x' } }),
    ).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'ken: KEN_CFG_KB__TOPIC__A_B__TITLE: "A_B" could mean a-b or a_b.\n' +
        'hint: Use a config file or --cfg to name the one you mean.\n',
    });
  });
});

describe('who may set what', () => {
  it('lets the user’s own files set a user key', async () => {
    const box = sandboxHere('');
    writeOwnConfig(box.home, 'approvals.expires_hours = 48\nmcp.job_after_s = 9\n');
    expect(await shown(box, 'approvals.expires_hours')).toBe('approvals.expires_hours = 48');
    expect(await shown(box, 'mcp.job_after_s')).toBe('mcp.job_after_s = 9');
  });

  const denied = (place: string) => ({
    code: 4,
    stdout: '',
    stderr:
      `ken: ${place}: "approvals.noninteractive" can be set only in your own authority.toml.\n` +
      'hint: Use "ken config set --user approvals.noninteractive …".\n',
  });
  const LINE = 'approvals.noninteractive = "allow"\n';

  it.each(['.ken/config.toml', '.ken/config.local.toml'])('refuses a user key in %s', async (file) => {
    const box = sandboxHere('');
    box.write(file, `# first\n${LINE}`);
    expect(await box.ken(['config', 'show'])).toEqual(denied(`${box.root}/${file}:2:1`));
  });

  it('refuses a user key in a file that the workspace extends', async () => {
    const box = sandboxHere('extends = ["config.d/*.toml"]\n');
    box.write('.ken/config.d/sly.toml', LINE);
    expect(await box.ken(['config', 'show'])).toEqual(denied(`${box.root}/.ken/config.d/sly.toml:1:1`));
  });

  it.each([
    ['-c', 'approvals.noninteractive=allow'],
    ['-c', 'approvals.noninteractive:="allow"'],
    ['-c', 'approvals:={"noninteractive":"allow"}'],
    ['-c', '{"approvals":{"noninteractive":"allow"}}'],
  ])('refuses a user key by %s %s', async (...words) => {
    const result = await sandboxHere('').ken(['config', 'show', ...words]);
    expect(result.code).toBe(4);
    expect(result.stderr).toContain('can be set only in your own authority.toml');
  });

  it('refuses a user key by @file, by name and from the environment', async () => {
    const box = sandboxHere('');
    box.write('own.toml', LINE);
    box.write('../home/config/config.d/own.toml', LINE);
    const results = await Promise.all([
      box.ken(['config', 'show', '-c', '@own.toml']),
      box.ken(['config', 'show', '-c', 'own']),
      box.ken(['config', 'show'], { environment: { KEN_CFG_APPROVALS__NONINTERACTIVE: 'allow' } }),
    ]);
    expect(results.map(({ code }) => code)).toEqual([4, 4, 4]);
  });

  it('leaves out what needs trust, with one warning', async () => {
    const box = sandboxHere('');
    box.write(
      '.ken/config.toml',
      [
        '[conversation]',
        'attachments = ["README.md", "cmd:date", "https://example.org"]',
        '[conversation.labels]',
        'team = "a"',
        'host = { value.cmd = "hostname" }',
        '[conversation.tools.x]',
        'source = "local"',
        'command = "ls"',
        '[providers.mcp.y]',
        'command = "evil"',
        '',
      ].join('\n'),
    );
    const result = await box.ken(['config', 'show', 'conversation']);
    expect(result).toEqual({
      code: 0,
      stdout:
        'conversation.labels.team = "a"\nconversation.expose_to_tools = []\n' +
        'conversation.attachments = ["README.md"]\nconversation.start_local = false\nconversation.share = false\nconversation.title.generate = false\n',
      stderr:
        'warning: this workspace is not trusted, so conversation.attachments.1, conversation.attachments.2, ' +
        'conversation.labels.host and 2 more are left out; see "ken trust --show".\n',
    });
  });

  it('lets a workspace lower a limit and never raise it', async () => {
    const box = sandboxHere('[net]\ntimeout_s = 31\nmax_redirects = 1\n');
    expect(await box.ken(['config', 'show', 'net'])).toEqual({
      code: 0,
      stdout: 'net.allow = []\nnet.timeout_s = 30\nnet.max_bytes = 10485760\nnet.max_redirects = 1\n',
      stderr: `warning: ${box.root}/.ken/config.toml:2:1: net.timeout_s may only be lowered here; 30 stays in force.\n`,
    });
  });
});

describe('files', () => {
  it('a typo is an error with its place and a suggestion', async () => {
    const box = sandboxHere('# comment\n\n[kb.topic.project]\nsubjects = "kb"\nlerned = ["x"]\n');
    expect(await box.ken(['config', 'show'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `ken: ${box.root}/.ken/config.toml:5:1: "lerned" is not a known key in kb.topic.project.\nhint: Did you mean learned?\n`,
    });
  });

  it.each([
    ['a = ', 'Invalid value at 1:5', /:1:\d+: /],
    ['kb = 1\n', '', /:1:1: kb must be a table, not 1\.\n/],
    ['[kb.topic.x]\ntitle = "no subjects"\n', '', /:1:1: kb\.topic\.x has no "subjects"\.\n/],
    [
      '[kb.topic.x]\nsubjects = "../out"\n',
      '',
      /:2:1: kb\.topic\.x\.subjects must stay inside the workspace: "\.\.\/out"\.\n/,
    ],
    ['assistant.name = 2026-01-01\n', '', /:1:1: assistant\.name must be a text, not a date\.\n/],
    ['[conversation.labels]\nx.value.cmd = "echo \'"\n', '', /:2:1: .* has an unbalanced quote/],
  ])('names the place in %j', async (config, _, place) => {
    const result = await sandboxHere(config).ken(['config', 'show']);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(place);
  });

  it('applying one file twice changes nothing', async () => {
    const box = sandboxHere(TOPIC);
    box.write(
      'more.toml',
      '[kb.topic.project]\nlearned = ["two", "one"]\n[conversation.labels]\nteam = "x"\n',
    );
    const once = await shown(box, 'kb', ['-c', '@more.toml']);
    expect(await shown(box, 'kb', ['-c', '@more.toml', '-c', '@more.toml'])).toBe(once);
  });

  it('extends relative to the file, the file itself has the last word', async () => {
    const box = sandboxHere('extends = ["parts/*.toml", "last.toml"]\nassistant.name = "own"\n');
    box.write(
      '.ken/parts/b.toml',
      'assistant.name = "b"\nassistant.model = "x/b"\nassistant.instructions = ["b"]\n',
    );
    box.write('.ken/parts/a.toml', 'assistant.model = "x/a"\nassistant.instructions = ["a"]\n');
    box.write('.ken/last.toml', 'assistant.instructions = ["last"]\n');
    writeOwnConfig(box.home, 'approvals.noninteractive = "allow"\n');
    await box.ken(['trust']);
    expect(await shown(box, 'assistant.name')).toBe('assistant.name = "own"');
    expect(await shown(box, 'assistant.model')).toBe('assistant.model = "x/b"');
    expect(await shown(box, 'assistant.instructions')).toBe('assistant.instructions = ["a", "b", "last"]');
  });

  it('refuses a circle, a missing file and one outside the workspace', async () => {
    const circle = sandboxHere('extends = ["other.toml"]\n');
    circle.write('.ken/other.toml', 'extends = ["config.toml"]\n');
    const missing = sandboxHere('extends = ["gone.toml"]\n');
    const outside = sandboxHere('extends = ["../../out.toml"]\n');
    outside.write('../out.toml', '');
    const file = (box: Sandbox, name: string) => `${box.root}/.ken/${name}`;
    expect((await circle.ken(['config', 'show'])).stderr).toBe(
      `ken: Config files extend each other in a circle: ${file(circle, 'config.toml')} → ${file(circle, 'other.toml')} → ${file(circle, 'config.toml')}.\n`,
    );
    expect(await missing.ken(['config', 'show'])).toEqual({
      code: 3,
      stdout: '',
      stderr: `ken: ${file(missing, 'config.toml')} extends ${file(missing, 'gone.toml')}, which does not exist.\n`,
    });
    expect((await outside.ken(['config', 'show'])).code).toBe(4);
  });

  it('check finds every mistake at once', async () => {
    const box = sandboxHere('nonsense = 1\n[kb]\nmax_subject_bytes = "x"\n');
    expect(await box.ken(['config', 'check'])).toEqual({
      code: 6,
      stdout:
        `${box.root}/.ken/config.toml:1:1: "nonsense" is not a known key. Known keys: extends, config_load_paths, kb, assistant, providers, conversation, tools, references, net, search, knowledge, backup, approvals, mcp, hooks, web, team, serve, style, editor.\n` +
        `${box.root}/.ken/config.toml:3:1: kb.max_subject_bytes must be a whole number from 1, not "x".\n`,
      stderr: '',
    });
    expect(await sandboxHere('').ken(['config', 'check'])).toEqual({
      code: 0,
      stdout: '1 config file, nothing wrong.\n',
      stderr: '',
    });
  });
});

describe('config set', () => {
  it('keeps comments and the rest of the file', async () => {
    const box = sandboxHere(
      '# top\n[assistant] # inline\nname = "a" # why\n\n# about topics\n[kb.topic.x]\nsubjects = "kb"\n',
    );
    await box.ken(['config', 'set', 'assistant.name', 'b "quoted"']);
    await box.ken(['config', 'set', 'assistant.turn_limit', '3']);
    await box.ken(['config', 'set', '--append', 'kb.topic.x.learned', 'a,b']);
    await box.ken(['config', 'set', '--parse', 'conversation.labels.team', '{"value":"x"}']);
    await box.ken(['config', 'set', 'style.color', 'never', '--user']);
    expect(readFileSync(path.join(box.root, '.ken/config.toml'), 'utf8')).toBe(
      '# top\n[assistant] # inline\nname = "b \\"quoted\\"" # why\nturn_limit = 3\n\n# about topics\n' +
        '[kb.topic.x]\nsubjects = "kb"\nlearned = ["a,b"]\n\n[conversation.labels]\nteam = { value = "x" }\n',
    );
    expect(readFileSync(path.join(box.home, 'config/config.toml'), 'utf8')).toBe(
      '[style]\ncolor = "never"\n',
    );
  });

  it.each([
    [['approvals.expires_hours', '2'], 4],
    [['assistant.nam', 'x'], 2],
    [['kb.max_subject_bytes', '0'], 2],
    [['assistant.name', 'x', '--user', '--local'], 2],
  ])('refuses %j and writes nothing', async (words, code) => {
    const box = sandboxHere('# mine\n');
    expect((await box.ken(['config', 'set', ...words])).code).toBe(code);
    expect(readFileSync(path.join(box.root, '.ken/config.toml'), 'utf8')).toBe('# mine\n');
  });
});

it('tells where each value comes from', async () => {
  const box = sandboxHere(TOPIC);
  const result = await box.ken(
    ['config', 'show', 'kb.topic.project', '--origin', '-c', 'kb.topic.project.learned+=two'],
    { environment: { KEN_CFG_KB__TOPIC__PROJECT__TITLE: 'Env' } },
  );
  const file = `${box.root}/.ken/config.toml`;
  expect(result.stdout).toBe(
    [
      'kb.topic.project.enable = true  # default',
      'kb.topic.project.title = "Env"  # KEN_CFG_KB__TOPIC__PROJECT__TITLE',
      `kb.topic.project.subjects = "kb"  # ${file}`,
      'kb.topic.project.follow_symlinks = false  # default',
      'kb.topic.project.gitignore = false  # default',
      `kb.topic.project.learned = ["one", "two"]  # ${file}, --cfg kb.topic.project.learned+=two`,
      'kb.topic.project.disabled = []  # default',
      '',
    ].join('\n'),
  );
});

it('shows JSON with an object at the top', async () => {
  const box = sandboxHere(TOPIC);
  const result = await box.ken(['config', 'show', 'kb.topic.project.learned', '--origin', '--json']);
  expect(JSON.parse(result.stdout)).toEqual({
    config: { kb: { topic: { project: { learned: ['one'] } } } },
    origins: { 'kb.topic.project.learned': [`${box.root}/.ken/config.toml`] },
  });
});

it('ships the schema that `config schema` prints', async () => {
  const shipped = readFileSync(path.join(import.meta.dirname, '../../schema/config.schema.json'), 'utf8');
  expect((await sandboxHere().ken(['config', 'schema'])).stdout).toBe(shipped);
});

it('a --cfg NAME is looked up where the --cfg before it says', async () => {
  const box = sandboxHere();
  box.write('.ken/alt/foo.toml', 'assistant.name = "alt"\n');
  const words = ['-c', 'config_load_paths+=alt', '-c', 'foo', 'config', 'get', 'assistant.name'];
  expect(await box.ken(words)).toMatchObject({ code: 0, stdout: 'alt\n' });
});
