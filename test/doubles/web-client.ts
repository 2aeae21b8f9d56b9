import { createHash } from 'node:crypto';
import { Fault } from '../../src/base/fault.ts';
import type { Clock } from '../../src/base/time.ts';
import { checkHost, checkRedirect, redirectTarget } from '../../src/domain/web/redirect.ts';
import { parseWebAddress } from '../../src/domain/web/web-address.ts';
import type { Validators, WebClient } from '../../src/domain/web/web-client.ts';

export interface MemoryPage {
  readonly body?: string | Uint8Array;
  readonly contentType?: string;
  readonly etag?: string;
  readonly lastModified?: string;
  readonly location?: string;
}

/** Serves only these pages, by address. */
export function memoryWebClient(
  ports: { readonly clock: Clock },
  pages: Readonly<Record<string, MemoryPage>>,
): WebClient {
  return {
    async get(request, signal) {
      const redirects: string[] = [];
      let address = parseWebAddress(request.url);
      for (;;) {
        signal.throwIfAborted();
        const page = pages[address.href];
        if (!page) throw new Fault('net/not-found', `${address.href} answered 404 (Not Found).`);
        const status = page.location === undefined ? 200 : 302;
        const next = redirectTarget(address, { status, location: page.location });
        if (!next) {
          const answered = answerOf(page, address.href, ports.clock.now());
          if (isKnown(page, request.known, address.href))
            return { type: 'not-modified', redirects, ...answered };
          const content = contentOf(page, address.href, request.limits?.maxBytes);
          return { type: 'page', redirects, ...answered, ...content };
        }
        redirects.push(address.href);
        checkRedirect(redirects, next, request.limits?.maxRedirects ?? 5);
        checkHost(next, request.onlyHosts);
        address = next;
      }
    },
  };
}

function answerOf({ etag, lastModified }: MemoryPage, url: string, fetchedAt: number) {
  const validators: Validators = {
    url,
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
  return { url, validators, fetchedAt };
}

/** As in HTTP, the date counts only when no tag was given. */
function isKnown(page: MemoryPage, known: Validators | undefined, url: string): boolean {
  if (known?.url !== url) return false;
  if (known.etag !== undefined) return known.etag === page.etag;
  return known.lastModified !== undefined && known.lastModified === page.lastModified;
}

function contentOf(
  { body = '', contentType }: MemoryPage,
  href: string,
  maxBytes = Number.POSITIVE_INFINITY,
) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (bytes.length > maxBytes) throw new Fault('net/too-large', `${href} is larger than ${maxBytes} bytes.`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { contentType, body: bytes, sha256, wireBytes: bytes.length };
}
