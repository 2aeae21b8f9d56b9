import { STATUS_CODES } from 'node:http';
import { Fault } from '../../base/fault.ts';
import type { WebAddress } from '../../domain/web/web-address.ts';

/** What an answer without content means. The server's own words are not repeated. */
export function statusFault(address: WebAddress, status: number): Fault {
  const { code, hint } = MEANINGS[status] ?? {};
  const text = `${address.href} answered ${status}${STATUS_CODES[status] ? ` (${STATUS_CODES[status]})` : ''}.`;
  return new Fault(code ?? 'net/status', text, { hint });
}

const LOGIN = { code: 'net/status', hint: 'It wants a login, which ken does not have.' } as const;
const LATER = { code: 'net/status', hint: 'Try again later.' } as const;
const UNASKED = { code: 'net/protocol', hint: 'ken did not ask for that.' } as const;
const GONE = { code: 'net/not-found', hint: undefined } as const;

const MEANINGS: Record<number, typeof LOGIN | typeof LATER | typeof UNASKED | typeof GONE> = {
  206: UNASKED,
  304: UNASKED,
  401: LOGIN,
  403: LOGIN,
  404: GONE,
  410: GONE,
  429: LATER,
  502: LATER,
  503: LATER,
  504: LATER,
};
