import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { AskEvent } from '../../src/entry/library-ask-types.ts';
import { openWorkspace } from '../../src/library.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { gardenWorkspace } from '../mcp/garden.ts';
import { type Said, scriptedModel } from '../tools/model-script.ts';
import { serve } from '../web/servers.ts';

/** A garden whose assistant says these in turn; its web client may reach the server. */
async function talkingGarden(...said: readonly Said[]) {
  const server = await serve((_request, response) => response.end('a page'));
  const model = await scriptedModel(...said);
  const place = gardenWorkspace();
  mkdirSync(path.join(place.home, 'config'), { recursive: true });
  const allow = `[net]\nallow = ["127.0.0.1:${server.port}"]\n`;
  writeOwnConfig(place.home, `${model.config}${allow}`);
  const warnings: string[] = [];
  const ken = await openWorkspace(place.root, {
    environment: { KEN_HOME: place.home, PATH: process.env.PATH },
    onWarning: (text) => void warnings.push(text),
  });
  return { ken, place, server, model, warnings };
}

it('streams the turn, and the answer is its last text', async () => {
  const { ken, model } = await talkingGarden({ call: 'learn', with: { topic: 'project' } }, 'Push.');
  const asking = ken.ask('How?', { title: 'Deploying', labels: ['by=test'] });
  const seen: AskEvent[] = [];
  for await (const event of asking) seen.push(event);
  expect(seen.map(({ type }) => type).filter((type) => type !== 'usage')).toEqual([
    'turn-start',
    'tool-call',
    'tool-result',
    'text-delta',
    'turn-end',
  ]);
  expect(await asking.answer()).toEqual({ reason: 'answered', text: 'Push.', pending: [] });
  expect(model.sent()[0].messages.at(-1)).toEqual({ role: 'user', content: 'How?' });
  const [conversation] = await ken.conversations({ labels: ['by=test'] });
  expect(conversation).toMatchObject({ title: 'Deploying', labels: { by: 'test' }, isLocal: false });
  await ken.close();
});

it('goes on with a conversation, under its own settings', async () => {
  const { ken, model } = await talkingGarden('One.', 'Two.', 'Three.');
  await ken.ask('First?', { model: 'loop/other', title: 'x' }).answer();
  const [{ id = '' } = {}] = await ken.conversations();
  expect(await ken.ask('Second?', { conversation: id }).answer()).toMatchObject({ text: 'Two.' });
  expect(model.sent().map((request) => request.model)).toEqual(['other', 'other']);
  const { events } = await ken.conversation(id);
  expect(events.flatMap(({ type, text }) => (type.endsWith('_message') ? [text] : []))).toEqual([
    'First?',
    'One.',
    'Second?',
    'Two.',
  ]);
  await expect(ken.ask('x', { conversation: 'nowhere' }).answer()).rejects.toMatchObject({
    code: expect.stringMatching(/^conversations\//),
  });
  await ken.close();
});

it('leaves a call that asks pending, goes on, and lets a program read that it waits', async () => {
  const { ken, place, server } = await talkingGarden(
    { call: 'web_fetch', with: { url: 'http://127.0.0.1/' } },
    'I could not read it.',
  );
  const end = await ken.ask('Read it.', { title: 'x' }).answer();
  const [waiting] = await ken.approvals();
  expect(end).toEqual({ reason: 'answered', text: 'I could not read it.', pending: [waiting?.id] });
  expect(waiting).toMatchObject({
    status: 'pending',
    reason: 'tool_run',
    summary: "Run tool 'web_fetch'? http://127.0.0.1/",
    actor: 'ken',
  });
  expect(server.requests).toEqual([]);
  expect((await place.ken(['approvals', 'deny', waiting?.id ?? ''])).code).toBe(0);
  expect(await ken.approvals()).toEqual([]);
  expect(await ken.approvals({ all: true })).toMatchObject([{ status: 'denied', decidedThrough: 'command' }]);
  expect(Object.keys(ken).filter((name) => /approve|deny|decide/.test(name))).toEqual([]);
  await ken.close();
});

it('stops a turn that is left early or aborted, and the conversation can go on', async () => {
  const { ken } = await talkingGarden('Long.', 'Whole.');
  for await (const event of ken.ask('One?', { title: 'x' })) if (event.type === 'text-delta') break;
  expect(await ken.ask('Two?', { conversation: '@last' }).answer()).toMatchObject({ text: 'Whole.' });
  const why = new Error('Enough.');
  await expect(ken.ask('Three?', {}, AbortSignal.abort(why)).answer()).rejects.toBe(why);
  await ken.close();
  expect(() => ken.ask('Four?')).toThrow('This workspace was closed.');
});

it('refuses questions and options that make no sense', async () => {
  const { ken } = await talkingGarden();
  const untyped =
    (...given: unknown[]) =>
    () =>
      Reflect.apply(Object(ken.ask), ken, given);
  for (const call of [untyped(' '), untyped(3), untyped('x', { modle: 'y' }), untyped('x', { labels: 'y' })])
    expect(call).toThrow(expect.objectContaining({ code: 'tools/bad-arguments' }));
  await expect(ken.ask('x', { tools: { only: ['lern'] } }).answer()).rejects.toMatchObject({
    code: 'tools/bad-arguments',
    hint: 'Did you mean learn?',
  });
  await ken.close();
});

it('reads the history of a fact', async () => {
  const { ken } = await talkingGarden();
  const fact = { title: 'Ports', provenance: ['cmd:ss'], mergeKey: 'ports' };
  const { id } = await ken.addFact({ ...fact, text: '8080' });
  await ken.addFact({ ...fact, text: '9090' });
  const { versions, events } = await ken.factHistory(id);
  expect(versions.map(({ content }) => content)).toEqual(['8080', '9090']);
  expect(events).toHaveLength(2);
  await expect(ken.factHistory('nowhere')).rejects.toMatchObject({ code: 'ledger/not-found' });
  await ken.close();
});
