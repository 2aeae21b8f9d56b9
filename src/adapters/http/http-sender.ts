import { VERSION } from '../../base/package-files.ts';
import { admit } from '../../domain/web/admit.ts';
import { parseWebAddress, type WebAddress } from '../../domain/web/web-address.ts';
import type { HttpHeader, HttpMessage, HttpSender, WebLimits } from '../../domain/web/web-client.ts';
import { connectPinned, openConnection } from './connect.ts';
import { type Deadline, idleFault, startDeadline, timeoutFault } from './deadline.ts';
import type { RequestPorts } from './follow-redirects.ts';
import { rawBody } from './read-body.ts';
import { PRODUCT, sendRequest } from './send-request.ts';

/** Sends the requests of tools. Each has a connection of its own; `limits` apply to each. */
export function httpSender(
  ports: Pick<RequestPorts, 'guard' | 'authorities'> & Partial<RequestPorts>,
  limits: WebLimits,
): HttpSender {
  return {
    async send(message, caller) {
      const address = parseWebAddress(message.url);
      const deadline = startDeadline(limits.timeoutMs, () => timeoutFault(address, limits), caller);
      try {
        return await reply({ connect: connectPinned, ...ports }, { message, address, limits }, deadline);
      } catch (error) {
        deadline.end();
        throw error;
      }
    },
  };
}

interface Sending {
  readonly message: HttpMessage;
  readonly address: WebAddress;
  readonly limits: WebLimits;
}

async function reply(ports: RequestPorts, { message, address, limits }: Sending, deadline: Deadline) {
  const pinned = await admit(ports, { address, from: undefined }, deadline.signal);
  const socket = await openConnection({ ...ports, address, pinned }, deadline.signal);
  const response = await sendRequest(
    socket,
    {
      address,
      method: message.method,
      headers: headersOf(message),
      body: message.body,
      idleMs: limits.idleMs,
      onIdle: () => deadline.stop(idleFault(address, limits)),
    },
    deadline.signal,
  );
  const limit = { href: address.href, maxBytes: limits.maxBytes };
  const close = () => {
    deadline.end();
    response.close();
  };
  return {
    status: response.status,
    headers: receivedHeaders(response.body.rawHeaders),
    body: rawBody(response, limit, deadline.signal)[Symbol.asyncIterator](),
    close,
  };
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Headers that say how a message is sent are left to Node. */
const OWN = new Set([
  ...[
    'host',
    'connection',
    'keep-alive',
    'proxy-connection',
    'transfer-encoding',
    'upgrade',
    'http2-settings',
  ],
  ...['te', 'trailer', 'expect', 'proxy-authorization', 'proxy-authenticate', 'content-length'],
]);

function headersOf({ method, headers, body }: HttpMessage): Record<string, string | string[]> {
  const given = Map.groupBy(headers.filter(isSendable), ([name]) => name.toLowerCase());
  const hasBody = body.length > 0 || !['GET', 'HEAD'].includes(method);
  return {
    'user-agent': `${PRODUCT}/${VERSION}`,
    ...Object.fromEntries([...given].map(([name, values]) => [name, values.map(([, value]) => value)])),
    ...(hasBody && { 'content-length': String(body.length) }),
  };
}

function isSendable([name, value]: HttpHeader): boolean {
  return HEADER_NAME.test(name) && HEADER_VALUE.test(value) && !OWN.has(name.toLowerCase());
}

function receivedHeaders(raw: readonly string[]): HttpHeader[] {
  const pairs = raw.flatMap((name, at): HttpHeader[] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
  return pairs.filter(([name]) => !HOP.has(name.toLowerCase()));
}

/** Headers of one connection, which mean nothing to the reader of a response. */
const HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'trailer',
  'proxy-authenticate',
]);
