import { describe, expect, it } from 'vitest';
import { leavePending } from '../approvals/pending.ts';
import { sandbox } from '../cli/ken.ts';
import { ptyProblem } from '../cli/pty.ts';
import { connect, ERAS, ODD_SERVER, textOf } from '../mcp/connect.ts';
import { browserProblem, openBrowser, openTab } from './browser.ts';
import { formToken, ownForm, type ServedPage, servePage, signIn } from './serve-page.ts';

const CALL = { name: 'asks', arguments: {} };

describe.skipIf(ptyProblem())('an approval that is given on the page', () => {
  it('lets exactly one waiting call of a client go on', async () => {
    const place = sandbox('');
    const [era] = ERAS;
    const { client } = await connect(place, {
      era,
      name: 'eager',
      transport: 'stdio',
      words: [],
      program: ODD_SERVER,
    });
    expect((await client.callTool(CALL)).isError).toBe(true);
    const page = await servePage(place);
    const cookie = await signIn(page);
    const { approvals } = JSON.parse((await page.ask({ path: '/approvals.json', headers: { cookie } })).body);
    expect(approvals).toMatchObject([{ status: 'pending', actor: 'eager' }]);
    const [{ id, digest }] = approvals;
    expect((await decide(page, cookie, 'approve', { id, digest: '0' })).notice).toContain(
      'has changed since it was shown',
    );
    expect((await decide(page, cookie, 'approve', { id, digest })).notice).toContain('Approved.');
    // A second tab that decides too late is told so.
    expect((await decide(page, cookie, 'approve', { id, digest })).notice).toContain('was given already');
    const answer = await client.callTool(CALL);
    expect([answer.isError ?? false, textOf(answer)]).toMatchObject([false, expect.any(String)]);
    expect((await client.callTool(CALL)).isError).toBe(true);
    const { stdout } = await place.ken(['approvals', 'ls', '--all', '--json']);
    expect(JSON.parse(stdout).approvals.at(-1)).toMatchObject({
      status: 'consumed',
      decision: { through: 'web' },
    });
  });

  it('has no route on a read-only page', async () => {
    const place = sandbox('');
    const { id, digest } = await leavePending(place, { type: 'workspace_escape', path: '/etc/hosts' });
    const page = await servePage(place, '--read-only');
    const cookie = await signIn(page);
    const { body } = await page.ask({ path: `/approvals/show?id=${id}`, headers: { cookie } });
    expect(body).toContain('This page is read only.');
    expect((await post(page, cookie, '/approvals/approve', { id, digest, form_token: 'x' })).status).toBe(
      404,
    );
  });
});

const missing = browserProblem();

describe.skipIf(missing)(`the inbox${missing ? ` (${missing})` : ''}`, () => {
  it('fills by itself, and a request is denied with two clicks', async () => {
    const page = await servePage();
    const tab = await openTab(await openBrowser(), page);
    await tab.goto(`http://${page.host}/approvals`);
    await tab.getByText('Nothing waits for your approval.').waitFor();
    await leavePending(page.sandbox, { type: 'workspace_escape', path: '/etc/hosts' });
    await tab.getByRole('link', { name: 'Use a path outside the workspace?' }).click();
    expect(await tab.locator('pre.request').first().textContent()).toBe('/etc/hosts');
    expect(await tab.title()).toMatch(/^\(1\) /);
    await tab.getByRole('button', { name: 'Deny' }).click();
    await tab.getByText('Denied.').waitFor();
  });
});

async function post(page: ServedPage, cookie: string, path: string, fields: Record<string, string>) {
  return page.ask({
    method: 'POST',
    path,
    headers: { cookie, ...ownForm(page.host) },
    body: String(new URLSearchParams(fields)),
  });
}

/** Decides as a form does, and reads what the next page says. */
async function decide(
  page: ServedPage,
  cookie: string,
  what: string,
  fields: { id: string; digest: string },
) {
  const token = await formToken(page, cookie);
  const back = `/approvals/show?id=${fields.id}`;
  const { headers } = await post(page, cookie, `/approvals/${what}`, { ...fields, back, form_token: token });
  const { body } = await page.ask({ path: headers.location ?? '/', headers: { cookie } });
  return { notice: /class="notice[\s\S]*?<\/div>/.exec(body)?.[0] ?? '' };
}
