/** Entries of one member alone: no other member learns of them, not even that there are any. */

import { describe, expect, it } from 'vitest';
import { PAGES } from '../../src/entry/serve/team-pages.ts';
import { postgresProblem } from './postgres.ts';
import { browser, callTool, mcpCall, roundRobin, type ServedTeam, servedTeam } from './serving.ts';

const ALL = ['read', 'propose', 'write', 'approve', 'admin'] as const;
const OWN = {
  title: 'Marmalade',
  text: 'The marmalade is behind the flour.',
  provenance: ['cmd:look'],
  merge_key: 'marmalade',
  tags: ['hidden-jar'],
  visibility: 'me',
};
const QUESTION = { question: 'where is the marmalade' };

async function garden(processes = 1) {
  const team = await servedTeam({ processes });
  for (const person of ['ada', 'bob']) await team.member(person, 'garden', ...ALL);
  await team.member('carl', 'kitchen', 'read', 'propose', 'write');
  const base = await roundRobin(team.servers);
  const token = async (person: string) => (await team.token(person, ['read', 'propose', 'write'])).secret;
  const [ada, bob, carl] = [await token('ada'), await token('bob'), await token('carl')];
  await callTool(base, bob, 'knowledge_add', { title: 'Kettle', text: 'It boils.', provenance: ['cmd:x'] });
  return { team, base, ada, bob, carl };
}

async function signedIn(team: ServedTeam, base: string, person: string) {
  const their = browser(base);
  await their.signIn(await team.login(person));
  return their;
}

/** Everything that a member is told, without what differs each time. */
async function told(team: ServedTeam, base: string, person: string, token: string, id: string) {
  const their = await signedIn(team, base, person);
  const answers: string[] = [];
  const twins = PAGES.map(({ path }) => (path === '/' ? '/index.json' : `${path}.json`));
  for (const path of [...twins, '/team.json', '/ledger/entry', '/ledger', '/']) {
    const answer = await their.get(`${path}?id=${id}&q=marmalade&uri=ken://entry/${id}&status=all&tag=`);
    answers.push(`${path} ${answer.status} ${path.endsWith('.json') ? await answer.text() : ''}`);
  }
  answers.push(`/events ${await firstEvent(their)}`);
  const calls = [
    { method: 'tools/list' },
    { method: 'resources/list' },
    { method: 'resources/read', params: { uri: `ken://entry/${id}@v1` } },
    completion('ken://entry/{+id}@v{version}', ''),
    ...[
      tool('search', QUESTION),
      tool('search', { question: 'marmelade flour' }),
      tool('show', { uri: `ken://entry/${id}@v1` }),
      tool('knowledge_search', QUESTION),
      tool('knowledge_search', { question: 'jam behind the flour' }),
      tool('knowledge_feedback', { question: 'q', returned_ids: [id], used_ids: [id], outcome: 'helped' }),
      tool('knowledge_promote', {
        source_entry_id: id,
        evidence_refs: ['cmd:x'],
        reason: 'r',
        as: 'procedural/x',
      }),
    ],
  ];
  for (const call of calls) {
    const { status, body } = await mcpCall(base, { token, ...call });
    answers.push(`${JSON.stringify(call)} ${status} ${JSON.stringify(body)}`);
  }
  return answers.map(withoutTokens);
}

function differences(before: readonly string[][], after: readonly string[][]): string[] {
  return before.flatMap((answers, at) =>
    answers.flatMap((answer, place) => {
      const now = after[at]?.[place] ?? '';
      return now === answer ? [] : [`${answer.slice(0, 500)}\n${now.slice(0, 500)}`];
    }),
  );
}

/** The state of which the stream of events tells at once. */
async function firstEvent(their: Browser): Promise<string> {
  const stop = new AbortController();
  const { body } = await their.stream('/events', stop.signal);
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('\n\n')) break;
  }
  stop.abort();
  return text;
}

function tool(name: string, given: object) {
  return { method: 'tools/call', params: { name, arguments: given } };
}

function completion(uri: string, value: string) {
  const params = { ref: { type: 'ref/resource', uri }, argument: { name: 'id', value } };
  return { method: 'completion/complete', params };
}

function withoutTokens(text: string): string {
  return text.replace(/[0-9a-f]{12,}/g, 'TOKEN').replace(/"(?:at|created|expires)":\d+/g, '"at":0');
}

describe.skipIf(postgresProblem() !== undefined)('an entry that only its author sees', () => {
  it('tells no other member anything, also not that it exists', async () => {
    const { team, base, ada, bob, carl } = await garden();
    const id = 'the-jar';
    const before = [await told(team, base, 'bob', bob, id), await told(team, base, 'carl', carl, id)];
    // Being asked for them counts too.
    await metricsOf(team);
    const metrics = await metricsOf(team);
    const own = await callTool(base, ada, 'knowledge_add', OWN);
    expect([own.isError, own.data.action]).toEqual([false, 'inserted']);
    // The same with its real id: bob knows no more of it than of one that never was.
    const after = [await told(team, base, 'bob', bob, id), await told(team, base, 'carl', carl, id)];
    expect(differences(before, after)).toEqual([]);
    const named = [
      await told(team, base, 'bob', bob, own.data.id),
      await told(team, base, 'carl', carl, own.data.id),
    ].map((answers) => answers.map((text) => text.replaceAll(own.data.id, id)));
    expect(differences(before, named)).toEqual([]);
    expect(JSON.stringify(named)).not.toMatch(/is behind the flour|hidden-jar/);
    expect(await metricsOf(team)).toEqual(metrics);
    // Neither its key nor its id is taken for anybody else.
    const same = await callTool(base, bob, 'knowledge_add', {
      ...OWN,
      text: 'Mine.',
      visibility: 'workspace',
    });
    expect(same.data.action).toBe('inserted');
    const shared = await team.ledger('garden').list({ limit: -1 });
    expect(shared.map(({ text }) => text).sort()).toEqual(['It boils.', 'Mine.']);
  });

  it('is read by its author everywhere, and changed by nobody else', async () => {
    const { team, base, ada, bob } = await garden(2);
    const { data } = await callTool(base, ada, 'knowledge_add', OWN);
    for (const [name, given] of [
      ['search', QUESTION],
      ['knowledge_search', QUESTION],
      ['show', { uri: `ken://entry/${data.id}@v1` }],
    ] as const)
      for (const time of [1, 2])
        expect((await callTool(base, ada, name, given)).text, `${name} ${time}`).toContain(
          'behind the flour',
        );
    const [page, others] = [await signedIn(team, base, 'ada'), await signedIn(team, base, 'bob')];
    expect(await (await page.get('/ledger')).text()).toContain('only you');
    expect(await (await page.get(`/ledger/entry?id=${data.id}`)).text()).toContain('behind the flour');
    expect((await page.json('/index.json')).counts.active).toBe(2);
    expect((await others.json('/index.json')).counts.active).toBe(1);
    const deprecate = { id: data.id, action: 'deprecate' };
    expect((await others.post('/ledger/status', deprecate)).status).toBe(404);
    const used = { question: 'q', returned_ids: [data.id], used_ids: [data.id], outcome: 'helped' };
    expect((await callTool(base, ada, 'knowledge_feedback', used)).isError).toBe(false);
    expect((await callTool(base, bob, 'knowledge_feedback', used)).text).toContain('There is no entry');
    const revised = await page.post('/ledger/revise', {
      id: data.id,
      title: 'Marmalade',
      text: 'It is gone.',
    });
    expect(revised.status).toBe(303);
    const jam = { title: 'Jam', text: 'The jam is beside it.', provenance: 'cmd:look' };
    expect((await page.post('/ledger/add', { ...jam, visibility: 'Me' })).status).toBe(400);
    expect((await page.post('/ledger/add', { ...jam, visibility: 'me' })).status).toBe(303);
    expect((await callTool(base, ada, 'search', { question: 'jam beside' })).text).toContain('beside it');
    expect(await (await page.get(`/ledger/entry?id=${data.id}`)).text()).toContain('It is gone.');
    expect((await page.post('/ledger/status', deprecate)).status).toBe(303);
    // It is of this workspace: in another one its author does not see it either.
    await team.member('ada', 'kitchen', ...ALL);
    const elsewhere = await team.token('ada', ['read'], { workspace: 'kitchen' });
    expect((await callTool(base, elsewhere.secret, 'search', { question: 'jam beside' })).text).not.toContain(
      'beside it',
    );
    // Nothing of all this has come to the workspace: no entry, no event.
    const shared = team.ledger('garden');
    expect((await shared.list({ limit: -1 })).map(({ title }) => title)).toEqual(['Kettle']);
    expect(JSON.stringify(await shared.events())).not.toMatch(/armalade|flour|gone|jam/);
  });

  it('is shown to more people only by its author in a browser, and after an approval', async () => {
    const { team, base, ada, bob, carl } = await garden();
    const { data } = await callTool(base, ada, 'knowledge_add', OWN);
    const [page, others] = [await signedIn(team, base, 'ada'), await signedIn(team, base, 'bob')];
    const rule = { evidence_refs: ['cmd:x'], reason: 'r', as: 'procedural/x' };
    const promoted = await callTool(base, ada, 'knowledge_promote', { ...rule, source_entry_id: data.id });
    expect(promoted.text).toContain('Only you see');
    expect((await others.post('/ledger/move', { id: data.id })).status).toBe(404);
    expect((await others.json('/index.json')).pending).toEqual([]);

    await approve(team, others, await proposeBy(page, data.id), 'this workspace');
    expect((await callTool(base, bob, 'search', QUESTION)).text).toContain('behind the flour');
    expect((await callTool(base, carl, 'search', QUESTION)).text).not.toContain('behind the flour');
    const [moved] = await team.ledger('garden').entries([data.id]);
    expect([moved?.tags, moved?.status, moved?.citations[0]?.citedBy]).toEqual([
      ['hidden-jar'],
      'active',
      'ada',
    ]);
    expect((await page.json(`/ledger/entry.json?id=${data.id}`)).entry.status).toBe('active');

    await approve(team, page, await proposeBy(others, data.id), 'every workspace of the team');
    for (const [who, token] of Object.entries({ ada, bob, carl }))
      expect((await callTool(base, token, 'search', QUESTION)).text, who).toContain('behind the flour');
    const kitchen = await signedIn(team, base, 'carl');
    expect(await (await kitchen.get(`/ledger/entry?id=${data.id}`)).text()).toContain('whole team');
    const refused = await kitchen.post('/ledger/status', { id: data.id, action: 'deprecate' });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('the right to approve'),
    ]);
    const again = await kitchen.post('/ledger/move', { id: data.id });
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('sees')]);
  });

  it('needs the right to propose, and a proposal for the workspace waits all the same', async () => {
    const { team, base } = await garden();
    const { secret: reader } = await team.token('ada', ['read']);
    const { secret: proposer } = await team.token('ada', ['read', 'propose']);
    expect((await callTool(base, reader, 'knowledge_add', OWN)).text).toContain('There is no tool');
    expect((await callTool(base, proposer, 'knowledge_add', OWN)).data.action).toBe('inserted');
    const shared = await callTool(base, proposer, 'knowledge_add', { ...OWN, visibility: 'workspace' });
    expect(shared.data.approval_id).toBeDefined();
    const stray = await callTool(base, proposer, 'knowledge_add', { ...OWN, visibility: 'team' });
    expect(stray.isError).toBe(true);
    expect((await team.ledger('garden').list({ limit: -1 })).map(({ title }) => title)).toEqual(['Kettle']);
  });
});

type Browser = ReturnType<typeof browser>;

async function proposeBy(their: Browser, id: string): Promise<string> {
  const answer = await their.post('/ledger/move', { id });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '', 'https://x').searchParams.get('id') ?? '';
}

async function approve(team: ServedTeam, their: Browser, id: string, audience: string): Promise<void> {
  const page = await (await their.get(`/approvals/show?id=${id}`)).text();
  expect(page).toContain('The marmalade is behind the flour.');
  expect(page).toContain(audience);
  const [digest = ''] = /(?<=name="digest" value=")[0-9a-f]+/.exec(page) ?? [];
  const answer = await their.post('/approvals/approve', { id, digest, back: '/approvals' });
  expect(answer.status).toBe(303);
  expect(await team.endOfWork(id)).toBe('done');
}

/** The names of what is counted; the numbers grow with every request. */
async function metricsOf({ servers }: ServedTeam): Promise<readonly string[]> {
  const texts = await Promise.all(
    servers.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  const names = texts.flatMap((text) => text.split('\n').map((line) => line.replace(/ [\d.e+-]+$/, '')));
  return [...new Set(names)].filter((name) => !name.includes('status="404"')).sort();
}
