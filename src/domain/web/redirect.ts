import { Fault } from '../../base/fault.ts';
import { parseWebAddress, type WebAddress } from './web-address.ts';

/** Where an answer points to; `undefined` when it is no redirect. */
export function redirectTarget(
  from: WebAddress,
  answer: { readonly status: number; readonly location: string | undefined },
): WebAddress | undefined {
  if (!REDIRECTS.has(answer.status)) return undefined;
  if (!answer.location) {
    throw new Fault('net/protocol', `${from.href} answered ${answer.status} without saying where to.`);
  }
  return parseWebAddress(answer.location, from);
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** `visited` are the addresses so far, the first one first. */
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
