/** `wasi:http` for guests without a network: they run, and every request that they make is denied. */

import { WasiError } from '../wire/error.ts';
import type { GuestRights } from './seal-imports.ts';
import { OutputStream } from './streams.ts';

type Field = [name: string, value: Uint8Array];
type Tagged = { readonly tag: string; readonly val?: string };

const MOST_FIELDS = 1000;
const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;

class Fields {
  readonly #entries: Field[];

  constructor(entries: readonly Field[] = []) {
    this.#entries = [...entries];
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
    const kept = this.#entries.filter((entry) => !isNamed(entry, name));
    this.#entries.splice(0, Infinity, ...kept);
  }

  append(name: string, value: Uint8Array): void {
    const isSafe = NAME.test(name) && !value.some((byte) => byte === 0 || byte === 10 || byte === 13);
    if (!isSafe || this.#entries.length >= MOST_FIELDS) throw new WasiError({ tag: 'invalid-syntax' });
    this.#entries.push([name, value.slice()]);
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

/** Drops what is written; nothing is ever sent. */
class OutgoingBody {
  #isTaken = false;

  static finish(): void {}

  write(): OutputStream {
    if (this.#isTaken) throw new WasiError(undefined);
    this.#isTaken = true;
    return new OutputStream(() => {});
  }
}

class OutgoingRequest {
  readonly #headers: Fields;
  #method: Tagged = { tag: 'get' };
  #path: string | undefined;
  #scheme: Tagged | undefined;
  #authority: string | undefined;
  #hasBody = false;

  constructor(headers: Fields) {
    this.#headers = headers;
  }

  body(): OutgoingBody {
    if (this.#hasBody) throw new WasiError(undefined);
    this.#hasBody = true;
    return new OutgoingBody();
  }

  method(): Tagged {
    return this.#method;
  }

  setMethod(method: Tagged): void {
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
}

class RequestOptions {
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

/** A guest gets none of these, since no request is made and none comes in. */
class IncomingRequest {}
class ResponseOutparam {}
class IncomingResponse {}
class IncomingBody {}
class FutureTrailers {}
class OutgoingResponse {}
class FutureIncomingResponse {}

export const HTTP_RIGHTS: ReadonlyMap<unknown, GuestRights> = new Map<unknown, GuestRights>([
  [Fields, { canConstruct: true, statics: ['fromList'] }],
  [OutgoingRequest, { canConstruct: true, statics: [] }],
  [RequestOptions, { canConstruct: true, statics: [] }],
  [OutgoingBody, { canConstruct: false, statics: ['finish'] }],
]);

export function deniedHttp() {
  return {
    'wasi:http/types': {
      ...{ Fields, OutgoingBody, OutgoingRequest, RequestOptions, IncomingRequest, ResponseOutparam },
      ...{ IncomingResponse, IncomingBody, FutureTrailers, OutgoingResponse, FutureIncomingResponse },
      httpErrorCode: () => undefined,
    },
    'wasi:http/outgoing-handler': {
      handle(): never {
        throw new WasiError({ tag: 'HTTP-request-denied' });
      },
    },
  };
}
