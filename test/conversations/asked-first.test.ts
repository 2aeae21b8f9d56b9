/** Requests to a person before the model is asked: commands of attachments and labels, tools of servers. */

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import { ptyProblem } from '../cli/pty.ts';
import { newestEvents } from '../recorded/asking.ts';
import { ALLOW, scriptedPlace } from '../tools/mcp-sandbox.ts';
import { scriptedModel } from '../tools/model-script.ts';
import { ASKED_OK, type Talk, talk } from './talk.ts';

const NEW = ['q', '-n', 'hi'];
const ALLOWING = 'approvals.noninteractive = "allow"\n';
const APPROVE = 'Approve? yes / no / more: ';
const BY_CONFIG = { by: 'approvals.noninteractive', through: 'config' };
const ATTACHED = "Run tool 'cmd'? echo along";
const LABELLED = "Run a command for label 'host'?";
const problem = ptyProblem();

const host = (more = '') => `[conversation.labels.host]\nvalue.cmd = "echo here"\n${more}`;
const ATTACH = ['-a', 'cmd:echo along'];

function events(place: Talk, id?: string) {
  const lines = place.file('events.jsonl', id).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

const types = (place: Talk, id?: string) => events(place, id).map(({ type }) => type);

/** Each as what was asked and what came of it. */
function decided(place: Talk, id?: string) {
  const approvals = events(place, id).filter(({ type }) => type === 'approval');
  return approvals.map(({ decision, summary, call }) => [decision, summary, call]);
}

const approved = (summary: string) => ['approved', summary, undefined];
const denied = (summary: string) => ['denied', summary, undefined];

describe('where the operator’s own config file allows it', () => {
  it('a new conversation begins with what was decided on the way to it', async () => {
    const place = await talk({ user: `${ALLOWING}${host()}` });
    const { code, stdout } = await place.ken([...NEW, ...ATTACH, '--json']);
    const told = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect({ code, types: told.map(({ type }) => type) }).toEqual({
      code: 0,
      types: ['turn-start', 'approval', 'approval', 'text-delta', 'turn-end'],
    });
    const written = events(place);
    expect(written.map(({ type }) => type)).toEqual([
      'approval',
      'approval',
      'turn_start',
      'user_message',
      'assistant_message',
    ]);
    const at = expect.any(String);
    const id = expect.stringMatching(/^[0-9a-f]{12}$/);
    expect(written.slice(0, 2)).toEqual([
      { type: 'approval', at, id, decision: 'approved', summary: ATTACHED, ...BY_CONFIG },
      { type: 'approval', at, id, decision: 'approved', summary: LABELLED, ...BY_CONFIG },
    ]);
    expect(told.slice(1, 3).map(({ approval }) => approval)).toEqual(written.slice(0, 2));
    const shown = (await place.ken(['c', 'show'])).stdout.replaceAll(/\([0-9a-f]{12}\)/g, '(ID)').split('\n');
    expect(shown.filter((line) => line.startsWith('approval'))).toEqual([
      `approval  approved by approvals.noninteractive: ${ATTACHED} (ID)`,
      `approval  approved by approvals.noninteractive: ${LABELLED} (ID)`,
    ]);
  });

  it('an existing one is told before what follows from it', async () => {
    const place = await talk({ user: `${ALLOWING}${host('apply_on.new = false\n')}` });
    expect(await place.ken(NEW)).toEqual(ASKED_OK);
    const before = types(place).length;
    expect(await place.ken(['q', 'more', ...ATTACH, '--label', ':host'])).toEqual(ASKED_OK);
    expect(types(place).slice(before)).toEqual([
      'approval',
      'approval',
      'config_delta',
      'turn_start',
      'user_message',
      'assistant_message',
    ]);
    for (const words of [
      ['c', 'edit', '@last', '--label', ':host', '--label', 'x=1'],
      ['c', 'label', 'add', ':host', 'x=2'],
    ]) {
      const count = types(place).length;
      expect((await place.ken(words)).code, words.join(' ')).toBe(0);
      expect(types(place).slice(count)).toEqual(['approval', 'config_delta']);
    }
    expect(decided(place)).toEqual([ATTACHED, LABELLED, LABELLED, LABELLED].map(approved));
  });

  it.each([
    ['a fork', ['c', 'fork', '@last', '--label', ':host']],
    ['a fork that is asked something', ['q', '--fork', '--label', ':host', 'more']],
  ])('%s has it after its copy, and what it was copied from has not', async (_, words) => {
    const place = await talk({ user: `${ALLOWING}${host('apply_on.new = false\n')}` });
    await place.ken(NEW);
    const [source = ''] = place.conversations();
    const before = place.file('events.jsonl', source);
    expect((await place.ken(words)).code).toBe(0);
    const fork = place.conversations().find((id) => id !== source);
    expect(decided(place, fork)).toEqual([approved(LABELLED)]);
    expect(place.file('events.jsonl', fork)).toMatch(new RegExp(`^${escaped(before)}.*"type":"approval"`));
    expect(place.file('events.jsonl', source)).toBe(before);
  });

  it('an import has it before its turns, and is still updated', async () => {
    const place = await talk({ user: `${ALLOWING}${host()}` });
    const line = (second: number, text: string) =>
      `${JSON.stringify({
        type: 'user',
        uuid: `u${second}`,
        sessionId: 's1',
        timestamp: `2026-03-09T08:11:0${second}.000Z`,
        message: { id: `m${second}`, content: text },
      })}\n`;
    const file = place.write('talk.jsonl', line(1, 'How?'));
    const read = async () => (await place.ken(['c', 'import', file, '--label', ':host'])).stdout.slice(12);
    expect(await read()).toBe('  imported: How?\n');
    expect(await read()).toBe('  unchanged: How?\n');
    place.write('talk.jsonl', line(1, 'How?') + line(2, 'And why?'));
    expect(await read()).toBe('  updated: How?\n');
    expect(decided(place)).toEqual([approved(LABELLED)]);
    const asked = events(place).filter(({ type }) => type === 'user_message');
    expect(asked.map(({ text }) => text)).toEqual(['How?', 'And why?']);
    await place.ken(['q', '--id', '@last', 'more']);
    expect(await read()).toBe('  left as it is, since it continued here: How?\n');
  });

  it('the title is still asked for after the first answer', async () => {
    const place = await talk({ user: `${ALLOWING}${host()}[conversation.title]\ngenerate = true\n` });
    await place.ken(NEW);
    expect(JSON.parse(place.file('metadata.json')).title).toBe('ok');
  });
});

it('a tool of a server is accepted, or waits, in the log of the conversation', async () => {
  const summary = "Accept the definition of tool 'echo' from server 'scripted'?";
  const model = await scriptedModel('Well.', 'Well.', 'Well.');
  for (const [own, decision] of [
    [model.config, 'pending'],
    [`${model.config}${ALLOW}`, 'approved'],
  ] as const) {
    const place = scriptedPlace({ own });
    expect((await place.ken(['q', '-n', 'Say hi.'])).code).toBe(0);
    expect(newestEvents(place.root).slice(0, 2)).toMatchObject([
      { type: 'approval', decision, summary },
      { type: 'turn_start' },
    ]);
    if (decision === 'pending') continue;
    // Once accepted, nobody is asked again.
    expect((await place.ken(['q', '-n', 'Again.'])).code).toBe(0);
    expect(newestEvents(place.root).map(({ type }) => type)).not.toContain('approval');
  }
});

describe('where nobody can be asked', () => {
  it.each([
    ['an attachment', ATTACH, ''],
    ['a label', [], host()],
  ])('%s aborts, and nothing is written', async (_, words, user) => {
    const place = await talk({ user });
    expect((await place.ken([...NEW, ...words])).code).toBe(4);
    expect(place.conversations()).toEqual([]);
  });

  it('leaves an existing conversation as it is', async () => {
    const place = await talk({ user: host('apply_on.new = false\n') });
    await place.ken(NEW);
    const before = [place.file('metadata.json'), place.file('events.jsonl')];
    for (const words of [
      ['q', 'more', ...ATTACH],
      ['q', 'more', '--label', ':host'],
    ]) {
      expect((await place.ken(words)).code).toBe(4);
      expect([place.file('metadata.json'), place.file('events.jsonl')]).toEqual(before);
    }
  });
});

describe.skipIf(problem)(`at a terminal${problem ? ` (${problem})` : ''}`, () => {
  const ask = (place: Talk, words: readonly string[], ...answers: string[]) =>
    atTerminal(
      place,
      words,
      answers.map((keys) => ({ after: APPROVE, keys: `${keys}\r` })),
    );

  it('says who decided what, and how', async () => {
    const place = await talk({ user: host() });
    expect((await ask(place, [...NEW, ...ATTACH], 'yes', 'no')).code).toBe(0);
    expect(decided(place)).toEqual([approved(ATTACHED), denied(LABELLED)]);
    for (const { by, through } of events(place).slice(0, 2)) {
      expect({ by, through }).toEqual({ by: expect.stringMatching(/./), through: 'terminal' });
    }
    expect(place.labels()).toEqual({});
  });

  it('a declined alias is in the log though no label changes', async () => {
    const place = await talk({ user: host('apply_on.new = false\n') });
    await place.ken(NEW);
    const metadata = place.file('metadata.json');
    for (const words of [
      ['c', 'label', 'add', ':host'],
      ['c', 'edit', '@last', '--label', ':host'],
    ]) {
      const count = types(place).length;
      expect((await ask(place, words, 'no')).code, words.join(' ')).toBe(0);
      expect(types(place).slice(count)).toEqual(['approval']);
    }
    expect(decided(place)).toEqual([denied(LABELLED), denied(LABELLED)]);
    expect(place.file('metadata.json')).toBe(metadata);
  });

  it('a declined attachment aborts, and nothing is written', async () => {
    const place = await talk();
    expect((await ask(place, [...NEW, ...ATTACH], 'no')).code).toBe(4);
    expect(place.conversations()).toEqual([]);
  });

  it('what was decided before somebody broke off is not written', async () => {
    const place = await talk({ user: host() });
    const typed = [
      { after: APPROVE, keys: 'yes\r' },
      { after: APPROVE, keys: '\x03' },
    ];
    expect((await atTerminal(place, [...NEW, ...ATTACH], typed)).code).toBe(130);
    expect(place.conversations()).toEqual([]);
    expect(readdirSync(place.root)).toEqual(['.ken']);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
