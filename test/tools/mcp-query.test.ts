/** Tools of servers, and questions of tools, in a query. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import type { Sandbox } from '../cli/ken.ts';
import { ptyProblem } from '../cli/pty.ts';
import { ALLOW, scriptedPlace } from './mcp-sandbox.ts';
import { scriptedModel } from './model-script.ts';
import { toml, toolSandbox } from './tool-sandbox.ts';

const problem = ptyProblem();
const why = problem ? ` (${problem})` : '';

interface Sent {
  readonly tools?: readonly { readonly function: { readonly name: string; readonly description: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const named = ({ tools = [] }: Sent) => tools.map(({ function: { name } }) => name);
const results = ({ messages }: Sent) =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

function eventsOf({ root }: Sandbox): string {
  const conversations = path.join(root, '.ken/conversations');
  const [id = ''] = readdirSync(conversations).filter((name) => !name.startsWith('.'));
  return readFileSync(path.join(conversations, id, 'events.jsonl'), 'utf8');
}

it('offers a model what was accepted, calls it, and keeps what it cost', async () => {
  const model = await scriptedModel({ call: 'echo', with: { text: 'hi' } }, 'It said hi.');
  const place = scriptedPlace({ own: `${model.config}${ALLOW}` });
  const asked = await place.ken(['q', 'Say hi.']);
  expect({ code: asked.code, stdout: asked.stdout }).toEqual({ code: 0, stdout: 'It said hi.\n' });
  const [first, second] = model.sent();
  expect(
    first.tools.find((tool: { function: { name: string } }) => tool.function.name === 'echo').function,
  ).toEqual({
    name: 'echo',
    description: 'Does echo.',
    parameters: { type: 'object', properties: { text: { type: 'string' } } },
  });
  expect(results(second)).toEqual(['hi']);
  const events = eventsOf(place).trim().split('\n');
  const result = events.map((line) => JSON.parse(line)).find(({ type }) => type === 'tool_result');
  expect(result.receipt).toMatchObject({ milliseconds: expect.any(Number), filesRead: [] });
});

it('goes on without what nobody accepted, and says so', async () => {
  const model = await scriptedModel('Well.');
  const place = scriptedPlace({ own: model.config });
  const asked = await place.ken(['q', 'Say hi.']);
  expect({ ...asked, stderr: asked.stderr.replace(/approve [0-9a-f]+/, 'approve ID') }).toEqual({
    code: 0,
    stdout: 'Well.\n',
    stderr:
      'warning: Without the tool echo: The tool "echo" of the server "scripted" needs your approval in its present ' +
      'form before it is used.\nSee it and accept it with "ken approvals approve ID".\n',
  });
  expect(model.sent().map(named)).not.toContainEqual(expect.arrayContaining(['echo']));
});

it('goes on without an optional server, and not without another', async () => {
  const model = await scriptedModel('Well.');
  const optional = scriptedPlace({ own: model.config, manner: 'broken', server: 'optional = true' });
  expect(await optional.ken(['q', 'Say hi.'])).toEqual({
    code: 0,
    stdout: 'Well.\n',
    stderr:
      'warning: Without the tool echo: The server "scripted" ended while it was starting.\n' +
      'It ended with code 2. It said last:\ncannot find my settings\n',
  });
  const needed = scriptedPlace({ own: model.config, manner: 'broken' });
  expect((await needed.ken(['q', 'Say hi.'])).code).toBe(1);
  expect(model.sent()).toHaveLength(1);
});

it.each([
  ['a tool that is not wanted', ['--no-tool', 'echo'], ''],
  ['a model that calls no tools', ['--model', 'ken/extractive'], ''],
  ['a tool that is not enabled', [], 'enable = false'],
  ['a tool that is denied', [], 'run = "deny"'],
])('starts no server for %s', async (_, words, tool) => {
  const model = await scriptedModel('Well.');
  const place = scriptedPlace({ own: `${model.config}${ALLOW}`, tool: '' });
  const more = tool === '' ? [] : ['-c', `conversation.tools.echo.${tool.replaceAll(/[ "]/g, '')}`];
  expect((await place.ken(['q', 'Say hi.', ...words, ...more])).code).toBe(0);
  expect(place.log()).toEqual([]);
});

it('tells the model of a server that died, and starts it again for the next call', async () => {
  const die = { call: 'die', with: {} };
  const model = await scriptedModel(die, { call: 'echo', with: { text: 'back' } }, 'Done.');
  const place = scriptedPlace({ own: `${model.config}${ALLOW}`, tools: ['echo', 'die'] });
  expect(await place.ken(['q', 'Break it.'])).toMatchObject({ code: 0, stdout: 'Done.\n' });
  const [, second, third] = model.sent();
  expect(results(second)[0]).toContain('The server "scripted" ended before it could run "die".');
  expect(results(third).at(-1)).toBe('back');
});

it('tells programs how far a tool is, and keeps none of it', async () => {
  const model = await scriptedModel({ call: 'progress', with: {} }, 'Done.');
  const place = scriptedPlace({ own: `${model.config}${ALLOW}`, tools: ['progress'] });
  const { stdout } = await place.ken(['q', 'Go on.', '--json']);
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(told.find(({ type }) => type === 'tool-progress')).toEqual({
    type: 'tool-progress',
    id: 'call-1',
    name: 'progress',
    progress: { phase: 'progress', done: 1, total: 3 },
  });
  expect(told.findIndex(({ type }) => type === 'tool-progress')).toBeLessThan(
    told.findIndex(({ type }) => type === 'tool-result'),
  );
  expect(eventsOf(place)).toContain('"type":"tool_result"');
  expect(eventsOf(place)).not.toContain('phase');
});

it('says nothing of how far a tool is where nobody looks', async () => {
  const model = await scriptedModel({ call: 'progress', with: {} }, 'Done.');
  const place = scriptedPlace({ own: `${model.config}${ALLOW}`, tools: ['progress'] });
  expect(await place.ken(['q', 'Go on.'])).toEqual({ code: 0, stdout: 'Done.\n', stderr: '→ progress {}\n' });
});

it.skipIf(problem)(`shows at a terminal how far a tool is, and takes it off again${why}`, async () => {
  const model = await scriptedModel({ call: 'progress', with: {} }, 'Done.');
  const place = scriptedPlace({ own: `${model.config}${ALLOW}`, tools: ['progress'] });
  await place.ken(['tools', 'run', 'progress']);
  const { text } = await atTerminal(place, ['q', 'Go on.'], [], { environment: { TERM: 'xterm' } });
  const rows = text.split('\r');
  const drawn = rows.findIndex((row) => /^progress {2}\[#+-+\] {2}33% {2}1\/3/.test(row));
  expect(drawn).toBeGreaterThan(0);
  expect(rows[drawn + 1]).toMatch(/^.\[K/);
  expect(rows.slice(drawn + 1).join('')).toContain('Done.');
});

const ASK = `process.stdin.on('data', (input) => {
  const { answers } = JSON.parse(input).tool;
  console.log(JSON.stringify('color' in answers ? { type: 'success', content: 'painted ' + answers.color } : {
    type: 'needs-input', question: { id: 'color', text: 'Which color?', 'answer-type': { select: { options: ['red', 'blue'] } } } }));
})`;

it('puts a question of a tool to the model, where the configuration says so', async () => {
  const model = await scriptedModel({ call: 'paint', with: {} }, '{"answer":"blue"}', 'It is blue.');
  const { ken } = toolSandbox(`${model.config}[conversation.tools.paint]
command = { program = ${toml(process.execPath)}, args = ["-e", ${toml(ASK)}] }
run = "unattended"
questions.color.target = "assistant"
`);
  expect(await ken(['q', 'Paint it.'])).toMatchObject({ code: 0, stdout: 'It is blue.\n' });
  const [, question, last] = model.sent();
  expect(question.messages.at(-1).content).toBe('You called paint with {}. It asks:\n\nWhich color?');
  expect(named(question)).toEqual([]);
  expect(results(last)).toEqual(['painted blue']);
});
