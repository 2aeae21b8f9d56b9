import { describe, expect, it } from 'vitest';
import { identityProvider } from './identity-provider.ts';
import { postgresProblem } from './postgres.ts';
import { browser, callTool, mcpCall, PUBLIC, roundRobin, servedTeam } from './serving.ts';

const RESOURCE = `${PUBLIC}/mcp`;

async function withProvider(processes = 2) {
  const provider = await identityProvider('ken-web');
  const settings = { 'serve.issuer': provider.issuer, 'serve.client_id': 'ken-web' };
  const team = await servedTeam({ processes, settings });
  return { provider, team, base: await roundRobin(team.servers) };
}

describe.skipIf(postgresProblem() !== undefined)('the company’s identity provider', () => {
  it('signs people in by code and PKCE, begun at one process and ended at another', async () => {
    const { provider, team, base } = await withProvider();
    await team.member('ada', 'garden', 'read');
    const ada = browser(base);
    const begun = await ada.get('/sign-in');
    const there = new URL(begun.headers.get('location') ?? '');
    expect(begun.headers.getSetCookie()[0]).toMatch(/^__Host-ken-sign-in=.*HttpOnly; Secure; SameSite=Lax$/);
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'ken-web',
      redirect_uri: `${PUBLIC}/sign-in/back`,
      code_challenge_method: 'S256',
    });
    const back = async () => {
      const answer = await fetch(there, { redirect: 'manual' });
      const url = new URL(answer.headers.get('location') ?? '');
      return `${url.pathname}${url.search}`;
    };
    // Somebody else's browser cannot use what this one has begun.
    expect((await browser(base).get(await back())).status).toBe(403);
    const address = await back();
    const wrong = browser(base);
    wrong.cookies.set('__Host-ken-sign-in', '0'.repeat(64));
    expect((await wrong.get(address)).status).toBe(403);
    const ended = await ada.get(address);
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/']);
    expect(await (await ada.get('/')).text()).toContain('Sign out ada');
    expect((await ada.get(address)).status).toBe(403);
    expect(provider.issuer).toMatch(/^http:\/\/127/);
  });

  it('issues tokens for assistants, described as RFC 9728 has it', async () => {
    const { provider, team, base } = await withProvider(1);
    await team.member('ada', 'garden', 'read', 'propose', 'write', 'approve');
    const found = await fetch(`${base}/.well-known/oauth-protected-resource/mcp`);
    expect(await found.json()).toMatchObject({
      resource: RESOURCE,
      authorization_servers: [provider.issuer],
      scopes_supported: ['read', 'propose', 'write'],
    });
    const refused = await mcpCall(base, { method: 'tools/list' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining(`resource_metadata="${PUBLIC}/.well-known/oauth-protected-resource/mcp"`),
    ]);
    const token = await provider.accessToken({ aud: RESOURCE, scope: 'read write' });
    const added = await callTool(base, token, 'knowledge_add', {
      title: 'T',
      text: 'Said.',
      provenance: ['cmd:x'],
    });
    expect([added.isError, added.data.action]).toEqual([false, 'inserted']);
    const [entry] = await team.ledger('garden').list({ limit: 1 });
    expect(entry?.citations[0]?.citedBy).toMatch(/^ada \(/);
    provider.isCalled('not a name');
    const odd = await provider.accessToken({ aud: RESOURCE, scope: 'read' });
    expect((await mcpCall(base, { token: odd, method: 'tools/list' })).status).toBe(401);
  });
});

describe.skipIf(postgresProblem() !== undefined)('what stands before a request', () => {
  it('answers to its name alone, believes only its proxy, and tells only this machine its numbers', async () => {
    const team = await servedTeam();
    const [server] = team.servers;
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${server?.port}${path}`, { headers, redirect: 'manual' });
    const proxied = { host: 'ken.example.org', 'x-forwarded-proto': 'https' };
    expect((await rawStatus(server?.port ?? 0, '/', { ...proxied })).status).toBe(401);
    expect(
      (await rawStatus(server?.port ?? 0, '/', { ...proxied, 'x-forwarded-proto': 'http' })).status,
    ).toBe(400);
    expect((await rawStatus(server?.port ?? 0, '/', { ...proxied, host: 'evil.example' })).status).toBe(421);
    expect(
      (await rawStatus(server?.port ?? 0, '/', { ...proxied, origin: 'https://evil.example' })).status,
    ).toBe(403);
    expect(
      (await rawStatus(server?.port ?? 0, '/mcp', { ...proxied, origin: 'https://evil.example' })).status,
    ).toBe(403);
    expect(await (await ask('/healthz')).text()).toBe('ok\n');
    expect(await (await ask('/readyz')).text()).toBe('ok\n');
    const numbers = await (await ask('/metrics')).text();
    expect(numbers).toMatch(/^# TYPE ken_requests counter\n[\s\S]*\n# EOF\n$/);
    expect((await rawStatus(server?.port ?? 0, '/metrics', proxied)).status).not.toBe(200);
  });

  it('starts on no open address without TLS, and under no address that is not https', async () => {
    const { ken } = (await import('../cli/ken-here.ts')).sandboxHere('');
    const environment = { KEN_TEAM_URL: 'postgres://nobody@127.0.0.1:1/x' };
    const words = ['serve', '--host', '0.0.0.0', '--public-url', PUBLIC];
    expect(await ken(words, { environment })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Beyond this machine the connection has to be encrypted.'),
    });
    expect(await ken(['serve', '--public-url', 'http://ken.example.org'], { environment })).toMatchObject({
      code: 2,
    });
    expect(await ken(['serve', '--public-url', PUBLIC], { environment })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('127.0.0.1:1/x cannot be reached.'),
    });
  });

  it('slows one token down without the others', async () => {
    const team = await servedTeam({
      words: ['--behind-proxy', '127.0.0.1/32', '--requests-per-minute', '5'],
    });
    const base = await roundRobin(team.servers);
    await team.member('ada', 'garden', 'read');
    const [one, other] = [await team.token('ada', ['read']), await team.token('ada', ['read'])];
    const statuses: number[] = [];
    for (let at = 0; at < 7; at++)
      statuses.push((await mcpCall(base, { token: one.secret, method: 'tools/list' })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await mcpCall(base, { token: other.secret, method: 'tools/list' })).status).toBe(200);
  });
});

/** Without the headers that `fetch` sets by itself. */
async function rawStatus(port: number, pathname: string, headers: Record<string, string>) {
  const { request } = await import('node:http');
  return new Promise<{ readonly status: number | undefined }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: pathname, headers }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode });
    })
      .on('error', reject)
      .end();
  });
}
