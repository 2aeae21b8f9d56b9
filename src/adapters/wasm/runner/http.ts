/** `wasi:http` in the process of a guest: every request is a question to ken, which denies it or carries it out. */

import { type HttpError, WasiError } from '../wire/error.ts';
import { LONGEST_TRANSFER } from '../wire/operations.ts';
import {
  type Field,
  Fields,
  OutgoingBody,
  OutgoingRequest,
  RequestOptions,
  streamError,
} from './http-request.ts';
import type { BrokerChannel } from './remote-files.ts';
import type { GuestRights } from './seal-imports.ts';
import { InputStream, IoError, Pollable } from './streams.ts';

type Result<Ok> = { readonly tag: 'ok'; readonly val: Ok } | { readonly tag: 'err'; readonly val: unknown };

/** A request that ken holds, shared by the resources of the guest that stand for it. */
class Exchange {
  readonly #channel: BrokerChannel;
  readonly #handle: number;
  #holders = 0;

  constructor(channel: BrokerChannel, handle: number) {
    this.#channel = channel;
    this.#handle = handle;
  }

  hold(): this {
    this.#holders += 1;
    return this;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#channel.drop(this.#handle);
  }

  send(body: OutgoingBody | undefined) {
    const handle = this.#handle;
    for (const part of body ? OutgoingBody.partsOf(body) : []) {
      for (let at = 0; at < part.length; at += LONGEST_TRANSFER) {
        const bytes = part.subarray(at, at + LONGEST_TRANSFER);
        const written = this.#channel.ask('writeBody', { handle, bytes });
        if (written.tag === 'failed') return written;
      }
    }
    return this.#channel.ask('sendRequest', { handle });
  }

  read(length: number): Uint8Array {
    const answer = this.#channel.ask('readBody', { handle: this.#handle, length });
    if (answer.tag === 'failed') throw streamError(answer.val);
    return answer.val;
  }
}

class FutureIncomingResponse {
  readonly #exchange: Exchange;
  readonly #body: OutgoingBody | undefined;
  #answer: Result<IncomingResponse> | undefined;
  #isTaken = false;

  constructor(exchange: Exchange, body: OutgoingBody | undefined) {
    this.#exchange = exchange.hold();
    this.#body = body;
  }

  subscribe(): Pollable {
    return new Pollable(0, () => this.#answered() !== undefined);
  }

  /** Undefined while the body is not finished; an error when it was taken before. */
  get(): Result<Result<IncomingResponse>> | undefined {
    const answer = this.#answered();
    if (!answer) return undefined;
    if (this.#isTaken) return { tag: 'err', val: undefined };
    this.#isTaken = true;
    return { tag: 'ok', val: answer };
  }

  /** Waits for the response as soon as the request is complete. */
  #answered(): Result<IncomingResponse> | undefined {
    const state = this.#body ? OutgoingBody.stateOf(this.#body) : 'finished';
    if (state === 'open') return undefined;
    this.#answer ??= state === 'dropped' ? failed('HTTP-protocol-error') : this.#ask();
    return this.#answer;
  }

  #ask(): Result<IncomingResponse> {
    const answer = this.#exchange.send(this.#body);
    if (answer.tag === 'failed') return failed(answer.val);
    const { status, headers } = answer.val;
    const fields = headers.map(({ name, value }): Field => [name, value.slice()]);
    return { tag: 'ok', val: new IncomingResponse(this.#exchange, status, new Fields(fields, true)) };
  }

  [Symbol.dispose](): void {
    this.#exchange.release();
  }
}

class IncomingResponse {
  readonly #exchange: Exchange;
  readonly #status: number;
  readonly #headers: Fields;
  #isConsumed = false;

  constructor(exchange: Exchange, status: number, headers: Fields) {
    this.#exchange = exchange.hold();
    this.#status = status;
    this.#headers = headers;
  }

  status(): number {
    return this.#status;
  }

  headers(): Fields {
    return this.#headers;
  }

  consume(): IncomingBody {
    if (this.#isConsumed) throw new WasiError(undefined);
    this.#isConsumed = true;
    return new IncomingBody(this.#exchange);
  }

  [Symbol.dispose](): void {
    this.#exchange.release();
  }
}

class IncomingBody {
  readonly #exchange: Exchange;
  #isTaken = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange.hold();
  }

  stream(): InputStream {
    if (this.#isTaken) throw new WasiError(undefined);
    this.#isTaken = true;
    const exchange = this.#exchange.hold();
    return new InputStream(
      (length) => exchange.read(length),
      () => exchange.release(),
    );
  }

  static finish(): FutureTrailers {
    return new FutureTrailers();
  }

  [Symbol.dispose](): void {
    this.#exchange.release();
  }
}

/** Trailers are not passed on. */
class FutureTrailers {
  subscribe(): Pollable {
    return new Pollable();
  }

  get(): Result<Result<undefined>> {
    return { tag: 'ok', val: { tag: 'ok', val: undefined } };
  }
}

/** A guest gets none of these, since no request comes in. */
class IncomingRequest {}
class ResponseOutparam {}
class OutgoingResponse {}

export const HTTP_RIGHTS: ReadonlyMap<unknown, GuestRights> = new Map<unknown, GuestRights>([
  [Fields, { canConstruct: true, statics: ['fromList'] }],
  [OutgoingRequest, { canConstruct: true, statics: [] }],
  [RequestOptions, { canConstruct: true, statics: [] }],
  [OutgoingBody, { canConstruct: false, statics: ['finish'] }],
  [IncomingBody, { canConstruct: false, statics: ['finish'] }],
]);

export function outgoingHttp(channel: BrokerChannel) {
  return {
    'wasi:http/types': {
      ...{ Fields, OutgoingBody, OutgoingRequest, RequestOptions, IncomingRequest, ResponseOutparam },
      ...{ IncomingResponse, IncomingBody, FutureTrailers, OutgoingResponse, FutureIncomingResponse },
      httpErrorCode: (error: IoError) => {
        const code = IoError.httpErrorOf(error);
        return code && { tag: code };
      },
    },
    'wasi:http/outgoing-handler': {
      handle(request: OutgoingRequest): FutureIncomingResponse {
        const { asked, body } = OutgoingRequest.partsOf(request);
        const begun = channel.ask('beginRequest', asked);
        if (begun.tag === 'failed') throw new WasiError({ tag: begun.val });
        return new FutureIncomingResponse(new Exchange(channel, begun.val), body);
      },
    },
  };
}

function failed(code: HttpError): Result<never> {
  return { tag: 'err', val: { tag: code } };
}
