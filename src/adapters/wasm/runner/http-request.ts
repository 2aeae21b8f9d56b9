/** The requests of `wasi:http` as a guest makes them, before they are sent. */

import { type HttpError, WasiError } from '../wire/error.ts';
import { type Asked, LONGEST_ADDRESS, LONGEST_HEADER_NAME, MOST_HEADERS } from '../wire/operations.ts';
import { IoError, OutputStream } from './streams.ts';

export type Field = [name: string, value: Uint8Array];
type Tagged = { readonly tag: string; readonly val?: string };

const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;
const LONGEST_VALUE = 65_536;

/** Headers that say how a message is sent; ken sets them itself. */
const HOST_HEADERS: ReadonlySet<string> = new Set([
  ...[
    'host',
    'connection',
    'keep-alive',
    'proxy-connection',
    'transfer-encoding',
    'upgrade',
    'http2-settings',
  ],
  ...['te', 'trailer', 'expect', 'proxy-authorization', 'proxy-authenticate'],
]);

export class Fields {
  readonly #entries: Field[];
  readonly #isFixed: boolean;

  /** Those of a response are fixed. */
  constructor(entries: readonly Field[] = [], isFixed = false) {
    this.#entries = [...entries];
    this.#isFixed = isFixed;
  }

  static fromList(entries: readonly Field[]): Fields {
    const fields = new Fields();
    for (const [name, value] of entries) fields.append(name, value);
    return fields;
  }

  get(name: string): Uint8Array[] {
    return this.#entries.filter((entry) => isNamed(entry, name)).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.#entries.some((entry) => isNamed(entry, name));
  }

  set(name: string, values: readonly Uint8Array[]): void {
    this.delete(name);
    for (const value of values) this.append(name, value);
  }

  delete(name: string): void {
    this.#requireChangeable();
    const kept = this.#entries.filter((entry) => !isNamed(entry, name));
    this.#entries.splice(0, Infinity, ...kept);
  }

  append(name: string, value: Uint8Array): void {
    this.#requireChangeable();
    const isSafe =
      NAME.test(name) &&
      name.length <= LONGEST_HEADER_NAME &&
      value.length <= LONGEST_VALUE &&
      !value.some((byte) => byte === 0 || byte === 10 || byte === 13);
    if (!isSafe || this.#entries.length >= MOST_HEADERS) throw new WasiError({ tag: 'invalid-syntax' });
    if (HOST_HEADERS.has(name.toLowerCase())) throw new WasiError({ tag: 'forbidden' });
    this.#entries.push([name, value.slice()]);
  }

  #requireChangeable(): void {
    if (this.#isFixed) throw new WasiError({ tag: 'immutable' });
  }

  entries(): Field[] {
    return [...this.#entries];
  }

  clone(): Fields {
    return new Fields(this.#entries);
  }
}

function isNamed([own]: Field, name: string): boolean {
  return own.toLowerCase() === name.toLowerCase();
}

const LARGEST_BODY = 16 * 1024 ** 2;

/** The body of a request. It is sent when the guest has finished it and waits for the response. */
export class OutgoingBody {
  readonly #parts: Uint8Array[] = [];
  #bytes = 0;
  #isTaken = false;
  #state: 'open' | 'finished' | 'dropped' = 'open';

  static finish(body: OutgoingBody): void {
    body.#state = 'finished';
  }

  static stateOf(body: OutgoingBody) {
    return body.#state;
  }

  static partsOf(body: OutgoingBody): readonly Uint8Array[] {
    return body.#parts;
  }

  write(): OutputStream {
    if (this.#isTaken) throw new WasiError(undefined);
    this.#isTaken = true;
    return new OutputStream((bytes) => this.#add(bytes));
  }

  #add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > LARGEST_BODY) throw streamError('HTTP-request-body-size');
    this.#parts.push(bytes.slice());
  }

  [Symbol.dispose](): void {
    if (this.#state === 'open') this.#state = 'dropped';
  }
}

export class OutgoingRequest {
  readonly #headers: Fields;
  #method: Tagged = { tag: 'get' };
  #path: string | undefined;
  #scheme: Tagged | undefined;
  #authority: string | undefined;
  #body: OutgoingBody | undefined;

  constructor(headers: Fields) {
    this.#headers = headers;
  }

  body(): OutgoingBody {
    if (this.#body) throw new WasiError(undefined);
    this.#body = new OutgoingBody();
    return this.#body;
  }

  method(): Tagged {
    return this.#method;
  }

  setMethod(method: Tagged): void {
    if (method.tag === 'other' && !(NAME.test(method.val ?? '') && (method.val ?? '').length <= 100)) {
      throw new WasiError(undefined);
    }
    this.#method = method;
  }

  pathWithQuery(): string | undefined {
    return this.#path;
  }

  setPathWithQuery(path: string | undefined): void {
    this.#path = path;
  }

  scheme(): Tagged | undefined {
    return this.#scheme;
  }

  setScheme(scheme: Tagged | undefined): void {
    this.#scheme = scheme;
  }

  authority(): string | undefined {
    return this.#authority;
  }

  setAuthority(authority: string | undefined): void {
    this.#authority = authority;
  }

  headers(): Fields {
    return this.#headers.clone();
  }

  static partsOf(request: OutgoingRequest): {
    readonly asked: Asked<'beginRequest'>;
    body: OutgoingBody | undefined;
  } {
    const method = request.#method.tag === 'other' ? (request.#method.val ?? '') : request.#method.tag;
    const scheme = request.#scheme?.tag === 'other' ? request.#scheme.val : (request.#scheme?.tag ?? 'HTTPS');
    const address = `${scheme?.toLowerCase()}://${request.#authority ?? ''}${request.#path ?? '/'}`;
    if (Buffer.byteLength(address) > LONGEST_ADDRESS)
      throw new WasiError({ tag: 'HTTP-request-URI-too-long' });
    const headers = request.#headers.entries().map(([name, value]) => ({ name, value }));
    return { asked: { method: method.toUpperCase(), address, headers }, body: request.#body };
  }
}

export class RequestOptions {
  #connect: bigint | undefined;
  #firstByte: bigint | undefined;
  #betweenBytes: bigint | undefined;

  connectTimeout(): bigint | undefined {
    return this.#connect;
  }

  setConnectTimeout(duration: bigint | undefined): void {
    this.#connect = duration;
  }

  firstByteTimeout(): bigint | undefined {
    return this.#firstByte;
  }

  setFirstByteTimeout(duration: bigint | undefined): void {
    this.#firstByte = duration;
  }

  betweenBytesTimeout(): bigint | undefined {
    return this.#betweenBytes;
  }

  setBetweenBytesTimeout(duration: bigint | undefined): void {
    this.#betweenBytes = duration;
  }
}

export function streamError(code: HttpError): WasiError {
  return new WasiError({ tag: 'last-operation-failed', val: new IoError(code) });
}
