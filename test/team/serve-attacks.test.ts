/** Bodies without end, forged tokens, addresses that lead elsewhere and odd characters, sent on purpose. */

import { request as httpRequest } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { identityProvider } from './identity-provider.ts';
import { postgresProblem } from './postgres.ts';
import { browser, callTool, mcpCall, PUBLIC, roundRobin, servedTeam } from './serving.ts';

const RESOURCE = `${PUBLIC}/mcp`;

async function provided() {
  const provider = await identityProvider('ken-web');
  const settings = { 'serve.issuer': provider.issuer, 'serve.client_id': 'ken-web' };
  const team = await servedTeam({ settings });
  await team.member('ada', 'garden', 'read', 'propose', 'write');
  return { provider, team, base: await roundRobin(team.servers) };
}

describe.skipIf(postgresProblem() !== undefined)('an attack on the server of a team', () => {
  it('reads no more of a body than two megabytes, also when its length is not told', async () => {
    const team = await servedTeam();
    await team.member('ada', 'garden', 'read');
    const base = await roundRobin(team.servers);
    const { secret } = await team.token('ada', ['read']);
    const ada = browser(base);
    await ada.signIn(await team.login('ada'));
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const asked = { ...json, authorization: `Bearer ${secret}` };
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: PUBLIC, cookie };
    const small = await sentInPieces(base, '/mcp', { headers: asked, begin: message, megabytes: 1 });
    expect(small).toBe('200');
    for (const [path, headers, begin] of [
      ['/mcp', asked, message],
      ['/choose', form, 'workspace=garden&x='],
    ] as const)
      expect(await sentInPieces(base, path, { headers, begin, megabytes: 8 }), path).toMatch(/413|cut/);
  });

  it('believes no token whose head names its own keys, or no signature at all', async () => {
    const { provider, base } = await provided();
    const now = Math.floor(Date.now() / 1000);
    const good = {
      iss: provider.issuer,
      sub: 'ada',
      iat: now,
      exp: now + 600,
      aud: RESOURCE,
      scope: 'read write',
    };
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'mine' };
    const { keys } = (await (await fetch(`${provider.issuer}/keys`)).json()) as { keys: object[] };
    const theirs = new TextEncoder().encode(JSON.stringify(keys[0]));
    const own = (head: object, claims = good) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one', ...head }).sign(privateKey);
    const forged = {
      'no signature': new UnsecuredJWT(good).encode(),
      'a key in its head': await own({ jwk }),
      'the address of its keys': await own({ jku: 'https://evil.example/keys', kid: 'mine' }),
      'a certificate in its head': await own({ x5u: 'https://evil.example/cert' }),
      'the public key as a secret': await new SignJWT(good)
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .sign(theirs),
      'another key under the known name': await own({}),
    };
    const unfit = {
      'a time to come': { nbf: now + 600 },
      'an issuer that looks alike': { iss: `${provider.issuer}/` },
      'several audiences, none of them this one': { aud: [`${RESOURCE}/`, PUBLIC, `${RESOURCE}x`] },
    };
    for (const [name, token] of Object.entries(forged))
      expect((await mcpCall(base, { token, method: 'tools/list' })).status, name).toBe(401);
    for (const [name, claims] of Object.entries(unfit)) {
      const token = await provider.accessToken({ ...good, ...claims });
      expect((await mcpCall(base, { token, method: 'tools/list' })).status, name).toBe(401);
    }
    for (const name of ['exp', 'sub'] as const) {
      const { [name]: _, ...rest } = good;
      const token = await provider.signed(rest);
      expect((await mcpCall(base, { token, method: 'tools/list' })).status, `without ${name}`).toBe(401);
    }
    const token = await provider.accessToken(good);
    expect((await mcpCall(base, { token, method: 'tools/list' })).status).toBe(200);
  });

  it('signs nobody in with a code or an answer that belongs to another sign-in', async () => {
    const { provider, base } = await provided();
    const begin = async () => {
      const one = browser(base);
      const there = new URL(
        (await one.get('/sign-in?code_challenge_method=plain')).headers.get('location') ?? '',
      );
      expect(there.searchParams.get('code_challenge_method')).toBe('S256');
      const back = await fetch(there, { redirect: 'manual' });
      return { one, back: new URL(back.headers.get('location') ?? '') };
    };
    const [mine, theirs] = [await begin(), await begin()];
    // The code of another sign-in, with the state of this one.
    const { searchParams } = mine.back;
    searchParams.set('code', theirs.back.searchParams.get('code') ?? '');
    expect((await mine.one.get(`/sign-in/back?${searchParams}`)).status).toBe(403);
    for (const change of [{ nonce: 'another' }, { aud: 'another-client' }, { iss: 'https://evil.example' }]) {
      provider.answersWith(change);
      const { one, back } = await begin();
      expect((await one.get(`/sign-in/back${back.search}`)).status, JSON.stringify(change)).toBe(403);
    }
    provider.answersWith({});
    const { one, back } = await begin();
    expect((await one.get(`/sign-in/back${back.search}`)).status).toBe(303);
  });

  it('keeps no cookie from before the sign-in', async () => {
    const team = await servedTeam();
    await team.member('ada', 'garden', 'read');
    const base = await roundRobin(team.servers);
    const [ada, mallory] = [browser(base), browser(base)];
    for (const each of [ada, mallory]) each.cookies.set('__Host-ken', 'f'.repeat(64));
    await ada.signIn(await team.login('ada'));
    expect(ada.cookies.get('__Host-ken')).not.toBe('f'.repeat(64));
    expect((await ada.get('/ledger.json')).status).toBe(200);
    expect((await mallory.get('/ledger.json')).status).toBe(401);
  });

  it('sends nobody to another site', async () => {
    const team = await servedTeam();
    await team.member('ada', 'garden', 'read', 'write');
    const base = await roundRobin(team.servers);
    const ada = browser(base);
    const elsewhere = [
      '//evil.example/x',
      '//evil.example',
      '/\\evil.example/x',
      '///evil.example',
      '/.//evil.example',
    ];
    for (const path of elsewhere) {
      const page = await rawPage(base, path);
      expect(page, path).not.toMatch(/(?:url=|href=")(?:\/\/|\/\\|https?:)[^"]*evil/);
    }
    await ada.signIn(await team.login('ada'));
    await team.ledger('garden').add(await entry());
    for (const back of [...elsewhere, 'https://evil.example/']) {
      const fields = { id: 'one', action: 'deprecate', reason: 'r', back };
      const { headers } = await ada.post('/ledger/status', fields);
      expect(headers.get('location') ?? '/', back).not.toMatch(/^(?:\/[/\\]|https?:)/);
    }
  });

  it('answers odd characters with a sentence, wherever they stand', async () => {
    const team = await servedTeam();
    await team.member('ada', 'garden', 'read', 'propose', 'write', 'approve', 'admin');
    const base = await roundRobin(team.servers);
    const { secret } = await team.token('ada', ['read', 'propose', 'write']);
    const ada = browser(base);
    await ada.signIn(await team.login('ada'));
    const odd = [
      'a\u0000b',
      '\ud800',
      "'; drop table ken.entry; --",
      '%',
      '\u202e$1',
      '{}',
      '01KZZZZZZZZZZZZZZZZZZZZZZZ',
    ];
    for (const text of odd) {
      for (const [name, given] of [
        ['search', { question: text }],
        ['show', { uri: `ken://entry/${text}` }],
        ['learn', { topic: text, subjects: text }],
        ['knowledge_search', { question: text }],
        ['knowledge_add', { title: text, text, provenance: [`cmd:${text}`], tags: [text], merge_key: text }],
        ['knowledge_feedback', { question: text, returned_ids: [text], used_ids: [], outcome: 'helped' }],
        [
          'knowledge_promote',
          { source_entry_id: text, evidence_refs: [text], reason: text, as: `procedural/${text}` },
        ],
        ['reference_topic_search', { query: text }],
        ['reference_search', { question: text, topic: text }],
        ['job_status', { id: text }],
      ] as const) {
        const { status, text: answer } = await callTool(base, secret, name, given, 'garden');
        expect([status, answer], `${name} ${JSON.stringify(text)}`).toEqual([
          200,
          expect.not.stringMatching(BUG),
        ]);
      }
      const inPath = encodeURIComponent(text.toWellFormed());
      const workspace = await mcpCall(base, { token: secret, workspace: inPath, method: 'tools/list' });
      expect(workspace.status, `workspace ${inPath}`).toBe(404);
      for (const path of [
        `/search?q=${inPath}`,
        `/ledger?q=${inPath}`,
        `/ledger/entry?id=${inPath}`,
        `/kb/subject?topic=${inPath}&slug=${inPath}`,
        `/references/topic?id=${inPath}`,
        `/conversations/show?id=${inPath}`,
        `/approvals/show?id=${inPath}`,
        `/cite?uri=${inPath}`,
        `/login/${inPath}`,
        `/sign-in/back?state=${inPath}&code=${inPath}`,
      ]) {
        const answer = await ada.get(path);
        expect([answer.status < 500, await answer.text()], path).toEqual([
          true,
          expect.not.stringMatching(BUG),
        ]);
      }
      const chosen = await ada.post('/choose', { workspace: text });
      expect(chosen.status, JSON.stringify(text)).toBe(404);
    }
    for (const path of [
      '/search?q=%ff%fe',
      '/ledger/entry?id=%c3%28',
      '/mcp/%ff',
      '/%00',
      '/%2e%2e/%2e%2e/etc/passwd',
    ])
      expect((await ada.get(path)).status, path).toBeLessThan(500);
    const errors = team.servers.flatMap((server) => server.errors);
    expect(errors.filter((line) => line.includes('bug'))).toEqual([]);
    expect((await team.ledger('garden').list({ limit: -1 })).length).toBeGreaterThan(0);
  });

  it('counts what a proxy says only from the proxy, and of several addresses the last one', async () => {
    const team = await servedTeam({ words: ['--behind-proxy', '127.0.0.1/32'] });
    await team.member('ada', 'garden', 'read');
    const base = await roundRobin(team.servers, '198.51.100.1, 203.0.113.9');
    expect((await mcpCall(base, { token: `ken_${'0'.repeat(64)}`, method: 'tools/list' })).status).toBe(401);
    const [denied] = await team.access.audit({ limit: 1 });
    expect(denied?.origin).toBe('203.0.113.9');
    const far = await servedTeam({ words: ['--behind-proxy', '10.0.0.0/8'] });
    const near = await roundRobin(far.servers);
    for (const path of ['/', '/mcp', '/.well-known/oauth-protected-resource/mcp'])
      expect((await fetch(`${near}${path}`)).status, path).toBe(403);
  });
});

const BUG = /ken has a bug|Internal error|internal server error/i;

async function entry() {
  const { adding } = await import('../../src/domain/ledger/store.contract.ts');
  return adding('one', 10, { title: 'Marmalade', text: 'behind the flour' });
}

interface Pieces {
  readonly headers: Readonly<Record<string, string>>;
  readonly begin: string;
  readonly megabytes: number;
}

/** Sends a body without its length: spaces after `begin`. Returns the status, or `cut` where nobody reads on. */
function sentInPieces(base: string, path: string, { headers, begin, megabytes }: Pieces): Promise<string> {
  return new Promise((resolve) => {
    const request = httpRequest(`${base}${path}`, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(String(answer.statusCode));
    });
    request.on('error', () => resolve('cut'));
    request.write(begin);
    for (let megabyte = 0; megabyte < megabytes; megabyte++) request.write(' '.repeat(1_000_000));
    request.end();
  });
}

/** Without what `fetch` does to an address. */
function rawPage(base: string, path: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    httpRequest({ hostname, port, path }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(`${answer.headers.location ?? ''} ${Buffer.concat(chunks)}`));
    })
      .on('error', reject)
      .end();
  });
}
