import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'smol-toml';
import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { pageHere } from './page-here.ts';

it('shows what changes in a file of settings before it is written, and refuses what is no value', async () => {
  const place = sandboxHere('# Ours.\n[assistant]\nname = "fern"\n');
  const page = await pageHere(place);
  const change = (key: string, value: string) =>
    page.get(`/settings/change?${new URLSearchParams({ key, value, in: 'shared' })}`);
  expect((await change('conversation.start_local', 'perhaps')).body).toContain('notice problem');
  expect((await change('nothing.there', '1')).body).toContain('notice problem');
  expect((await change('conversation.start_local', 'true')).body).toContain('+ start_local = true');
  const file = path.join(place.root, '.ken/config.toml');
  const before = readFileSync(file, 'utf8');
  expect(before).not.toContain('start_local');
  const fields = { key: 'conversation.start_local', value: 'true', in: 'shared', back: '/settings' };
  expect((await page.send('/settings/set', fields)).body).toContain('is in .ken/config.toml.');
  expect(readFileSync(file, 'utf8')).toContain(before.trim());
  expect((await change('conversation.start_local', 'true')).body).toContain('has this value already');
  await page.send('/settings/set', { ...fields, in: 'local' });
  expect(readFileSync(path.join(place.root, '.ken/config.local.toml'), 'utf8')).toContain(
    'start_local = true',
  );
  expect(page.bugs).toEqual([]);
});

it('never shows other lines of a file of settings, which may hold secrets', async () => {
  const place = sandboxHere('[providers.mcp.x]\ncommand = "x"\nenv = { TOKEN = "very-secret-value" }\n');
  const page = await pageHere(place);
  const query = new URLSearchParams({ key: 'conversation.start_local', value: 'true' });
  for (const at of [`/settings/change?${query}`, '/settings?all=1', `/settings/change.json?${query}`])
    expect((await page.get(at)).body).not.toContain('very-secret-value');
});

const PARAMETERS = {
  name: { type: 'string', required: true },
  size: { type: 'string', enum: ['small', 'large'] },
  count: { type: 'integer' },
  sure: { type: 'boolean' },
  paths: { type: 'array', items: { type: 'string' } },
};

it('makes a form of the schema of a tool, calls it, and shows what it touched', async () => {
  const place = sandboxHere('');
  const echo =
    'process.stdin.on("data", (given) => console.log(JSON.stringify(JSON.parse(given).tool.arguments)))';
  const command = { program: process.execPath, args: ['-e', echo] };
  const cut = { run: 'ask', description: 'Cuts.', parameters: PARAMETERS, command, timeout: 7 };
  writeOwnConfig(place.home, stringify({ conversation: { tools: { cut } } }));
  const page = await pageHere(place);
  const { body } = await page.get('/tools/show?name=cut');
  for (const field of ['arg.name', 'arg.size', 'arg.count', 'arg.sure', 'arg.paths'])
    expect(body).toContain(`name="${field}"`);
  expect(body).toMatch(/Source<\/dt><dd><code>command/);
  expect(body).toContain('at most 7 s');
  const given = { name: 'cut', back: '/tools/show?name=cut', 'arg.name': 'hedge' };
  expect((await page.send('/tools/run', { ...given, answers: '{' })).body).toContain('must be a JSON object');
  const tried = await page.send('/tools/run', {
    ...given,
    ...{ 'arg.size': 'large', 'arg.count': '3', 'arg.sure': 'true' },
    'arg.paths': 'a\r\nb\r\n',
  });
  const told = JSON.parse(
    (await page.get(tried.at.replace('/show?', '/show.json?').split('#')[0] ?? '')).body,
  ).tried;
  expect(JSON.parse(told.text)).toEqual({
    ...{ name: 'hedge', size: 'large', count: 3, sure: true, paths: ['a', 'b'] },
  });
  expect(tried.body).toMatch(/<li>took \d+ ms/);
  const { stdout } = await place.ken(['approvals', 'ls', '--all', '--json']);
  expect(JSON.parse(stdout).approvals).toMatchObject([{ decision: { by: 'ada', through: 'web' } }]);
  expect(page.bugs).toEqual([]);
});

it('shows what a tried call used that gave no result', async () => {
  const place = sandboxHere('');
  const wasm = path.join(import.meta.dirname, '../wasm/misbehave/misbehave.wasm');
  const parameters = { do: { type: 'string' } };
  const bad = { run: 'ask', description: 'Exits.', parameters, wasm };
  writeOwnConfig(place.home, stringify({ conversation: { tools: { bad } } }));
  const page = await pageHere(place);
  const tried = await page.send('/tools/run', {
    name: 'bad',
    back: '/tools/show?name=bad',
    'arg.do': 'exit',
  });
  expect(tried.body).toContain('The tool ended early: It exited with a failure.');
  expect(tried.body).toMatch(/<li>took [\d.]+ ms, [\d.]+ MiB of memory<\/li>/);
  expect(page.bugs).toEqual([]);
});

it('mends what the doctor names, and nothing that was not shown', async () => {
  const place = sandboxHere('');
  await place.ken(['k', 'add', '--title', 'Tea', '--text', 'Four minutes.', '--provenance', 'person:ada']);
  await place.ken(['q', 'Tea?']);
  const [{ id }] = JSON.parse((await place.ken(['c', 'ls', '--json'])).stdout).conversations;
  const directory = (await place.ken(['c', 'path', id])).stdout.trim();
  const log = path.join(directory, 'events.jsonl');
  const whole = readFileSync(log, 'utf8');
  writeFileSync(log, `${whole}{"type": "user_mess`);
  const page = await pageHere(place);
  const looked = await page.send('/doctor/look', { back: '/doctor' });
  expect(looked.body).toContain('Mend all of it');
  const nothing = await page.send('/doctor/mend', { id: '["x","y","z"]', back: '/doctor' });
  expect(nothing.body).toContain('has changed since it was shown');
  const mended = await page.send('/doctor/mend', { id: 'whole', back: '/doctor' });
  expect(mended.body).toContain('notice done');
  expect(readFileSync(log, 'utf8')).toBe(whole);
  expect((await page.send('/doctor/look', { back: '/doctor' })).body).toContain('nothing is damaged');
  expect(page.bugs).toEqual([]);
});
