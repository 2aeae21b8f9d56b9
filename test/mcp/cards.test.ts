import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { browserProblem, openBrowser } from '../page/browser.ts';
import { connect, ERAS, type Era, textOf } from './connect.ts';
import { gardenWorkspace } from './garden.ts';

const WITH_CARDS = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};
const PAYLOAD = '<img src=x onerror="window.ran=1"><script>window.ran=1</script><a href="javascript:1">x</a>';

async function connected(era: Era, isShowing = true) {
  const place = gardenWorkspace();
  place.write('.ken/kb/project/evil.md', `# Evil beans\n\nBeans are planted in May. ${PAYLOAD}\n`);
  const { client } = await connect(place, { era, ...(isShowing && { capabilities: WITH_CARDS }) });
  const call = async (name: string, given: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: given });
    const { 'ken/card': card = '' } = z
      .looseObject({ 'ken/card': z.string().optional() })
      .parse(result._meta ?? {});
    return { result, card };
  };
  return { place, client, call };
}

describe.each(ERAS)('a client of $revision that shows cards', (era) => {
  it('gets one for hits, a fact with its evidence, and a request that waits, and no button', async () => {
    const { client, call, place } = await connected(era);
    const { tools } = await client.listTools();
    const carded = tools.filter(({ _meta }) => JSON.stringify(_meta ?? {}).includes('ui://ken/card'));
    expect(carded.map(({ name }) => name)).toEqual([
      'search',
      'show',
      'knowledge_promote',
      'kb_propose',
      'reference_topic_create',
    ]);
    const fact = { title: 'Ports', text: 'The API is on 8080.', provenance: ['file:skills/pdf/SKILL.md#L3'] };
    const { structuredContent } = (await call('knowledge_add', fact)).result;
    const { id } = structuredContent as { id: string };
    await place.ken(['k', 'verify']);

    const hits = await call('search', { question: 'When are beans planted?' });
    expect(hits.card).toContain('ken://kb/project/evil#L3');
    expect(hits.card).toContain('Beans are planted in May.');
    expect(hits.card).not.toContain('<img');
    expect(hits.card).not.toContain('<script');
    expect(textOf(hits.result)).not.toContain('ken/card');
    const evidence = await call('search', { question: 'API port 8080', in: ['ledger'] });
    expect(evidence.card).toContain('file:skills/pdf/SKILL.md#L3');
    const shown = await call('show', { uri: `ken://entry/${id}@v1` });
    expect(shown.card).toContain('<h2>Ports</h2>');
    expect(shown.card).toMatch(/class="badge[^"]*">ok</);
    const text = '# Deploy\n\nAsk Ada first.\n';
    const waits = await call('kb_propose', { topic: 'project', slug: 'deploy', text });
    // Some clients hand every part of an error to their model.
    expect(waits.card).toBe('');
    const { approval_id: waiting } = z
      .looseObject({ approval_id: z.string() })
      .parse(waits.result.structuredContent);
    const uri = `ui://ken/card/${waiting}`;
    expect(waits.result._meta).toMatchObject({ 'ken/request': uri });
    const request = await client.readResource({ uri });
    const card = String(request.contents[0]?._meta?.['ken/card']);
    expect(card).toContain('<span class="gone">- Push to main.');
    expect(card).toContain('<span class="added">+ Ask Ada first.');
    expect(card).toContain('/approvals/show?id=');
    for (const each of [hits.card, evidence.card, shown.card, card])
      expect(each).not.toMatch(/<(?:button|form|input)/);
    await place.ken(['approvals', 'deny', waiting]);
    for (const other of [uri, 'ui://ken/card/none', 'ui://ken/card/'])
      await expect(client.readResource({ uri: other })).rejects.toThrow('No request of this address waits');
    expect((await call('learn', { topic: 'project' })).card).toBe('');
    const { contents } = await client.readResource({ uri: 'ui://ken/card' });
    expect(contents).toMatchObject([{ mimeType: 'text/html;profile=mcp-app' }]);
  });

  it('is the only one that gets them', async () => {
    const { client, call } = await connected(era, false);
    const { tools } = await client.listTools();
    expect(JSON.stringify(tools)).not.toContain('ui://');
    expect((await call('search', { question: 'When are beans planted?' })).card).toBe('');
  });
});

it('shows no request of another workspace', async () => {
  const { client, place } = await connected(ERAS[0]);
  place.write('other/.ken/config.toml', '');
  const ken = (words: readonly string[]) => place.ken(words, { directory: path.join(place.root, 'other') });
  await ken(['k', 'add', '--id', 'pay', '--title', 'Pay', '--text', 'Secret.', '--provenance', 'cmd:x']);
  await ken(['k', 'promote', 'pay', '--evidence-ref', 'a', '--reason', 'r', '--as', 'procedural/pay']);
  const { approvals } = JSON.parse((await ken(['approvals', 'ls', '--json'])).stdout);
  expect(approvals).toHaveLength(1);
  await expect(client.readResource({ uri: `ui://ken/card/${approvals[0].id}` })).rejects.toThrow(
    'No request of this address waits',
  );
});

const missing = browserProblem();

it.skipIf(missing)(
  `shows a card in the client's frame, runs nothing of it, and opens links by the client${missing ? ` (${missing})` : ''}`,
  async () => {
    const { client, call } = await connected(ERAS[1]);
    const [resource] = (await client.readResource({ uri: 'ui://ken/card' })).contents;
    const { card } = await call('search', { question: 'When are beans planted?' });
    const html = resource && 'text' in resource ? String(resource.text) : '';
    const browser = await openBrowser();
    const tab = await browser.context.newPage();
    const forged = '<img src=x onerror="parent.postMessage({method: 1}, String.fromCharCode(42))">';
    const shown = { 'ken/card': `${card}${forged}`, 'ken/page': 'http://ken-a.localhost:1/' };
    await tab.setContent(clientPage(html, { 'ken/request': 'ui://ken/card/1' }, shown));
    await tab.waitForFunction("told.includes('ui/notifications/size-changed')");
    expect(await tab.evaluate('told')).toEqual([
      'ui/initialize',
      'ui/notifications/initialized',
      'resources/read',
      'ui/notifications/size-changed',
    ]);
    const frame = tab.frameLocator('iframe');
    expect(await frame.locator('#card').innerText()).toContain('Beans are planted in May.');
    expect(await frame.locator('#card').locator('img, script, button').count()).toBe(0);
    await frame.getByText('All hits on the page').click();
    await tab.waitForFunction('opened.length > 0');
    expect(await tab.evaluate('opened[0]')).toMatch(/^http:\/\/ken-a\.localhost:1\/search\?q=/);
    expect(browser.problems).toEqual([]);
  },
);

/** A client: the card in a frame that may run scripts and nothing else, which reads what its answer names. */
function clientPage(html: string, meta: object, read: object): string {
  const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');
  return `<iframe sandbox="allow-scripts" style="width:600px;height:600px"></iframe><script>
    const told = [], opened = [], frame = document.querySelector('iframe');
    const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
    addEventListener('message', ({ data }) => {
      if (data.method === 'ui/open-link') return opened.push(data.params.url);
      told.push(data.method);
      if (data.method === 'ui/initialize') send({ id: data.id, result: {} });
      if (data.method === 'ui/notifications/initialized')
        send({ method: 'ui/notifications/tool-result', params: { _meta: ${inScript(meta)} } });
      if (data.method === 'resources/read')
        send({ id: data.id, result: { contents: [{ uri: data.params.uri, _meta: ${inScript(read)} }] } });
    });
    frame.srcdoc = ${inScript(html)};
  </script>`;
}
