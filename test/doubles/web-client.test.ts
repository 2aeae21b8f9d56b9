import { fixedClock } from '../../src/base/time.ts';
import { itFetchesPages } from '../../src/domain/web/web-client.contract.ts';
import { memoryWebClient } from './web-client.ts';

itFetchesPages('memory', async (site) => {
  const origin = 'https://site.example';
  const pages = Object.fromEntries(Object.entries(site).map(([path, page]) => [origin + path, page]));
  return { client: memoryWebClient({ clock: fixedClock(7) }, pages), origin, now: 7 };
});
