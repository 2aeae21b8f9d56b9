import { describe, expect, it } from 'vitest';
import { postgresProblem } from './postgres.ts';
import { browser, callTool, mcpCall, PUBLIC, roundRobin, servedTeam, warningsOf } from './serving.ts';

const FACT = { title: 'Kettle', text: 'The kettle is descaled in May.', provenance: ['cmd:x'] };

describe.skipIf(postgresProblem() !== undefined)(
  'two processes behind a proxy that asks them in turn',
  () => {
    it('sign in, propose, approve and find, whichever answers, and hear of it at once', async () => {
      const team = await servedTeam({ processes: 2 });
      const base = await roundRobin(team.servers);
      await team.member('ada', 'garden', 'read', 'propose', 'write', 'approve');
      await team.member('bob', 'garden', 'read', 'propose');
      const ada = browser(base);
      const login = await team.login('ada');
      expect(await (await ada.get(login)).text()).toContain('The address works once');
      const signedIn = await ada.signIn(login);
      expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/']);
      expect(signedIn.headers.getSetCookie()[0]).toMatch(
        /^__Host-ken=[0-9a-f]{64}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      );
      for (const again of [1, 2]) expect((await ada.signIn(login)).status, `time ${again}`).toBe(403);
      for (const path of ['/', '/search?q=kettle', '/approvals', '/ledger'])
        expect((await ada.get(path)).status, path).toBe(200);

      const listening = new AbortController();
      const stream = await ada.stream('/events', listening.signal);
      const events = readEvents(stream);
      expect(JSON.parse((await events.next()).value ?? '').approvals).toEqual([]);
      const { secret } = await team.token('bob', ['read', 'propose', 'write']);
      const asked = await callTool(base, secret, 'knowledge_add', FACT);
      expect(asked.text).toContain(`a person of the team decides at ${PUBLIC}/approvals`);
      const id = asked.data.approval_id;
      const began = performance.now();
      expect(JSON.parse((await events.next()).value ?? '').approvals).toEqual([id]);
      // Without a notice, the next look is after fifteen seconds.
      expect(performance.now() - began).toBeLessThan(10_000);
      listening.abort();

      expect((await callTool(base, secret, 'search', { question: 'kettle' })).text).not.toContain('descaled');
      const page = await (await ada.get(`/approvals/show?id=${id}`)).text();
      expect(page).toContain('The kettle is descaled in May.');
      const [digest] = /(?<=name="digest" value=")[0-9a-f]+/.exec(page) ?? [''];
      const approved = await ada.post('/approvals/approve', { id, digest, back: '/approvals' });
      expect([approved.status, approved.headers.get('location')]).toEqual([
        303,
        expect.stringContaining('done=saved'),
      ]);
      expect(await team.endOfWork(id)).toBe('done');
      const [entry] = await team.ledger('garden').list({ limit: 5 });
      expect([entry?.title, entry?.citations[0]?.citedBy]).toEqual(['Kettle', 'bob']);
      for (const again of [1, 2]) {
        const found = await callTool(base, secret, 'search', { question: 'kettle descaled' });
        expect(found.text, `time ${again}`).toContain('descaled in May');
      }
      const again = await ada.post('/approvals/approve', { id, digest, back: '/approvals' });
      expect([again.status, await again.text()]).toEqual([403, expect.stringContaining('has been used')]);
      expect((await team.ledger('garden').list({ limit: 5 })).length).toBe(1);

      const audit = await team.access.audit({ limit: 50 });
      expect(audit.filter(({ act }) => act.startsWith('approvals.approve'))).toMatchObject([
        { person: 'ada', channel: 'browser', origin: '203.0.113.7', workspace: 'garden', outcome: 'done' },
      ]);
      const out = await ada.post('/sign-out', {});
      expect(out.status).toBe(303);
      for (const again of [1, 2]) expect((await ada.get('/ledger.json')).status, `time ${again}`).toBe(401);
    });

    it('keep the index where the database cannot find candidates, and say once why', async () => {
      const team = await servedTeam({ settings: { 'team.search': 'server' } });
      const base = await roundRobin(team.servers);
      await team.member('ada', 'garden', 'read', 'write');
      const { secret } = await team.token('ada', ['read', 'write']);
      await callTool(base, secret, 'knowledge_add', FACT);
      const found = async () =>
        (await callTool(base, secret, 'search', { question: 'kettle descaled' })).text;
      const said = () => team.servers.flatMap(warningsOf);
      do expect(await found()).toContain('in May');
      while (said().length === 0);
      expect(await found()).toContain('in May');
      expect(said()).toEqual([expect.stringContaining('lacks vector or pg_textsearch')]);
    });

    it('a token ends everywhere the moment it is revoked, and a wrong one is told nothing', async () => {
      const team = await servedTeam({ processes: 2 });
      const base = await roundRobin(team.servers);
      await team.member('ada', 'garden', 'read');
      const { secret, id } = await team.token('ada', ['read']);
      const list = () => mcpCall(base, { token: secret, method: 'tools/list' });
      for (const { body } of [await list(), await list()])
        expect(body.result.tools.map(({ name }: { name: string }) => name).sort()).toEqual([
          'job_status',
          'knowledge_search',
          'learn',
          'reference_search',
          'reference_topic_list',
          'reference_topic_search',
          'search',
          'show',
        ]);
      await team.access.revokeToken(id, Date.now());
      for (const { status, headers } of [await list(), await list()]) {
        expect(status).toBe(401);
        expect(headers.get('www-authenticate')).toContain(
          `resource_metadata="${PUBLIC}/.well-known/oauth-protected-resource/mcp"`,
        );
      }
    });
  },
);

async function* readEvents(answer: Response): AsyncGenerator<string, undefined> {
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      const data = event
        .split('\n')
        .find((line) => line.startsWith('data: '))
        ?.slice(6);
      if (event.includes('event: state') && data !== undefined) yield data;
    }
  }
  return undefined;
}
