/** The requests over HTTP of one call: checked against the hosts that were granted, carried out, and recorded. */

import { Fault, type FaultCode } from '../../../base/fault.ts';
import type { MadeRequest } from '../../../domain/tools/tool.ts';
import type { AllowList } from '../../../domain/web/allow-list.ts';
import { parseWebAddress, type WebAddress } from '../../../domain/web/web-address.ts';
import type { HttpReply, HttpSender } from '../../../domain/web/web-client.ts';
import type { HttpError } from '../wire/error.ts';
import { type Answered, type Asked, LONGEST_HEADER_NAME } from '../wire/operations.ts';

export interface NetworkGrant {
  readonly sender: HttpSender;
  /** The hosts of the tool's entry. */
  readonly hosts: AllowList;
}

export const NO_NETWORK: NetworkGrant = {
  sender: {
    send: () => Promise.reject(new Error('a request without a grant')),
  },
  hosts: { lists: () => undefined },
};

const MOST_REQUESTS = 1000;
const MOST_OPEN = 16;
const LARGEST_BODY = 16 * 1024 ** 2;
/** Names and values together; servers take less. */
const LARGEST_HEADERS = 131_072;
/** Bodies of all requests that are under way. */
const MOST_HELD = 2 * LARGEST_BODY;
const LONGEST_SHOWN = 500;

type Failed = { readonly tag: 'failed'; readonly val: HttpError };

/** The record of a request while it is carried out. */
type Recorded = { -readonly [Key in keyof MadeRequest]: MadeRequest[Key] };

export class HttpRequests {
  readonly made: Recorded[] = [];
  readonly #grant: NetworkGrant;
  readonly #ended = new AbortController();
  readonly #open = new Set<HttpExchange>();
  #heldBytes = 0;

  constructor(grant: NetworkGrant) {
    this.#grant = grant;
  }

  begin(asked: Asked<'beginRequest'>): HttpExchange | HttpError {
    if (this.made.length >= MOST_REQUESTS || this.#open.size >= MOST_OPEN) return 'connection-limit-reached';
    const recorded: Recorded = { method: asked.method, url: '', sentBytes: 0, receivedBytes: 0 };
    this.made.push(recorded);
    const address = addressOf(asked.address);
    recorded.url = shownAddress(address, asked.address);
    if (!address || !METHOD.test(asked.method) || asked.method === 'CONNECT') {
      recorded.refused = 'the address or the method is not valid';
      return 'HTTP-request-URI-invalid';
    }
    if (!this.#grant.hosts.lists(address.host, address.port)) {
      recorded.refused = `"net" of the tool does not list ${hostAndPort(address)}`;
      return 'HTTP-request-denied';
    }
    if (headerBytes(asked) > LARGEST_HEADERS) {
      recorded.refused = `the headers are larger than ${LARGEST_HEADERS} bytes`;
      return 'HTTP-request-header-section-size';
    }
    const exchange = new HttpExchange(copied(asked), {
      sender: this.#grant.sender,
      recorded,
      signal: this.#ended.signal,
      hold: (bytes) => this.#hold(bytes),
      onClose: () => {
        if (this.#open.delete(exchange)) this.#heldBytes -= recorded.sentBytes;
      },
    });
    this.#open.add(exchange);
    return exchange;
  }

  #hold(bytes: number): boolean {
    if (this.#heldBytes + bytes > MOST_HELD) return false;
    this.#heldBytes += bytes;
    return true;
  }

  close(): void {
    for (const exchange of [...this.#open]) exchange.giveUp();
    this.#ended.abort(new Fault('tools/cancelled', 'The call has ended.'));
  }
}

function headerBytes({ headers }: Asked<'beginRequest'>): number {
  return headers.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
}

const METHOD = /^[A-Z][A-Z0-9-]*$/;

function addressOf(text: string): WebAddress | undefined {
  try {
    return parseWebAddress(text);
  } catch {
    return undefined;
  }
}

/** Without the query and a password, and cut, for the receipt. */
function shownAddress(address: WebAddress | undefined, text: string): string {
  const whole = address ? `${address.origin}${address.target}` : text;
  const shown = whole.replace(/[?#].*$/s, '').slice(0, LONGEST_SHOWN);
  return address ? shown : shown.replace(/^([^/\\]*[/\\]+)[^/\\]*@/, '$1');
}

function hostAndPort({ host, port }: WebAddress): string {
  return `${host.text.includes(':') ? `[${host.text}]` : host.text}:${port}`;
}

/** The bytes of a message are a view of what was received, which is used again. */
function copied(asked: Asked<'beginRequest'>): Asked<'beginRequest'> {
  return {
    ...asked,
    headers: asked.headers.map(({ name, value }) => ({ name, value: Uint8Array.from(value) })),
  };
}

interface ExchangeInput {
  readonly sender: HttpSender;
  readonly recorded: Recorded;
  readonly signal: AbortSignal;
  /** False when all bodies together would be too large. */
  hold(bytes: number): boolean;
  onClose(): void;
}

export class HttpExchange {
  readonly #input: ExchangeInput;
  readonly #ended = new AbortController();
  /** Until it is sent: a guest may keep a thousand requests that were. */
  #unsent: Asked<'beginRequest'> | undefined;
  #body: Uint8Array[] = [];
  #reply: HttpReply | undefined;
  /** Received and not asked for yet. */
  #rest: Uint8Array = new Uint8Array();

  constructor(asked: Asked<'beginRequest'>, input: ExchangeInput) {
    this.#unsent = asked;
    this.#input = input;
  }

  write(bytes: Uint8Array): Answered<'writeBody'> {
    const { recorded, hold } = this.#input;
    if (!this.#unsent) return failed('HTTP-protocol-error');
    if (recorded.sentBytes + bytes.length > LARGEST_BODY || !hold(bytes.length)) {
      recorded.refused = `the body is larger than ${LARGEST_BODY} bytes, or too many are sent at once`;
      return failed('HTTP-request-body-size');
    }
    recorded.sentBytes += bytes.length;
    this.#body.push(Uint8Array.from(bytes));
    return { tag: 'ok', val: undefined };
  }

  async send(): Promise<Answered<'sendRequest'>> {
    const { sender, recorded, signal } = this.#input;
    const asked = this.#unsent;
    if (!asked) return failed('HTTP-protocol-error');
    this.#unsent = undefined;
    const body = Buffer.concat(this.#body);
    this.#body = [];
    return this.#attempt(async () => {
      const headers = asked.headers.map(
        ({ name, value }) => [name, Buffer.from(value).toString('latin1')] as const,
      );
      const message = { method: asked.method, url: asked.address, headers, body };
      const reply = await sender.send(message, AbortSignal.any([signal, this.#ended.signal]));
      if (this.#ended.signal.aborted) {
        reply.close();
        return failed('internal-error');
      }
      this.#reply = reply;
      recorded.status = reply.status;
      // The process of the guest would end at it. Node gives no more than a thousand headers.
      if (reply.headers.some(([name]) => name.length > LONGEST_HEADER_NAME)) {
        recorded.refused = `the name of a header is longer than ${LONGEST_HEADER_NAME} characters`;
        this.release();
        return failed('HTTP-protocol-error');
      }
      const received = reply.headers.map(([name, value]) => ({ name, value: Buffer.from(value, 'latin1') }));
      return { tag: 'ok', val: { status: reply.status, headers: received } };
    });
  }

  async read(length: number): Promise<Answered<'readBody'>> {
    const reply = this.#reply;
    if (!reply) return failed('HTTP-protocol-error');
    return this.#attempt(async () => {
      while (this.#rest.length === 0 && length > 0) {
        const next = await reply.body.next();
        if (next.done) {
          this.release();
          break;
        }
        this.#rest = next.value;
        this.#input.recorded.receivedBytes += next.value.length;
      }
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(bytes.length);
      return { tag: 'ok', val: bytes };
    });
  }

  /** The call ends before the response has come, or before the request was sent. */
  giveUp(): void {
    const { recorded } = this.#input;
    if (recorded.status === undefined && !this.#unsent) recorded.refused ??= 'the call ended first';
    this.release();
  }

  release(): void {
    this.#reply?.close();
    this.#ended.abort(new Fault('tools/cancelled', 'The request was given up.'));
    this.#input.onClose();
  }

  async #attempt<Value>(work: () => Promise<Value>): Promise<Value | Failed> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#input.recorded.refused = error.message.slice(0, LONGEST_SHOWN);
      this.release();
      return failed(ERRORS[error.code] ?? 'internal-error');
    }
  }
}

function failed(val: HttpError): Failed {
  return { tag: 'failed', val };
}

const ERRORS: { readonly [Code in FaultCode]?: HttpError } = {
  'net/connection': 'destination-unavailable',
  'net/dns': 'destination-not-found',
  'net/invalid-url': 'HTTP-request-URI-invalid',
  'net/protocol': 'HTTP-protocol-error',
  'net/refused': 'destination-IP-prohibited',
  'net/timeout': 'HTTP-response-timeout',
  'net/tls': 'TLS-certificate-error',
  'net/too-large': 'HTTP-response-body-size',
};
