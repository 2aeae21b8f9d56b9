import { expect, it } from 'vitest';
import { countingIds } from '../../../../test/doubles/ids.ts';
import { type MemoryPage, memoryWebClient } from '../../../../test/doubles/web-client.ts';
import { aboutDataFences } from '../../../base/data-fence.ts';
import { fixedClock } from '../../../base/time.ts';
import { webFetchTool } from './web-fetch-tool.ts';

const never = new AbortController().signal;
const ID = '1'.padStart(32, '0');
const html = { toMarkdown: async (text: string) => ({ title: 'Title\n# not a heading', markdown: text }) };

function tool(pages: Record<string, MemoryPage>) {
  return webFetchTool({ web: memoryWebClient({ clock: fixedClock(0) }, pages), html, ids: countingIds() });
}

async function run(pages: Record<string, MemoryPage>, url: string) {
  const { outcome, data } = await tool(pages).call({ action: 'run', arguments: { url }, answers: {} }, never);
  return { text: outcome.type === 'success' ? outcome.text : outcome, data };
}

it('reads one page, in a fence, and asks before', async () => {
  const page = { body: '<p>Hello', contentType: 'text/html' };
  expect(tool({})).toMatchObject({ name: 'web_fetch', run: 'ask', reach: 'network' });
  expect(await run({ 'https://a.example/x': page }, 'https://a.example/x#part')).toEqual({
    text: expect.stringMatching(
      new RegExp(
        [
          '^https://a\\.example/x \\(sha-256 [0-9a-f]{64}\\)',
          aboutDataFences(ID),
          `<<<data ${ID}`,
          'Title # not a heading',
          '',
          '<p>Hello',
          `${ID} data>>>$`,
        ].join('\n'),
      ),
    ),
    data: {
      url: 'https://a.example/x',
      title: `<<<data ${ID}\nTitle # not a heading\n${ID} data>>>`,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      is_whole: true,
      markdown: `<<<data ${ID}\n<p>Hello\n${ID} data>>>`,
    },
  });
});

it('says when it shows only the beginning', async () => {
  const { text, data } = await run(
    { 'https://a.example/': { body: `${'a'.repeat(99_999)}🫖b`, contentType: 'text/plain' } },
    'https://a.example/',
  );
  expect(text).toContain('These are its first 99999 of 100002 characters.');
  expect(data).toMatchObject({ is_whole: false });
});

it('shows the address and nothing else to whoever is asked', async () => {
  const request = {
    action: 'format-arguments',
    arguments: { url: 'https://a.example/' },
    answers: {},
  } as const;
  expect((await tool({}).call(request, never)).outcome).toEqual({
    type: 'success',
    text: 'https://a.example/',
  });
});

it('a page that cannot be had is a Fault of the client', async () => {
  await expect(run({}, 'https://a.example/')).rejects.toMatchObject({ code: 'net/not-found' });
  await expect(run({}, 'file:///etc/passwd')).rejects.toMatchObject({ code: 'net/refused' });
});
