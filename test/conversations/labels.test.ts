import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import { ptyProblem } from '../cli/pty.ts';
import { ASKED_OK, type Talk, talk } from './talk.ts';

const NEW = ['q', '-n', 'hi'];
const APPROVE = 'Approve? yes / no / more: ';
const problem = ptyProblem();

/** Counts its own runs and prints the number. */
const COUNTER = 'value.cmd = { program = "echo x >> runs; wc -l < runs | tr -d \' \'", shell = true }';

const label = (name: string, lines: string) => `[conversation.labels.${name}]\n${lines}\n`;
const fault = (code: number, ...lines: string[]) => ({ code, stdout: '', stderr: `${lines.join('\n')}\n` });

/** A dead process may stay in the table until init has collected it. */
function isRunning(pid: string): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

describe('every shape of a configured label', () => {
  it('comes out as its value', async () => {
    const rows = [
      ['"bar"', 'bar'],
      ['""', ''],
      ['{ value = "x" }', 'x'],
      ['{ value = "x", apply_on = { new = true, fork = true } }', 'x'],
      ['{ value = "x", apply_on = { new = false } }', undefined],
      ['{ value.cmd = "printf %s \'a  b\'", run = "unattended" }', 'a  b'],
      ['{ value.cmd = { program = "printf", args = ["%s", "a  b"] }, run = "unattended" }', 'a  b'],
      ['{ value.cmd = { program = "echo", args = ["a  b"], shell = true }, run = "unattended" }', 'a  b'],
      ['{ value.cmd = { program = "echo $((6*7)) | tr 4 5", shell = true }, run = "unattended" }', '52'],
      ['{ value.cmd = "echo $HOME", run = "unattended" }', '$HOME'],
      ['{ value.cmd = "true", run = "unattended" }', ''],
      ['{ value.cmd = "touch ran", run = "deny" }', undefined],
    ] as const;
    const toml = rows.map(([shape], at) => `row${at} = ${shape}\n`).join('');
    const place = await talk({ user: `[conversation.labels]\n${toml}` });
    expect(await place.ken(NEW)).toEqual(ASKED_OK);
    const expected = rows.flatMap(([, value], at) => (value === undefined ? [] : [[`row${at}`, value]]));
    expect(place.labels()).toEqual(Object.fromEntries(expected));
    const { stdout } = await place.ken(['c', 'show']);
    expect(stdout.split('\n').find((line) => line.startsWith('labels'))).toBe(
      'labels    row0=bar row1 row10 row2=x row3=x row5="a  b" row6="a  b" row7="a  b" row8=52 row9=$HOME',
    );
    expect(readdirSync(place.root)).toEqual(['.ken']);
  });

  it('refuses unbalanced quotes when the configuration is read', async () => {
    const place = await talk({ user: label('foo', `value.cmd = "echo 'a"`) });
    const result = await place.ken(NEW);
    const file = path.join(place.home, 'config/config.toml');
    expect({ ...result, stderr: result.stderr.replace(/:\d+:\d+/, ':LINE') }).toEqual(
      fault(1, `ken: ${file}:LINE: conversation.labels.foo.value.cmd has an unbalanced quote: "echo 'a".`),
    );
    expect(place.conversations()).toEqual([]);
  });
});

describe('who wins', () => {
  it('on a new conversation: the last --label over configured ones', async () => {
    const place = await talk({
      workspace: '[conversation.labels]\nbranch = "configured"\nteam = "platform"\n',
    });
    const words = ['--label', 'branch=main', '--label', 'wip', '--label=branch=feat, exploration'];
    expect(await place.ken([...NEW, ...words])).toEqual(ASKED_OK);
    expect(place.labels()).toEqual({ branch: 'feat, exploration', team: 'platform', wip: '' });
  });

  it('on a fork: inherited, then found anew, then --label', async () => {
    const place = await talk({
      user:
        label('again', `${COUNTER}\nrun = "unattended"\napply_on.fork = true`) +
        label('once', 'value = "first"') +
        label('fork', 'value = "forked"\napply_on = { new = false, fork = true }'),
    });
    await place.ken([...NEW, '--label', 'mine=1', '--label', 'theirs=1']);
    const [source = ''] = place.conversations();
    expect(place.labels()).toEqual({ again: '1', once: 'first', mine: '1', theirs: '1' });
    await place.ken(['c', 'label', 'add', 'once=changed']);
    const fork = (await place.ken(['c', 'fork', '@active', '--label', 'theirs=2'])).stdout.trim();
    expect(place.labels(fork)).toEqual({
      again: '2',
      once: 'changed',
      fork: 'forked',
      mine: '1',
      theirs: '2',
    });
    const reset = await place.ken(['c', 'fork', source, '--reset-labels', '--label', 'new']);
    expect(place.labels(reset.stdout.trim())).toEqual({ again: '3', fork: 'forked', new: '' });
    expect(place.labels(source)).toEqual({ again: '1', once: 'changed', mine: '1', theirs: '1' });
  });
});

describe('aliases', () => {
  it('run the command again, on top of what was found by itself', async () => {
    const place = await talk({ user: label('n', `${COUNTER}\nrun = "unattended"`) });
    await place.ken([...NEW, '--label', ':n']);
    // Both ran at the same time; the alias came last.
    expect(readFileSync(path.join(place.root, 'runs'), 'utf8')).toBe('x\nx\n');
    for (const [words, value] of [
      [['q', 'more', '--label', ':n'], '3'],
      [['q', '--id', '@last', 'more', '--label', ':n'], '4'],
      [['c', 'edit', '@last', '--label', ':n'], '5'],
      [['c', 'label', 'add', ':n'], '6'],
    ] as const) {
      expect((await place.ken(words)).code).toBe(0);
      expect(place.labels()).toEqual({ n: value });
    }
  });

  const rules =
    label('denied', 'value.cmd = "touch ran"\nrun = "deny"') +
    label(
      'failing',
      'value.cmd = "sh -c \'echo no luck >&2; exit 3\'"\nrun = "unattended"\napply_on.new = false',
    ) +
    label('missing', 'value.cmd = "no-such-program-here"\nrun = "unattended"\napply_on.new = false') +
    label('lines', 'value.cmd = "printf \'a\\\\nb\'"\nrun = "unattended"\napply_on.new = false');

  it.each([
    [':faling', fault(3, 'ken: There is no configured label "faling".', 'hint: Did you mean failing?')],
    [':denied', fault(4, 'ken: The label "denied" may not run its command: its run is "deny".')],
    [':failing', fault(1, 'ken: The command of the label failing ended with 3: no luck.')],
    [
      ':missing',
      fault(
        1,
        'ken: Cannot run no-such-program-here: there is no such program.',
        'hint: Install it, or check the PATH.',
      ),
    ],
    [':lines', fault(2, 'ken: A label value is one line of text; this one has several.')],
  ])('%s is an error, and nothing is changed or made', async (alias, expected) => {
    const place = await talk({ user: rules });
    const words = ['--label', 'kept=1', '--label', alias];
    expect(await place.ken([...NEW, ...words])).toEqual(expected);
    expect(place.conversations()).toEqual([]);
    await place.ken(NEW);
    const before = [place.file('metadata.json'), place.file('events.jsonl')];
    for (const command of [
      ['q', 'more'],
      ['c', 'edit', '@last'],
    ]) {
      expect(await place.ken([...command, ...words])).toEqual(expected);
    }
    expect(await place.ken(['c', 'label', 'add', 'kept=1', alias])).toEqual(expected);
    expect([place.file('metadata.json'), place.file('events.jsonl')]).toEqual(before);
    expect(readdirSync(place.root)).toEqual(['.ken']);
  });

  it.each([
    ['c', 'ls', '--label', ':n'],
    ['c', 'grep', 'x', '--label', 'team=a,:n'],
  ])('are refused where labels filter: ken %s %s', async (...words) => {
    const place = await talk({ user: label('n', 'value.cmd = "touch ran"\nrun = "unattended"') });
    expect(await place.ken(words)).toEqual(
      fault(
        2,
        'ken: ":n" is an alias, and a filter takes none.',
        'hint: Filters look at the labels that things have, not at configured ones: write key=value or key.',
      ),
    );
    expect(readdirSync(place.root)).toEqual(['.ken']);
  });

  it('are resolved for one conversation at a time', async () => {
    const place = await talk({ user: label('n', 'value = "1"') });
    await place.ken(NEW);
    await place.ken(NEW);
    const ids = place.conversations().flatMap((id) => ['--id', id]);
    expect(await place.ken(['c', 'label', 'add', ...ids, ':n'])).toEqual(
      fault(2, 'ken: An alias is resolved for one conversation at a time.', 'hint: Give one --id.'),
    );
  });
});

describe('commands', () => {
  it('that fail by themselves are left out with a warning each, and the conversation is made', async () => {
    const place = await talk({
      user:
        label('bad', 'value.cmd = "sh -c \'echo no luck >&2; exit 3\'"\nrun = "unattended"') +
        label('gone', 'value.cmd = "no-such-program-here"\nrun = "unattended"') +
        label('lines', 'value.cmd = "printf \'a\\\\nb\'"\nrun = "unattended"') +
        label('good', 'value = "1"'),
    });
    expect(await place.ken(NEW)).toEqual({
      code: 0,
      stdout: 'ok\n',
      stderr: [
        'warning: the label bad is left out: The command of the label bad ended with 3: no luck.',
        'warning: the label gone is left out: Cannot run no-such-program-here: there is no such program.',
        'warning: the label lines is left out: A label value is one line of text; this one has several.',
        '',
      ].join('\n'),
    });
    expect(place.labels()).toEqual({ good: '1' });
  });

  it('run at the root of the workspace and at the same time', async () => {
    // Each waits for the other's sign; one after the other they would run out of time.
    const meet = (own: string, other: string) =>
      `value.cmd = { program = "touch ${own}; until [ -e ${other} ]; do sleep 0.05; done; pwd", shell = true }\n` +
      'run = "unattended"\ntimeout = 20';
    const place = await talk({ user: label('a', meet('a', 'b')) + label('b', meet('b', 'a')) });
    place.write('deep/down/here', '');
    expect(await place.ken(NEW, { directory: path.join(place.root, 'deep/down') })).toEqual(ASKED_OK);
    expect(place.labels()).toEqual({ a: place.root, b: place.root });
  });

  it('are ended with all they started when their time is over', async () => {
    const slow = 'value.cmd = { program = "sleep 600 & echo $! > child; wait", shell = true }';
    const place = await talk({ user: label('slow', `${slow}\nrun = "unattended"\ntimeout = 1`) });
    const { code, stdout, stderr } = await place.ken(NEW);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'ok\n',
      stderr: 'warning: the label slow is left out: The command of the label slow took longer than 1 s.\n',
    });
    expect(isRunning(readFileSync(path.join(place.root, 'child'), 'utf8').trim())).toBe(false);
    expect(place.labels()).toEqual({});
  });

  it('show what a terminal would obey as what it is', async () => {
    const cmd = `value.cmd = "printf 'a\\\\033[31mb'"\nrun = "unattended"`;
    const place = await talk({ user: label('odd', cmd) });
    await place.ken(NEW);
    expect(place.labels()).toEqual({ odd: 'a\u001b[31mb' });
    expect((await place.ken(['c', 'label', 'ls'])).stdout).toBe('odd="a\\u{1B}[31mb"\n');
  });
});

describe('run = "ask" where nobody can be asked', () => {
  const asks = label('host', 'value.cmd = "touch ran"') + label('team', 'value = "a"');
  const without = (stderr: string) => stderr.replaceAll(/[0-9a-f]{12}/g, 'ID');
  const needed = [
    "ken: This waits for approval ID: Run a command for label 'host'?",
    'hint: Run "ken approvals approve ID" in a terminal, then try again. ' +
      'Or set run = "unattended" or run = "deny" for conversation.labels.host.',
  ];

  it('aborts before anything is written', async () => {
    const place = await talk({ user: asks });
    const result = await place.ken([...NEW, '--label', 'x=1']);
    expect({ ...result, stderr: without(result.stderr) }).toEqual(fault(4, ...needed));
    expect(place.conversations()).toEqual([]);
    expect(readdirSync(place.root)).toEqual(['.ken']);
  });

  it('leaves an existing conversation as it is, and asks nothing for a literal', async () => {
    const place = await talk({ user: asks });
    place.write('.ken/config.local.toml', 'conversation.labels.host.apply_on.new = false\n');
    expect(await place.ken(NEW)).toEqual(ASKED_OK);
    const before = [place.file('metadata.json'), place.file('events.jsonl')];
    for (const words of [
      ['q', 'more', '--label', 'x=1', '--label', ':host'],
      ['c', 'edit', '@last', '--title', 'other', '--label', ':host'],
      ['c', 'label', 'add', 'x=1', ':host'],
      ['c', 'fork', '@last', '--label', ':host'],
    ]) {
      const result = await place.ken(words);
      expect({ ...result, stderr: without(result.stderr) }).toEqual(fault(4, ...needed));
    }
    expect([place.file('metadata.json'), place.file('events.jsonl')]).toEqual(before);
    expect(await place.ken(['c', 'label', 'add', 'host=here'])).toMatchObject({ code: 0, stderr: '' });
    expect(place.labels()).toEqual({ host: 'here', team: 'a' });
    expect(readdirSync(place.root)).toEqual(['.ken']);
  });

  it.skipIf(problem)(`runs it once after it was approved${problem ? ` (${problem})` : ''}`, async () => {
    const place = await talk({ user: label('host', 'value.cmd = "echo here"') });
    const { stderr } = await place.ken(NEW);
    const [id = ''] = /[0-9a-f]{12}/.exec(stderr) ?? [];
    await atTerminal(place, ['approvals', 'approve', id], [{ after: APPROVE, keys: 'yes\r' }]);
    expect(await place.ken(NEW)).toEqual(ASKED_OK);
    expect(place.labels()).toEqual({ host: 'here' });
    expect((await place.ken(NEW)).code).toBe(4);
  });
});

describe.skipIf(problem)(`run = "ask" at a terminal${problem ? ` (${problem})` : ''}`, () => {
  const rows = (place: Talk, command: string, answer: string) => [
    'Approval ID is needed:',
    "│ Run a command for label 'foo'?",
    '│',
    '│ command:',
    `│ » ${command}`,
    '│',
    '│ asked by ken',
    `│ in ${place.root}`,
    `7 lines. ${APPROVE}${answer}`,
  ];
  const ask = async (place: Talk, words: readonly string[], ...answers: string[]) => {
    const { code, text } = await atTerminal(
      place,
      words,
      answers.map((keys) => ({ after: APPROVE, keys: `${keys}\r` })),
    );
    return { code, lines: text.replaceAll(/[0-9a-f]{12}/g, 'ID').split('\n') };
  };

  it.each([
    ['value.cmd = "echo \'a  b\'"', "echo 'a  b'"],
    ['value.cmd = { program = "echo", args = ["a  b"] }', "echo 'a  b'"],
    [
      'value.cmd = { program = "echo  a | cat", args = ["-", "-e x"], shell = true }',
      "echo  a | cat - '-e x'",
    ],
  ])('%s is shown as it will run', async (toml, command) => {
    const place = await talk({ user: label('foo', toml) });
    const { code, lines } = await ask(place, NEW, 'yes');
    expect({ code, lines: lines.slice(0, 9) }).toEqual({ code: 0, lines: rows(place, command, 'yes') });
  });

  it('a declined one is left out, and the conversation is made', async () => {
    const place = await talk({
      user: label('foo', 'value.cmd = "touch ran"') + label('team', 'value = "a"'),
    });
    expect(await ask(place, NEW, 'no')).toEqual({
      code: 0,
      lines: [
        ...rows(place, 'touch ran', 'no'),
        'warning: the label foo is left out: its command was declined.',
        'ok',
        '',
      ],
    });
    expect(place.labels()).toEqual({ team: 'a' });
    expect(readdirSync(place.root)).toEqual(['.ken']);
  });

  it('an alias asks a second time, and declining it changes nothing else', async () => {
    const place = await talk({ user: label('foo', COUNTER) });
    expect((await ask(place, [...NEW, '--label', ':foo', '--label', 'x=1'], 'yes', 'no')).code).toBe(0);
    expect(place.labels()).toEqual({ foo: '1', x: '1' });
  });

  it('Ctrl-C leaves nothing behind', async () => {
    const place = await talk({ user: label('foo', 'value.cmd = "touch ran"') });
    const { code } = await atTerminal(place, NEW, [{ after: APPROVE, keys: '\x03' }]);
    expect({ code, made: place.conversations() }).toEqual({ code: 130, made: [] });
    expect(readdirSync(place.root)).toEqual(['.ken']);
  });
});

describe('labels that a workspace brings', () => {
  const workspace =
    label('host', 'value.cmd = "touch ran"\nrun = "unattended"') + label('team', 'value = "platform"');

  it('run nothing before it is trusted: one warning, static ones count', async () => {
    const place = await talk({ workspace });
    expect(await place.ken(NEW)).toEqual({
      code: 0,
      stdout: 'ok\n',
      stderr:
        'warning: this workspace is not trusted, so conversation.labels.host is left out; see "ken trust --show".\n',
    });
    expect(place.labels()).toEqual({ team: 'platform' });
    expect(readdirSync(place.root)).toEqual(['.ken']);
  });

  it('run once it is trusted', async () => {
    const place = await talk({ workspace, user: 'approvals.noninteractive = "allow"' });
    expect(await place.ken(['trust'])).toMatchObject({ code: 0 });
    expect(await place.ken(NEW)).toEqual(ASKED_OK);
    expect(place.labels()).toEqual({ host: '', team: 'platform' });
    expect(readdirSync(place.root)).toEqual(['.ken', 'ran']);
  });

  it('cannot let a command of the operator’s own run unasked', async () => {
    const place = await talk({
      workspace: 'conversation.labels.mine.run = "unattended"\n',
      user: label('mine', 'value.cmd = "touch ran"'),
    });
    const { code, stderr } = await place.ken(NEW);
    expect({ code, warning: stderr.split('\n')[0] }).toEqual({
      code: 4,
      warning:
        'warning: this workspace is not trusted, so conversation.labels.mine is left out; see "ken trust --show".',
    });
    expect(place.conversations()).toEqual([]);
    expect(readdirSync(place.root)).toEqual(['.ken']);
  });
});

describe('a conversation that exists', () => {
  const deltas = (place: Talk) =>
    place
      .file('events.jsonl')
      .split('\n')
      .filter((line) => line.includes('config_delta'))
      .map((line) => JSON.parse(line).changes);
  const path = (key: string) => ['conversation', 'labels', key];

  it('says in its log what changed, for named keys alone', async () => {
    const place = await talk({ workspace: '[conversation.labels]\nteam = "a"\nother = "b"\n' });
    await place.ken(NEW);
    expect(await place.ken(['q', 'more', '--label', 'x=1', '--label', 'team=z'])).toEqual(ASKED_OK);
    expect((await place.ken(['c', 'edit', '@last', '--label', 'x=2', '--label', 'team-'])).code).toBe(0);
    expect(await place.ken(['c', 'label', 'add', 'x=2'])).toMatchObject({ code: 0 });
    expect(deltas(place)).toEqual([
      [
        { op: 'set', path: [...path('team'), 'value'], value: 'z' },
        { op: 'set', path: [...path('x'), 'value'], value: '1' },
      ],
      [
        { op: 'unset', path: path('team') },
        { op: 'set', path: [...path('x'), 'value'], value: '2' },
      ],
    ]);
    expect(place.labels()).toEqual({ other: 'b', x: '2' });
  });

  it('knows the rules that it began with, wherever its labels change', async () => {
    const place = await talk({ workspace: '[conversation.labels]\nteam = "a"\n' });
    const rules = {
      goal: { value: 'ship', apply_on: { new: false, fork: true } },
      team: { value: 'own', apply_on: { new: false, fork: false } },
    };
    const begin = [...NEW, '-c', JSON.stringify({ conversation: { labels: rules } })];
    for (const words of [
      ['q', 'more', '--label', ':goal', '--label', ':team'],
      ['c', 'edit', '@active', '--label', ':goal', '--label', ':team'],
      ['c', 'label', 'add', ':goal', ':team'],
    ]) {
      expect(await place.ken(begin)).toEqual(ASKED_OK);
      const id = place.conversations().at(-1);
      expect(place.labels(id)).toEqual({});
      expect((await place.ken(words)).code, words.join(' ')).toBe(0);
      // What the workspace says about a label today counts more than what the conversation began with.
      expect(place.labels(id)).toEqual({ goal: 'ship', team: 'a' });
    }
    const fork = (await place.ken(['c', 'fork', '@active', '--reset-labels'])).stdout.trim();
    expect(place.labels(fork)).toEqual({ goal: 'ship' });
  });

  it('forgets a rule of its own with the label that was taken off', async () => {
    const place = await talk();
    await place.ken([...NEW, '-c', 'conversation.labels.goal=ship']);
    expect((await place.ken(['c', 'label', 'rm', 'goal'])).code).toBe(0);
    expect(await place.ken(['c', 'label', 'add', ':goal'])).toEqual(
      fault(
        3,
        'ken: There is no configured label "goal".',
        'hint: Aliases name entries of conversation.labels.',
      ),
    );
  });

  it('never gives its labels back to the configuration', async () => {
    const place = await talk({ workspace: '[conversation.labels]\nteam = "a"\n' });
    await place.ken(NEW);
    const metadata = JSON.parse(place.file('metadata.json'));
    const id = place.conversations().join();
    metadata.labels = { team: 'edited', stray: '1' };
    place.write(`.ken/conversations/${id}/metadata.json`, JSON.stringify(metadata));
    expect(await place.ken(['q', 'more', '--label', 'x=1'])).toEqual(ASKED_OK);
    expect(place.labels()).toEqual({ stray: '1', team: 'edited', x: '1' });
    expect(deltas(place)).toEqual([[{ op: 'set', path: [...path('x'), 'value'], value: '1' }]]);
    expect(JSON.parse(place.file('base_config.json')).conversation).toEqual({ labels: { team: 'a' } });
    expect(await place.ken(['config', 'show', 'conversation.labels'])).toEqual({
      code: 0,
      stdout: 'conversation.labels.team = "a"\n',
      stderr: '',
    });
    await place.ken(NEW);
    const second = place.conversations().find((each) => each !== id);
    expect(place.labels(second)).toEqual({ team: 'a' });
  });
});

describe('labels by hand', () => {
  it('prints what changed as words that can be pasted back', async () => {
    const place = await talk();
    await place.ken([...NEW, '--label', 'wip']);
    const id = place.conversations().join();
    const added = await place.ken(['c', 'label', 'add', 'branch=a b', 'team=x', 'wip-']);
    expect(added).toEqual({
      code: 0,
      stdout: `${id}  'branch="a b"' team=x wip-\n`,
      stderr: `undo: ken c label add --id ${id} branch- team- wip\n`,
    });
    expect(await place.ken(['c', 'label', 'ls'])).toEqual({
      code: 0,
      stdout: 'branch="a b"\nteam=x\n',
      stderr: '',
    });
    expect(await place.ken(['c', 'label', 'rm', '--id', id.slice(-4), 'team', 'absent'])).toEqual({
      code: 0,
      stdout: `${id}  team-\n`,
      stderr: `undo: ken c label add --id ${id} team=x\n`,
    });
    expect(await place.ken(['c', 'label', 'rm', 'team', '--json'])).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ conversations: [{ id, changes: [] }] })}\n`,
      stderr: '',
    });
    expect(place.labels()).toEqual({ branch: 'a b' });
    expect(await place.ken(['c', 'label', 'add', 'branch=c', 'new', '--json'])).toMatchObject({
      stdout: `${JSON.stringify({
        conversations: [
          {
            id,
            changes: [
              { key: 'branch', value: 'c', was: 'a b' },
              { key: 'new', value: '' },
            ],
          },
        ],
      })}\n`,
      stderr: '',
    });
  });

  it('prints how to undo what was lost, in words that do', async () => {
    const place = await talk();
    await place.ken([...NEW, '--label', "its=a $b 'c'", '--label', 'wip']);
    const before = place.labels();
    const { stderr } = await place.ken(['c', 'label', 'add', 'its=other', 'wip-', 'new=1']);
    const [, undo = ''] = /^undo: (ken c label add .*)\n$/.exec(stderr) ?? [];
    expect(await place.shell(undo)).toMatchObject({ code: 0 });
    expect(place.labels()).toEqual(before);
    expect((await place.ken(['c', 'label', 'add', 'fresh'])).stderr).toBe('');
    expect((await place.ken(['-q', 'c', 'label', 'rm', 'fresh'])).stderr).toBe('');
  });

  it.each([
    ['a b=c', '"a b" is not a label key.'],
    ['.x=1', '".x" is not a label key.'],
    ['_x', '"_x" is not a label key.'],
  ])('refuses the key %s before anything is opened', async (word, message) => {
    const place = await talk();
    for (const words of [
      [...NEW, '--label', word],
      ['c', 'label', 'add', word],
    ]) {
      const { code, stderr } = await place.ken(words);
      expect({ code, line: stderr.split('\n')[0] }).toEqual({ code: 2, line: `ken: ${message}` });
    }
    expect(place.conversations()).toEqual([]);
  });
});

describe('filters', () => {
  const made = [
    ['one', 'branch=main', 'team=a'],
    ['two', 'branch=feat, x', 'team=b', 'wip'],
    ['three', 'team=a', 'wip'],
  ];

  it('select in lists and in searches alike', async () => {
    const place = await talk();
    for (const [title = '', ...labels] of made) {
      const words = labels.flatMap((each) => ['--label', each]);
      expect(await place.ken(['q', '-n', `say ${title}`, '--title', title, ...words])).toEqual(ASKED_OK);
    }
    for (const [selectors, expected] of [
      [['branch=main'], ['one']],
      [['team'], ['three', 'two', 'one']],
      [['team=a', 'wip'], ['three']],
      [['team=a,!wip'], ['one']],
      [['branch="feat, x"'], ['two']],
      [['team!=a'], ['two']],
      [['team in (a,b)', '!branch'], ['three']],
      [['nothing'], []],
    ] as const) {
      const words = selectors.flatMap((each) => ['--label', each]);
      const listed = await place.ken(['c', 'ls', '--json', ...words]);
      const titles = JSON.parse(listed.stdout).conversations.map(({ title }: { title: string }) => title);
      expect(titles, selectors.join(' ')).toEqual(expected);
      const found = await place.ken(['c', 'grep', 'say', ...words]);
      const texts = found.stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(':user:say ')[1]);
      expect({ texts, code: found.code }).toEqual({ texts: expected, code: expected.length > 0 ? 0 : 1 });
    }
  });
});

it('one command gives several labels, and the labels of each question reach the log', async () => {
  const place = await talk({
    user: [
      label('facts', 'value.cmd = "cat facts"\nmulti = true\nrun = "unattended"\napply_on = { turn = true }'),
      label('once', 'value = "yes"'),
    ].join('\n'),
  });
  place.write('facts', 'branch=main\nwip\n');
  expect(await place.ken(NEW)).toEqual(ASKED_OK);
  expect(place.labels()).toEqual({ branch: 'main', wip: '', once: 'yes' });
  place.write('facts', 'branch=fix\n');
  await place.ken(['c', 'label', 'add', 'once-']);
  expect(place.labels()).toMatchObject({ branch: 'main' });
  expect(await place.ken(['q', 'again'])).toEqual(ASKED_OK);
  expect(place.labels()).toEqual({ branch: 'fix', wip: '' });
  place.write('facts', 'no label\n');
  expect(await place.ken(['q', 'again'])).toMatchObject({
    code: 0,
    stderr: 'warning: the label facts is left out: "no label" is not a label key.\n',
  });
  expect(place.file('events.jsonl').match(/"branch"/g)).toHaveLength(1);
});

it('a wrong label is an error with --dry-run, too', async () => {
  const place = await talk();
  expect(await place.ken(['q', '--dry-run', '--label', 'a.b=1', 'hi'])).toMatchObject({
    code: 2,
    stdout: '',
  });
  expect(place.conversations()).toEqual([]);
});
