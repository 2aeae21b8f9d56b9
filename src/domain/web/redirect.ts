import { Fault } from '../../base/fault.ts';
import { parseWebAddress, type WebAddress } from './web-address.ts';

/** Undefined for an answer that is not a redirect. */
export function redirectTarget(
  from: WebAddress,
  answer: { readonly status: number; readonly location: string | undefined },
): WebAddress | undefined {
  if (!REDIRECTS.has(answer.status)) return undefined;
  if (!answer.location) {
    throw new Fault(
      'net/protocol',
      `${from.href} answered ${answer.status} without an address to redirect to.`,
    );
  }
  return parseWebAddress(answer.location, from);
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Refuses a host that nobody approved, before its name is looked up. */
export function checkHost(next: WebAddress, only: readonly string[] | undefined): void {
  if (!only || only.includes(next.host.text)) return;
  throw new Fault('net/other-host', `It redirects to ${next.host.text} now, which is another host.`);
}

/** `visited` are the addresses so far, first to last. */
export function checkRedirect(visited: readonly string[], next: WebAddress, maxRedirects: number): void {
  const [first = ''] = visited;
  if (visited.includes(next.href)) {
    throw new Fault('net/redirects', `${first} redirects in a circle, back to ${next.href}.`);
  }
  if (visited.length > maxRedirects) {
    throw new Fault('net/redirects', `${first} redirects more than ${maxRedirects} times.`, {
      hint: `The next stop would have been ${next.href}.`,
    });
  }
}
