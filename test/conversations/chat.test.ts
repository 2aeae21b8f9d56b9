/** `ken chat` at a real terminal. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { CTRL_C, CTRL_D, openPty, type Pty, ptyProblem } from '../cli/pty.ts';
import { openWindow, tmuxProblem } from '../cli/tmux.ts';
import { type Answer, type ReplayServer, replayServer } from '../recorded/replay-server.ts';
import { saying, sayingSlowly } from './scripted-replies.ts';

const problem = ptyProblem();
const ENTER = '\r';
const UP = '\u001b[A';
const ALT_ENTER = '\u001b\r';

interface Chat extends Pty {
  readonly place: Sandbox;
  readonly server: ReplayServer;
}

async function chat(answers: readonly Answer[], words = ''): Promise<Chat> {
  let at = 0;
  const listed = { body: '{"data":[{"id":"m"}]}' };
  const server = await replayServer((body) => (body === '' ? listed : (answers[at++] ?? listed)));
  const place = sandbox('[kb.topic.tea]\ntitle = "Tea"\nsubjects = "tea"\n');
  place.write('tea/green.md', '# Green tea\n\nPour it at 80 degrees.\n');
  const provider = `providers.llm.loop = { kind = "openai-compatible", base_url = "${server.url}/v1" }`;
  writeOwnConfig(place.home, `assistant.model = "loop/m"\n${provider}\n`);
  const pty = openPty(`ken chat ${words}; echo "code $?"`, {
    directory: place.root,
    environment: { HOME: place.home, KEN_HOME: place.home },
  });
  await pty.waitFor('Ctrl-D leaves.');
  await pty.waitFor('> ');
  return { ...pty, place, server };
}

async function leave(pty: Pty): Promise<string> {
  pty.type(CTRL_D);
  const { output } = await pty.ended();
  expect(output).toContain('code 0');
  return output;
}

const posted = ({ requests }: ReplayServer) =>
  requests.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body));

const asked = (server: ReplayServer) =>
  posted(server).map(({ messages }) =>
    messages
      .filter(({ role }: { role: string }) => role === 'user')
      .map(({ content }: { content: unknown }) => content),
  );

const conversations = ({ root }: Sandbox) => readdirSync(path.join(root, '.ken/conversations')).sort();

const logOf = (place: Sandbox, id: string) =>
  readFileSync(path.join(place.root, '.ken/conversations', id, 'events.jsonl'), 'utf8');

describe.skipIf(problem)(`ken chat${problem ? ` (${problem})` : ''}`, () => {
  it('asks line by line in one conversation, and recalls earlier questions', async () => {
    const pty = await chat([saying('One.'), saying('Two.'), saying('Three.')]);
    pty.type(`first${ENTER}`);
    await pty.waitFor('One.');
    await pty.waitFor('> ');
    pty.type(`second \\${ENTER}`);
    await pty.waitFor('… ');
    pty.type(`line${ALT_ENTER}third${ENTER}`);
    await pty.waitFor('Two.');
    await pty.waitFor('> ');
    pty.type(`${UP}${ENTER}`);
    await pty.waitFor('Three.');
    await pty.waitFor('> ');
    await leave(pty);
    expect(asked(pty.server)).toEqual([
      ['first'],
      ['first', 'second \nline\nthird'],
      ['first', 'second \nline\nthird', 'second \nline\nthird'],
    ]);
    expect(conversations(pty.place)).toHaveLength(1);
  });

  it('obeys every command', async () => {
    const pty = await chat([saying('One.'), saying('Two.'), saying('Three.'), saying('Four.')]);
    const say = async (line: string, answer: string) => {
      pty.type(`${line}${ENTER}`);
      await pty.waitFor(answer);
      await pty.waitFor('> ');
    };
    await say('/help', '/undo');
    await say('/lab', 'There is no command "/lab".');
    await say('/label kind=test', 'With the next question: kind=test');
    await say('/learn tea/green', 'With the next question: tea/green');
    await say('/attach tea/green.md', 'With the next question: tea/green.md');
    await say('first', 'One.');
    await say('/label', 'kind=test');
    await say('/label kind=other', 'kind=other');
    await say('/search green tea', 'Pour it');
    await say('/tools', 'learn');
    await say('/model', 'loop/m');
    await say('/model loop/other', 'With the next question: loop/other');
    await say('second', 'Two.');
    await say('/undo', '\n');
    await say('third', 'Three.');
    await say('/fork', '\n');
    await say('/new', 'new conversation');
    await say('fourth', 'Four.');
    pty.type(`/exit${ENTER}`);
    expect((await pty.ended()).output).toContain('code 0');
    const requests = posted(pty.server);
    expect(requests.map(({ model }) => model)).toEqual(['m', 'other', 'other', 'm']);
    expect(JSON.stringify(requests[0])).toContain('Pour it at 80 degrees');
    expect(asked(pty.server).map((all) => all.at(-1))).toEqual([
      expect.stringContaining('first'),
      'second',
      'third',
      'fourth',
    ]);
    expect(asked(pty.server)[2]).toHaveLength(2);
    expect(conversations(pty.place)).toHaveLength(4);
  });

  it('forgets what a question could not use, and goes on', async () => {
    const pty = await chat([saying('One.')]);
    const say = async (line: string, answer: string) => {
      pty.type(`${line}${ENTER}`);
      await pty.waitFor(answer);
      await pty.waitFor('> ');
    };
    await say('/frok', 'Did you mean /fork?');
    await say('/attach nosuch.txt', 'With the next question: nosuch.txt');
    await say('/learn tea/blck', 'With the next question: tea/blck');
    await say('first', 'The next question goes without nosuch.txt, tea/blck.');
    pty.type(`${UP}${ENTER}`);
    await pty.waitFor('One.');
    await pty.waitFor('> ');
    await leave(pty);
    expect(asked(pty.server)).toEqual([['first']]);
  });

  it('completes commands and their arguments', async () => {
    const pty = await chat([saying('One.')]);
    pty.type('/le\t');
    await pty.waitFor('/learn ');
    pty.type('tea/gr\t');
    await pty.waitFor('tea/green');
    pty.type(ENTER);
    await pty.waitFor('With the next question: tea/green');
    await pty.waitFor('> ');
    await leave(pty);
  });

  it('Ctrl-C clears a line, stops an answer and keeps what came; twice leaves', async () => {
    const pty = await chat([sayingSlowly(Array.from({ length: 400 }, () => 'word ')), saying('Two.')]);
    pty.type(`half a question${CTRL_C}`);
    await pty.waitFor('> ');
    pty.type(`first${ENTER}`);
    await pty.waitFor('word word');
    pty.type(CTRL_C);
    await pty.waitFor('> ');
    pty.type(`second${ENTER}`);
    await pty.waitFor('Two.');
    await pty.waitFor('> ');
    const [id = ''] = conversations(pty.place);
    expect(logOf(pty.place, id)).toContain('"finish":"interrupted"');
    pty.type(CTRL_C);
    await pty.waitFor('Ctrl-C again leaves.');
    await pty.waitFor('> ');
    pty.type(CTRL_C);
    expect((await pty.ended()).output).toContain('code 0');
    expect(asked(pty.server).map((all) => all.at(-1))).toEqual(['first', 'second']);
  });

  it('takes a paste of a megabyte as one text, which submits nothing; asks once before so much is sent', async () => {
    const pty = await chat([saying('One.'), saying('Two.')]);
    const pasted = Array.from({ length: 16_384 }, (_, at) => `${at}: ${'x'.repeat(56)}`).join('\r');
    pty.type(`Read this: \u001b[200~${pasted}\u001b[201~`);
    await pty.waitFor('[paste 1: 16,384 lines]');
    pty.type(ENTER);
    await pty.waitFor('Send them?');
    await pty.waitFor('yes / no: ');
    pty.type(`yes${ENTER}`);
    await pty.waitFor('One.');
    await pty.waitFor('> ');
    pty.type(`And now?${ENTER}`);
    await pty.waitFor('Two.');
    await pty.waitFor('> ');
    const output = await leave(pty);
    expect(output.split('Send them?')).toHaveLength(2);
    expect(asked(pty.server)[0]).toEqual([`Read this: ${pasted.replaceAll('\r', '\n')}`]);
  });

  it('asks what is typed ahead during an answer line by line, and keeps what was begun', async () => {
    const answers = ['Two.', 'Three.', 'Four.'].map((text) => saying(text));
    const pty = await chat([sayingSlowly(['One ', 'is ', 'slow.']), ...answers]);
    pty.type(`first${ENTER}`);
    await pty.waitFor('One');
    pty.type(`second${ENTER}third \\${ENTER}line${ENTER}fou`);
    await pty.waitFor('Two.');
    await pty.waitFor('Three.');
    await pty.waitFor('\u001b[3Gfou');
    pty.type(`rth${ENTER}`);
    await pty.waitFor('Four.');
    await pty.waitFor('> ');
    await leave(pty);
    expect(asked(pty.server).map((all) => all.at(-1))).toEqual(['first', 'second', 'third \nline', 'fourth']);
  });

  it('drops lines that were typed ahead when Ctrl-C stops the answer before them', async () => {
    const pty = await chat([sayingSlowly(Array.from({ length: 400 }, () => 'word ')), saying('Two.')]);
    pty.type(`first${ENTER}dropped${ENTER}`);
    await pty.waitFor('word word');
    pty.type(CTRL_C);
    await pty.waitFor('> ');
    pty.type(`second${ENTER}`);
    await pty.waitFor('Two.');
    await pty.waitFor('> ');
    await leave(pty);
    expect(asked(pty.server).map((all) => all.at(-1))).toEqual(['first', 'second']);
  });

  it('keeps what came when the terminal is closed', async () => {
    const pty = await chat([sayingSlowly(Array.from({ length: 400 }, () => 'word '))]);
    pty.type(`first${ENTER}`);
    await pty.waitFor('word word');
    pty.hangUp();
    const [id = ''] = conversations(pty.place);
    await expect
      .poll(() => logOf(pty.place, id), { timeout: 10_000 })
      .toMatch(/"text":"word word.*"finish":"interrupted"/);
  });

  it('needs a terminal', async () => {
    const place = sandbox('');
    expect(await place.ken(['chat'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'ken: ken chat needs a terminal.\nhint: Ask a single question with "ken q".\n',
    });
  });
});

describe.skipIf(problem)(`ken q at a terminal${problem ? ` (${problem})` : ''}`, () => {
  it('says which conversation it continues', async () => {
    const server = await replayServer([saying('One.'), saying('Two.')]);
    const place = sandbox('');
    const provider = `providers.llm.loop = { kind = "openai-compatible", base_url = "${server.url}/v1" }`;
    writeOwnConfig(place.home, `assistant.model = "loop/m"\n${provider}\n`);
    const environment = { HOME: place.home, KEN_HOME: place.home, TERM: 'dumb' };
    const { output } = await openPty('ken q first; ken q second', {
      directory: place.root,
      environment,
    }).ended();
    const [id = ''] = conversations(place);
    expect(output.replaceAll('\r\n', '\n')).toBe(`One.\nContinuing ${id}: first\nTwo.\n`);
  });
});

const noTmux = tmuxProblem();

describe.skipIf(noTmux)(`ken chat in tmux${noTmux ? ` (${noTmux})` : ''}`, () => {
  it('goes on after the window became narrower, with what was typed and every word', async () => {
    const server = await replayServer([sayingSlowly(Array.from({ length: 40 }, (_, at) => `word${at} `))]);
    const place = sandbox('');
    const provider = `providers.llm.loop = { kind = "openai-compatible", base_url = "${server.url}/v1" }`;
    writeOwnConfig(place.home, `assistant.model = "loop/m"\n${provider}\n`);
    const window = openWindow(place, 'chat', { columns: 80, rows: 24 });
    const shown = () => window.rows().join(' ').replaceAll(/\s+/g, ' ');
    const until = (text: string) => expect.poll(shown).toContain(text);
    await until('Ctrl-D leaves. >');
    window.type('a question that is longer than the narrow window');
    await until('narrow window');
    window.resize(40, 24);
    window.type(' after all');
    window.press('Enter');
    await until('word9 ');
    window.resize(60, 24);
    await until('tokens in');
    expect(asked(server)).toEqual([['a question that is longer than the narrow window after all']]);
    const words = shown().match(/word\d+/g);
    expect(words).toEqual(Array.from({ length: 40 }, (_, at) => `word${at}`));
  });
});
