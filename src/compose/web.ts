import { systemClock } from '../adapters/system/clock.ts';
import type { App } from '../app.ts';
import { deferred } from '../base/deferred.ts';
import type { Config } from '../config/schema.ts';

export function openWeb({ net }: Config): Pick<App, 'hosts' | 'web' | 'html'> {
  const hosts = deferred(async () => {
    const { hostGuard } = await import('../domain/web/host-guard.ts');
    const { parseAllowList } = await import('../domain/web/allow-list.ts');
    const { systemNames } = await import('../adapters/http/system-names.ts');
    return hostGuard({ names: systemNames }, parseAllowList(net.allow));
  });
  const web = deferred(async () => {
    const { httpWebClient } = await import('../adapters/http/web-client.ts');
    return httpWebClient(
      { guard: hosts, clock: systemClock },
      {
        maxBytes: net.max_bytes,
        timeoutMs: net.timeout_s * 1000,
        idleMs: 15_000,
        maxRedirects: net.max_redirects,
      },
    );
  });
  const html = deferred(async () => (await import('../adapters/html/html-to-markdown.ts')).htmlConverter);
  return { hosts, web, html };
}
