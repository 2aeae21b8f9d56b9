/** Every tool, route and command, for everybody who has no right to it: refused, logged, and nothing is learned. */

import { describe, expect, it } from 'vitest';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import { sharedAt } from '../../src/domain/team/conversations/shared-conversations.contract.ts';
import { hashOf } from '../../src/entry/serve/authenticate.ts';
import { ACTIONS, PAGES } from '../../src/entry/serve/team-pages.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { identityProvider } from './identity-provider.ts';
import { databaseUrl, postgresProblem } from './postgres.ts';
import { browser, callTool, mcpCall, PUBLIC, roundRobin, type ServedTeam, servedTeam } from './serving.ts';

const SECRET = 'the marmalade is behind the flour';
const TALK = sharedAt(1, '').id;
const TOOLS: Readonly<Record<string, object>> = {
  search: { question: 'marmalade' },
  show: { uri: 'ken://entry/secret' },
  learn: { topic: 'secret', subjects: 'secret' },
  reference_topic_list: {},
  reference_topic_search: { query: 'marmalade' },
  reference_search: { question: 'marmalade' },
  reference_topic_create: {
    title: 'Marmalade',
    body: 'x',
    sources: [{ type: 'web', url: 'https://example.org/marmalade' }],
  },
  knowledge_search: { question: 'marmalade' },
  knowledge_add: { title: 'X', text: 'Y', provenance: ['cmd:x'] },
  knowledge_feedback: { question: 'q', returned_ids: ['secret'], used_ids: [], outcome: 'helped' },
  knowledge_promote: { source_entry_id: 'secret', evidence_refs: ['cmd:x'], reason: 'r', as: 'procedural/x' },
  job_status: { id: 'secret' },
};
const METHODS = [
  {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  },
  { method: 'tools/list' },
  { method: 'resources/list' },
  { method: 'resources/templates/list' },
  { method: 'resources/read', params: { uri: 'ken://entry/secret' } },
  { method: 'resources/read', params: { uri: 'ken://kb/secret' } },
  { method: 'resources/read', params: { uri: 'ken://kb/secret/secret' } },
  { method: 'resources/read', params: { uri: 'ken://ref/topic-secret' } },
  {
    method: 'resources/read',
    params: { uri: `ken://ref/topic-secret@${'c0ffee'.padEnd(40, '0')}/secret.md` },
  },
  { method: 'resources/read', params: { uri: `ken://conversation/${TALK}` } },
  { method: 'prompts/list' },
  { method: 'prompts/get', params: { name: 'reference-researcher' } },
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/resource', uri: 'ken://entry/{id}' }, argument: { name: 'id', value: '' } },
  },
  ...Object.entries(TOOLS).map(([name, given]) => ({
    method: 'tools/call',
    params: { name, arguments: given },
  })),
];
const RESOURCE = `${PUBLIC}/mcp`;

async function garden() {
  const provider = await identityProvider('ken-web');
  const settings = { 'serve.issuer': provider.issuer, 'serve.client_id': 'ken-web' };
  const [team, other] = [await servedTeam({ settings }), await servedTeam()];
  await team.ledger('garden').add(adding('secret', 10, { title: 'Marmalade', text: SECRET }));
  await team.subjects('garden', 'secret', { 'secret.md': SECRET });
  await team.reference('garden', 'secret', { 'secret.md': SECRET });
  await team.conversation('garden', 1, SECRET);
  await team.member('ada', 'garden', 'read', 'propose', 'write', 'approve', 'admin');
  await team.member('bob', 'kitchen', 'read', 'propose', 'write', 'approve', 'admin');
  await other.member('ada', 'garden', 'read', 'propose', 'write', 'approve', 'admin');
  return { provider, team, other, base: await roundRobin(team.servers) };
}

async function strangersTokens({ provider, team, other }: Awaited<ReturnType<typeof garden>>) {
  const all = ['read', 'propose', 'write'] as const;
  const expired = await team.token('ada', all, { expires: Date.now() - 1 });
  const revoked = await team.token('ada', all);
  await team.access.revokeToken(revoked.id, Date.now());
  const scope = 'read propose write approve admin';
  return {
    'no token': undefined,
    'a token that never was': `ken_${'0'.repeat(64)}`,
    'a session in place of a token': '0'.repeat(64),
    'an expired token': expired.secret,
    'a revoked token': revoked.secret,
    'a token of another team': (await other.token('ada', all)).secret,
    'a token of a member of another workspace': (await team.token('bob', all)).secret,
    'a token for another workspace': (await team.token('ada', all, { workspace: 'kitchen' })).secret,
    'a token of somebody without membership': (await team.token('eve', all)).secret,
    'a token without the scope to read': (await team.token('ada', ['write'])).secret,
    'a token of the provider for another resource': await provider.accessToken({
      aud: 'https://elsewhere.example',
      scope,
    }),
    'a token of the provider for a browser': await provider.accessToken({ aud: 'ken-web', scope }),
    'a token that somebody else signed': await provider.forgedToken({ aud: RESOURCE, scope }),
    'an expired token of the provider': await provider.accessToken({ aud: RESOURCE, scope, exp: 1000 }),
    'a token of another issuer': await provider.accessToken({
      aud: RESOURCE,
      scope,
      iss: 'https://elsewhere.example',
    }),
    'a token of the provider without scopes': await provider.accessToken({ aud: RESOURCE }),
  };
}

describe.skipIf(postgresProblem() !== undefined)('somebody without the right', () => {
  it('learns nothing over MCP, not even which workspaces there are', async () => {
    const place = await garden();
    const { team, base } = place;
    const told: string[] = [];
    let refusals = 0;
    for (const [number, [who, token]] of Object.entries(await strangersTokens(place)).entries()) {
      // Each comes from an address of its own: wrong tokens of one address are limited.
      const own = await roundRobin(team.servers, `203.0.113.${number}`);
      for (const [at, { method, params = {} }] of METHODS.entries()) {
        const given = { method, params, ...(token !== undefined && { token }) };
        const [there, nowhere] = await Promise.all([
          mcpCall(own, { ...given, workspace: 'garden' }),
          mcpCall(own, { ...given, workspace: 'nowhere' }),
        ]);
        refusals += [there, nowhere].filter(({ status }) => status !== 429).length;
        const name = `${who}: ${method} ${at}`;
        const isLimited = there.status === 429 || nowhere.status === 429;
        const said = [there, nowhere].map(({ status, body }) => JSON.stringify([status, body]));
        if (!isLimited && said[0] !== said[1])
          told.push(`${name} tells the two apart: ${there.status} ${JSON.stringify(there.body)}`);
        if (![401, 404, 429].includes(there.status)) told.push(`${name} got ${there.status}`);
        if (JSON.stringify(there.body).includes('marmalade')) told.push(`${name} was told`);
      }
    }
    expect(told).toEqual([]);
    const audit = await team.access.audit({ limit: 10_000 });
    expect(audit.filter(({ outcome }) => outcome !== 'denied')).toEqual([]);
    expect(audit.length).toBe(refusals);
    expect((await team.ledger('garden').list({ limit: -1 })).map(({ id }) => id)).toEqual(['secret']);
    // The same calls work for those who may: the test would notice a server that refuses everything.
    const { secret } = await team.token('ada', ['read']);
    expect(
      (await callTool(base, secret, 'knowledge_search', { question: 'marmalade' }, 'garden')).text,
    ).toContain(SECRET);
    const scope = 'read admin approve';
    const provided = await place.provider.accessToken({ aud: RESOURCE, scope });
    expect((await callTool(base, provided, 'knowledge_search', { question: 'marmalade' })).text).toContain(
      SECRET,
    );
    for (const name of ['search', 'learn', 'reference_search'])
      expect((await callTool(base, secret, name, TOOLS[name] ?? {}, 'garden')).text, name).toContain(
        'marmalade',
      );
  });

  it('an assistant approves nothing and administers nothing, whatever its token says', async () => {
    const { provider, team, base } = await garden();
    const scope = 'read propose write approve admin';
    const token = await provider.accessToken({ aud: RESOURCE, scope });
    const { body } = await mcpCall(base, { token, method: 'tools/list' });
    expect(body.result.tools.map(({ name }: { name: string }) => name).sort()).toEqual(
      Object.keys(TOOLS).sort(),
    );
    const asked = await callTool(base, token, 'knowledge_promote', TOOLS.knowledge_promote ?? {});
    const again = await callTool(base, token, 'knowledge_promote', TOOLS.knowledge_promote ?? {});
    expect([asked.isError, again.data?.approval_id]).toEqual([true, asked.data.approval_id]);
    for (const { path } of [...ACTIONS, { path: '/team/revoke' }, { path: '/choose' }]) {
      const answer = await fetch(`${base}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, origin: PUBLIC },
        body: new URLSearchParams({ id: asked.data.approval_id }),
      });
      expect(answer.status, path).toBe(401);
    }
    expect((await fetch(`${base}/team.json`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      401,
    );
    const ids = (await team.ledger('garden').list({ limit: -1 })).map(({ id }) => id);
    expect(ids).toEqual(['secret']);
    // A reader's token is offered nothing that writes, and has it refused.
    const reader = await team.token('ada', ['read']);
    for (const name of ['knowledge_add', 'knowledge_feedback', 'knowledge_promote', 'reference_topic_create'])
      expect((await callTool(base, reader.secret, name, TOOLS[name] ?? {})).text).toContain(
        'There is no tool',
      );
    // Who may only propose changes nothing by it.
    const proposer = await team.token('ada', ['read', 'propose']);
    expect(
      (await callTool(base, proposer.secret, 'knowledge_add', TOOLS.knowledge_add ?? {})).data.approval_id,
    ).toBeDefined();
    expect((await team.ledger('garden').list({ limit: -1 })).length).toBe(1);
    const writer = await team.token('ada', ['read', 'write']);
    expect((await callTool(base, writer.secret, 'knowledge_add', TOOLS.knowledge_add ?? {})).isError).toBe(
      false,
    );
  });

  it('sees no page and changes nothing with a browser', async () => {
    const { team, other, base } = await garden();
    const promotion = await proposed(team, base);
    const paths = [...PAGES.map(({ path }) => path), '/team', '/events', '/cite/raw'];
    const twins = [...PAGES.map(({ path }) => (path === '/' ? '/index.json' : `${path}.json`)), '/team.json'];
    const told: string[] = [];
    for (const [who, cookie] of Object.entries(await strangersCookies(team, other))) {
      const own = await roundRobin(team.servers, `198.51.100.${Object.keys(who).length}`);
      const their = browser(own);
      if (cookie !== undefined) their.cookies.set('__Host-ken', cookie);
      for (const path of [...paths, ...twins]) {
        const stop = new AbortController();
        const answer = await their.stream(
          `${path}?id=${idFor(path)}&topic=secret&slug=secret&uri=ken://entry/secret&q=marmalade&again=1`,
          stop.signal,
        );
        const text =
          answer.status === 200 && path === '/events' ? 'the stream of events' : await answer.text();
        stop.abort();
        if (text.includes('marmalade is') || text.includes('Marmalade')) told.push(`${who} sees ${path}`);
        if (![401, 403, 404, 429].includes(answer.status) && !text.includes('Choose a workspace'))
          told.push(`${who} gets ${answer.status} for ${path}`);
      }
      for (const { path } of [...ACTIONS, { path: '/team/revoke' }]) {
        const fields = {
          id: path.startsWith('/ledger') ? 'secret' : promotion.id,
          digest: promotion.digest,
          action: 'deprecate',
        };
        const body = new URLSearchParams({ form_token: '0'.repeat(64), ...fields });
        const headers = { origin: PUBLIC, ...(cookie && { cookie: `__Host-ken=${cookie}` }) };
        const answer = await fetch(`${own}${path}`, { method: 'POST', body, headers, redirect: 'manual' });
        if (![401, 403, 404, 429].includes(answer.status))
          told.push(`${who} posts ${path}: ${answer.status}`);
      }
    }
    expect(told).toEqual([]);
    const [entry] = await team.ledger('garden').list({ limit: -1 });
    expect([entry?.id, entry?.status]).toEqual(['secret', 'active']);
  });

  it('a reader in a browser decides nothing, and one without admin sees no tokens', async () => {
    const { team, base } = await garden();
    const promotion = await proposed(team, base);
    await team.member('carl', 'garden', 'read');
    const carl = browser(base);
    await carl.signIn(await team.login('carl'));
    for (const path of ['/ledger/entry?id=secret', '/kb/subject?topic=secret&slug=secret'])
      expect(await (await carl.get(path)).text(), path).toContain(SECRET);
    expect(await (await carl.get(`/conversations/show?id=${TALK}`)).text()).toContain(SECRET);
    expect(await (await carl.get('/references/topic?id=topic-secret')).text()).toContain('secret.md');
    for (const { path } of ACTIONS) {
      const fields = {
        id: path.startsWith('/ledger') ? 'secret' : promotion.id,
        digest: promotion.digest,
        action: 'deprecate',
      };
      expect((await carl.post(path, fields)).status, path).toBe(403);
    }
    for (const path of ['/team', '/team.json']) expect((await carl.get(path)).status, path).toBe(403);
    const stolen = await carl.post('/choose', { workspace: 'kitchen' });
    const unknown = await carl.post('/choose', { workspace: 'nowhere' });
    expect([stolen.status, unknown.status]).toEqual([404, 404]);
    const audit = await team.access.audit({ limit: 100, person: 'carl' });
    const denied = audit.filter(({ outcome }) => outcome === 'denied').map(({ act }) => act);
    expect(denied.sort()).toEqual(
      [
        ...ACTIONS.map(({ path }) => `page ${path}`),
        'page /choose',
        'page /choose',
        'page /team',
        'page /team',
      ].sort(),
    );
  });

  it('makes no token, login or member without a person at a terminal', async () => {
    const { team } = await servedTeam();
    const { ken, home } = sandboxHere('');
    const { writeOwnConfig } = await import('../cli/own-config.ts');
    writeOwnConfig(home, `team.name = "${team}"\n`);
    const environment = { KEN_TEAM_URL: await databaseUrl() };
    for (const words of [
      ['token', 'add', '--for', 'ada', '--scope', 'read'],
      ['login', '--for', 'ada', '--public-url', PUBLIC],
      ['member', 'add', 'ada', '--in', 'garden', '--scope', 'admin'],
    ]) {
      const { code, stdout, stderr } = await ken(['serve', ...words], { environment });
      expect([code, stdout, stderr]).toEqual([
        4,
        '',
        expect.stringContaining('there is no person at a terminal'),
      ]);
    }
    // No workspace is called as something else of a team is, such as the index of its references.
    const odd = await ken(['serve', 'member', 'add', 'ada', '--in', 'garden/references', '--scope', 'read'], {
      environment,
    });
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('cannot be the name of a workspace')]);
    expect(JSON.parse((await ken(['serve', 'member', 'ls', '--json'], { environment })).stdout)).toEqual({
      members: [],
    });
    expect(JSON.parse((await ken(['serve', 'token', 'ls', '--json'], { environment })).stdout)).toEqual({
      tokens: [],
    });
  });
});

function idFor(path: string): string {
  if (path.startsWith('/references')) return 'topic-secret';
  return path.startsWith('/conversations') ? TALK : 'secret';
}

async function proposed(team: ServedTeam, base: string) {
  const { secret } = await team.token('ada', ['read', 'propose']);
  const { data } = await callTool(base, secret, 'knowledge_promote', TOOLS.knowledge_promote ?? {});
  const { postgresApprovalStore } = await import('../../src/adapters/postgres/approvals/approval-store.ts');
  const approval = await postgresApprovalStore(team.database, team.team).get(data.approval_id, Date.now());
  return { id: String(data.approval_id), digest: approval?.digest ?? '' };
}

async function strangersCookies(
  team: ServedTeam,
  other: ServedTeam,
): Promise<Record<string, string | undefined>> {
  const session = async (
    place: ServedTeam,
    person: string,
    more: { workspace?: string; expires?: number } = {},
  ) => {
    const cookie = `${person}${Math.random()}`.replace('.', '');
    const expires = more.expires ?? Date.now() + 60_000;
    await place.access.putSession({
      hash: hashOf(cookie),
      person,
      workspace: more.workspace,
      formToken: '0'.repeat(64),
      expires,
    });
    return cookie;
  };
  const ended = await session(team, 'dora');
  await team.access.endSessions('dora');
  const removed = await session(team, 'fred', { workspace: 'garden' });
  return {
    nobody: undefined,
    'a session that never was': '0'.repeat(64),
    'an expired session': await session(team, 'ada', { expires: Date.now() - 1 }),
    'an ended session': ended,
    'a session of another team': await session(other, 'ada', { workspace: 'garden' }),
    'a member of another workspace who asks for this one': await session(team, 'bob', {
      workspace: 'garden',
    }),
    'somebody without membership': await session(team, 'eve'),
    'somebody who is no member any more': removed,
  };
}
