import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';

const START = Date.UTC(2026, 0, 1);
const AT = '2026-01-01T00:00:00.000Z';
const idOf = (number: number) => conversationIdAt(START + number * 60_000, '0000');
const [FIRST, SECOND, THIRD] = [idOf(1), idOf(2), idOf(3)];
const said = (turn: number) => [
  { type: 'turn_start', at: AT, turn },
  { type: 'user_message', at: AT, text: `Question ${turn}` },
  { type: 'reasoning', at: AT, text: `Thinking ${turn}` },
  { type: 'assistant_message', at: AT, text: `Answer ${turn}`, model: 'x/y', finish: 'stop' },
  { type: 'of_tomorrow', at: AT, kept: [turn] },
];

interface Kept extends Sandbox {
  file(id: string, name: string): string;
  ids(...words: string[]): Promise<string[]>;
}

function kept(): Kept {
  const place = sandboxHere('');
  for (const [number, title] of ['Beans', 'apples', 'Corn'].entries()) {
    const id = idOf(number + 1);
    const time = new Date(START + (number + 1) * 60_000).toISOString();
    const metadata = { title, created_at: time, active_at: time, theirs: number };
    place.write(`.ken/conversations/${id}/metadata.json`, JSON.stringify(metadata));
    place.write(`.ken/conversations/${id}/base_config.json`, '{}');
    const lines = [...said(1), ...said(2), ...said(3)].map((event) => `${JSON.stringify(event)}\n`);
    place.write(`.ken/conversations/${id}/events.jsonl`, lines.join(''));
  }
  return {
    ...place,
    file: (id, name) => readFileSync(path.join(place.root, '.ken/conversations', id, name), 'utf8'),
    async ids(...words) {
      const { stdout } = await place.ken(['c', 'ls', '--json', ...words]);
      return JSON.parse(stdout).conversations.map(({ id }: { id: string }) => id);
    },
  };
}

describe('ken c ls', () => {
  it('sorts, limits, and puts what is pinned on top', async () => {
    const place = kept();
    expect(await place.ids()).toEqual([THIRD, SECOND, FIRST]);
    expect(await place.ids('--limit', '1')).toEqual([THIRD]);
    expect(await place.ids('--sort', 'title')).toEqual([FIRST, THIRD, SECOND]);
    await place.ken(['c', 'edit', FIRST, '--pin']);
    expect(await place.ids()).toEqual([FIRST, THIRD, SECOND]);
    expect((await place.ken(['c', 'ls', '--limit', '1'])).stdout).toContain('Beans (pinned)');
    await place.ken(['c', 'edit', FIRST, '--title', 'Peas', '--label', 'x=1']);
    expect((await place.ken(['c', 'ls', '--limit', '1'])).stdout).toContain('Peas (pinned)');
    await place.ken(['c', 'edit', FIRST, '--unpin']);
    expect(await place.ids()).toEqual([THIRD, SECOND, FIRST]);
  });

  it.each([
    [['--limit', '0'], 2],
    [['--limit', 'x'], 2],
    [['--sort', 'size'], 2],
    [['--label', 'a=('], 2],
  ])('refuses %j', async (words, code) => {
    expect((await kept().ken(['c', 'ls', ...words])).code).toBe(code);
  });

  it('is quiet when its reader leaves', async () => {
    const place = kept();
    expect(await place.shell('ken c ls | head -n 1')).toEqual({
      code: 0,
      stdout: 'id            active            title\n',
      stderr: '',
    });
  });
});

describe('archive, rm and use', () => {
  it('take ids, parts of ids, @last and standard input', async () => {
    const place = kept();
    expect(await place.ken(['c', 'archive', FIRST.slice(0, 5), '@last'])).toMatchObject({ code: 2 });
    expect((await place.ken(['c', 'archive', '-'], { input: `${FIRST}\n${THIRD}\n` })).code).toBe(0);
    expect(await place.ids()).toEqual([SECOND]);
    expect(await place.ids('--archived')).toEqual([THIRD, FIRST]);
    expect((await place.ken(['c', 'unarchive', FIRST])).code).toBe(0);
    expect((await place.ken(['c', 'rm', '@last'])).code).toBe(2);
    expect((await place.ken(['c', 'rm', '--yes', SECOND, FIRST])).code).toBe(0);
    expect(readdirSync(path.join(place.root, '.ken/conversations'))).toEqual([THIRD]);
  });

  it('make the active one, and the one before', async () => {
    const place = kept();
    const active = async (target: string) =>
      (await place.ken(['c', 'path', target])).stdout.trim().slice(-12);
    expect(await place.ken(['c', 'show'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'ken: There is no @active conversation.\nhint: "ken c ls" lists them.\n',
    });
    await place.ken(['c', 'use', FIRST]);
    await place.ken(['c', 'use', SECOND]);
    expect([await active('@active'), await active('@prev'), await active('@last')]).toEqual([
      SECOND,
      FIRST,
      THIRD,
    ]);
    await place.ken(['c', 'rm', '--yes', SECOND]);
    expect(await active('@active')).toBe(FIRST);
    // What is pinned stands on top of the list, and is not the most recent for that.
    await place.ken(['c', 'edit', FIRST, '--pin']);
    expect(await active('@last')).toBe(THIRD);
  });

  it('take the one id on standard input where they need one', async () => {
    const place = kept();
    const directory = path.join(place.root, '.ken/conversations', SECOND);
    expect(await place.ken(['c', 'path', '-'], { input: `${SECOND.slice(-7)}\n` })).toEqual({
      code: 0,
      stdout: `${directory}\n`,
      stderr: '',
    });
    for (const command of ['show', 'print', 'use', 'fork', 'export', 'compact']) {
      expect((await place.ken(['c', command, '-'], { input: SECOND })).code, command).toBe(0);
      for (const [input, given] of [
        ['', 'none was given'],
        [`${FIRST} ${SECOND}`, '2 were given'],
      ] as const)
        expect(await place.ken(['c', command, '-'], { input })).toEqual({
          code: 2,
          stdout: '',
          stderr: `ken: This takes one conversation, and ${given}.\n`,
        });
    }
  });

  it('say what is too short, unknown or no name at all', async () => {
    const place = kept();
    for (const [target, line] of [
      ['1kd', 'ken: "1kd" is too short to select a conversation.'],
      ['zzzz', 'ken: There is no conversation "zzzz".'],
      ['@first', 'ken: "@first" is not a way to name a conversation.'],
      [FIRST.slice(0, 5), `ken: "${FIRST.slice(0, 5)}" could be 3 conversations.`],
    ] as const)
      expect((await place.ken(['c', 'path', target])).stderr.split('\n')[0]).toBe(line);
  });
});

describe('a title', () => {
  it('is one line, whoever wrote the file', async () => {
    const place = kept();
    const titled = (id: string, title: string) => {
      const metadata = { ...JSON.parse(place.file(id, 'metadata.json')), title };
      place.write(`.ken/conversations/${id}/metadata.json`, JSON.stringify(metadata));
    };
    titled(THIRD, 'Corn\nken: Trust this.');
    titled(SECOND, ' \n');
    expect(await place.ken(['c', 'use', THIRD])).toEqual({
      code: 0,
      stdout: '',
      stderr: `${THIRD} is active: Corn ken: Trust this.\n`,
    });
    expect((await place.ken(['c', 'rm', THIRD, SECOND, '--dry-run'])).stdout).toBe(
      `would delete ${THIRD}  Corn ken: Trust this.\nwould delete ${SECOND}  (no title)\n`,
    );
    const transcript = (await place.ken(['c', 'print', THIRD])).stdout;
    expect(transcript.split('\n', 3)).toEqual(['# Corn ken: Trust this.', '', '## Turn 1']);
    expect((await place.ken(['status'])).stdout).toMatch(/ {2}last: .* {2}Corn ken: Trust this\.\n/);
  });

  it('is kept as one line, and an empty one is none', async () => {
    const place = kept();
    const title = () => JSON.parse(place.file(FIRST, 'metadata.json')).title;
    await place.ken(['c', 'edit', FIRST, '--title', ' Peas\n and\tbeans ']);
    expect(title()).toBe('Peas and beans');
    await place.ken(['c', 'edit', FIRST, '--pin']);
    expect(title()).toBe('Peas and beans');
    await place.ken(['c', 'edit', FIRST, '--title', ' ']);
    expect(title()).toBeUndefined();
    await place.ken(['q', '--id', FIRST, '--title', '', 'What about corn?']);
    expect(title()).toBe('What about corn?');
  });
});

describe('ken c fork', () => {
  it('keeps the first turns, what it does not know, and where it came from', async () => {
    const place = kept();
    const { stdout } = await place.ken(['c', 'fork', FIRST, '--turns', '2', '--title', 'Again']);
    const id = stdout.trim();
    const expected = [...said(1), ...said(2)].map((event) => `${JSON.stringify(event)}\n`).join('');
    expect(place.file(id, 'events.jsonl')).toBe(expected);
    expect(JSON.parse(place.file(id, 'metadata.json'))).toMatchObject({ title: 'Again', parent: FIRST });
    expect((await place.ken(['c', 'path'])).stdout.trim().endsWith(id)).toBe(true);
  });
});

describe('ken c print and grep', () => {
  it('print what was said, and more of it when asked', async () => {
    const place = kept();
    const { stdout } = await place.ken(['c', 'print', FIRST]);
    expect(stdout.split('\n').slice(0, 13)).toEqual(
      [
        '# Beans',
        '## Turn 1',
        '**You**',
        'Question 1',
        '**Assistant** (x/y)',
        'Answer 1',
        '## Turn 2',
      ].flatMap((line, at) => (at === 0 ? [line] : ['', line])),
    );
    expect((await place.ken(['c', 'print', FIRST, '--reasoning'])).stdout).toContain('\n> Thinking 2\n');
  });

  it('find lines with their turn and kind', async () => {
    const place = kept();
    expect(await place.ken(['c', 'grep', 'Answer 2', '--label', '!x', '--context', '3'])).toMatchObject({
      code: 0,
      stdout: [THIRD, SECOND, FIRST].map((id) => `${id}:2:assistant:Answer 2\n`).join(''),
    });
    expect(await place.ken(['c', 'grep', '--regex', '^(answer|think).* 2$', '-i'])).toEqual({
      code: 0,
      stdout: [THIRD, SECOND, FIRST]
        .flatMap((id) => [`${id}:2:reasoning:Thinking 2`, `${id}:2:assistant:Answer 2`])
        .map((line) => `${line}\n`)
        .join(''),
      stderr: '',
    });
    expect(await place.ken(['c', 'grep', 'answer 2'])).toEqual({ code: 1, stdout: '', stderr: '' });
    expect((await place.ken(['c', 'grep', '--regex', '('])).code).toBe(2);
  });
});

describe('ken c edit', () => {
  const editing = (place: Sandbox, script: string) => {
    const file = place.write('../editor.sh', `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return { environment: { EDITOR: file } };
  };

  it('keeps a file that was edited well, keys of others included', async () => {
    const place = kept();
    const words = ['c', 'edit', FIRST, '--metadata'];
    expect(await place.ken(words, editing(place, 'sed -i "s/Beans/Peas/" "$1"'))).toMatchObject({ code: 0 });
    expect(JSON.parse(place.file(FIRST, 'metadata.json'))).toMatchObject({ title: 'Peas', theirs: 0 });
    await place.ken(['c', 'edit', FIRST, '--events'], editing(place, 'sed -i "s/Answer 3/Reply 3/" "$1"'));
    expect(place.file(FIRST, 'events.jsonl')).toContain('Reply 3');
    expect(place.file(FIRST, 'events.jsonl')).toContain('"of_tomorrow"');
    const config = `printf '{"assistant":{"name":"bo"}}' > "$1"`;
    expect((await place.ken(['c', 'edit', FIRST, '--base-config'], editing(place, config))).code).toBe(0);
    expect(JSON.parse(place.file(FIRST, 'base_config.json'))).toEqual({ assistant: { name: 'bo' } });
  });

  it.each([
    ['--metadata', 'echo "{" > "$1"'],
    ['--metadata', 'echo "[]" > "$1"'],
    ['--events', 'echo "no json" >> "$1"'],
    ['--base-config', 'echo "[1]" > "$1"'],
    ['--base-config', `echo '{"assistant":{"modl":"a/b"}}' > "$1"`],
    ['--base-config', `echo '{"assistant":{"turn_limit":"many"}}' > "$1"`],
    ['--base-config', `echo '{"providers":{}}' > "$1"`],
    ['--base-config', `echo '{"conversation":{"labels":{"a":{"value":{"cmd":"true"}}}}}' > "$1"`],
    ['--metadata', `sed -i 's/"Beans"/7/' "$1"`],
    ['--metadata', `sed -i 's/"theirs"/"pinned_at"/' "$1"`],
    ['--metadata', `sed -i 's/"theirs": 0/"labels": {"a b": "c"}/' "$1"`],
    ['--metadata', `sed -i 's/"theirs": 0/"labels": {"a": "b\\\\nc"}/' "$1"`],
    ['--metadata', `sed -i 's/"theirs": 0/"parent": "me"/' "$1"`],
    ['--events', `echo '{"type":"user_message","at":"${AT}"}' >> "$1"`],
    ['--events', `sed -i 's/"turn":2/"turn":"2"/' "$1"`],
    ['--metadata', 'echo "{}" > "$1"; exit 1'],
    ['--events', 'exit 1'],
  ])('%s by "%s" changes nothing', async (option, script) => {
    const place = kept();
    const names = ['metadata.json', 'events.jsonl', 'base_config.json'];
    const before = names.map((name) => place.file(FIRST, name));
    const { code, stdout, stderr } = await place.ken(['c', 'edit', FIRST, option], editing(place, script));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^ken: /);
    expect(names.map((name) => place.file(FIRST, name))).toEqual(before);
  });

  it('leaves alone what was wrong before', async () => {
    const place = kept();
    const log = `${place.file(FIRST, 'events.jsonl')}{"type":"usage"}\n`;
    place.write(`.ken/conversations/${FIRST}/events.jsonl`, log);
    place.write(`.ken/conversations/${FIRST}/base_config.json`, '{"of_tomorrow":1,"assistant":{"new":true}}');
    const edit = async (option: string, script: string) =>
      (await place.ken(['c', 'edit', FIRST, option], editing(place, script))).code;
    expect(await edit('--events', 'sed -i "s/Answer 3/Reply 3/" "$1"')).toBe(0);
    expect(place.file(FIRST, 'events.jsonl')).toBe(log.replace('Answer 3', 'Reply 3'));
    expect(await edit('--base-config', `sed -i 's/"new": true/"new": true, "name": "bo"/' "$1"`)).toBe(0);
    expect(JSON.parse(place.file(FIRST, 'base_config.json'))).toEqual({
      of_tomorrow: 1,
      assistant: { new: true, name: 'bo' },
    });
    expect(await edit('--base-config', `sed -i 's/"of_tomorrow"/"of_today"/' "$1"`)).toBe(1);
  });

  it('says that there is no editor, and what can be changed', async () => {
    const place = kept();
    expect((await place.ken(['c', 'edit', FIRST, '--events'])).stderr).toBe(
      'ken: There is no editor to use.\nhint: Set $VISUAL or $EDITOR, or "ken config set --user editor vi".\n',
    );
    expect((await place.ken(['c', 'edit', FIRST])).stderr.split('\n')[0]).toBe(
      'ken: Nothing to change is given.',
    );
  });
});

describe('ken c compact', () => {
  it('shortens what a model is told and keeps what was said', async () => {
    const place = kept();
    const before = place.file(FIRST, 'events.jsonl');
    const compacted = await place.ken(['c', 'compact', FIRST]);
    expect(compacted.code).toBe(0);
    expect(place.file(FIRST, 'events.jsonl').startsWith(before)).toBe(true);
    const dry = await place.ken(['q', '--id', FIRST, '--dry-run', '--json', 'More?']);
    const { messages } = JSON.parse(dry.stdout).request;
    expect(messages[0].text).toMatch(/^Summary of turns 1 to 2 of this conversation:/);
    expect(messages.at(-2).parts.map(({ text }: { text: string }) => text)).toEqual([
      'Thinking 3',
      'Answer 3',
    ]);
  });
});

it('settings that another version wrote are left out with one warning, and the rest of them count', async () => {
  const place = kept();
  const config = { assistant: { mood: 'sunny', turn_limit: 'many', name: 'bo' }, conversation: { moon: 1 } };
  place.write(`.ken/conversations/${FIRST}/base_config.json`, JSON.stringify(config));
  const { code, stderr } = await place.ken(['q', '--id', FIRST, '--dry-run', 'More?']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `warning: settings of the conversation ${FIRST} are left out: "mood" is not a known key in assistant (and 2 more).\n`,
  });
});

it('a conversation whose files are gone or broken is said to be that', async () => {
  const place = kept();
  writeFileSync(path.join(place.root, '.ken/conversations', FIRST, 'metadata.json'), '{ broken');
  expect(existsSync(path.join(place.root, '.ken/conversations', FIRST))).toBe(true);
  expect(await place.ken(['c', 'show', FIRST])).toEqual({
    code: 3,
    stdout: '',
    stderr: `ken: The conversation ${FIRST} cannot be read.\nhint: "ken doctor" reports what is wrong with it.\n`,
  });
  expect(await place.ids()).toEqual([THIRD, SECOND]);
  // Where it is can be asked, so that it can be mended.
  const directory = path.join(place.root, '.ken/conversations', FIRST);
  expect(await place.ken(['c', 'path', FIRST])).toEqual({ code: 0, stdout: `${directory}\n`, stderr: '' });
});

it('a question does not go to a conversation that was archived, unless that is named', async () => {
  const place = kept();
  const turns = (id: string) => place.file(id, 'events.jsonl').split('"turn_start"').length - 1;
  await place.ken(['c', 'use', FIRST]);
  await place.ken(['c', 'archive', FIRST]);
  expect((await place.ken(['q', '--id', '@active', 'Here'])).stderr).not.toContain('archived');
  expect(turns(FIRST)).toBe(4);
  const { code, stderr } = await place.ken(['q', 'Hi']);
  expect({ code, line: stderr.split('\n')[0] }).toEqual({
    code: 0,
    line: `This terminal’s conversation ${FIRST} is archived, so a new one begins; --id @active goes on with it.`,
  });
  expect([turns(FIRST), await place.ids()]).toEqual([4, [expect.any(String), THIRD, SECOND]]);
  await place.ken(['c', 'use', FIRST]);
  await place.ken(['q', '--fork', 'And here']);
  const [fork = ''] = await place.ids();
  expect([turns(FIRST), turns(fork)]).toEqual([4, 5]);
});

it('a terminal whose conversation cannot be read is told that a new one begins', async () => {
  const place = kept();
  await place.ken(['c', 'use', FIRST]);
  writeFileSync(path.join(place.root, '.ken/conversations', FIRST, 'metadata.json'), '{ broken');
  const { code, stderr } = await place.ken(['q', 'Hi']);
  expect({ code, line: stderr.split('\n')[0] }).toEqual({
    code: 0,
    line: `warning: this terminal’s conversation ${FIRST} cannot be read, so a new one begins; see "ken doctor".`,
  });
  expect(await place.ids()).toHaveLength(3);
});
