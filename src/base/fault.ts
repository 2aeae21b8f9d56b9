/** A failure the operator, the caller or the environment can fix. Anything else that is thrown is a bug. */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly hint: string | undefined;

  constructor(
    code: FaultCode,
    message: string,
    options: { hint?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.hint = options.hint;
  }
}

/** `<area>/<what is wrong>`, one a line and sorted. Each entry has one table from these to its own codes. */
export type FaultCode =
  | 'approvals/ambiguous'
  | 'approvals/cancelled'
  | 'approvals/consumed'
  | 'approvals/decided'
  | 'approvals/denied'
  | 'approvals/expired'
  | 'approvals/needed'
  | 'approvals/no-terminal'
  | 'approvals/not-found'
  | 'approvals/unsafe'
  | 'cli/interrupted'
  | 'cli/timeout'
  | 'cli/usage'
  | 'config/denied'
  | 'config/invalid'
  | 'config/not-found'
  | 'conversations/bad-id'
  | 'conversations/busy'
  | 'conversations/invalid'
  | 'conversations/not-found'
  | 'files/exists'
  | 'files/full'
  | 'files/not-found'
  | 'files/unreadable'
  | 'files/unwritable'
  | 'json/too-deep'
  | 'kb/invalid-pattern'
  | 'kb/no-match'
  | 'kb/unknown-topic'
  | 'kb/unreadable'
  | 'labels/denied'
  | 'labels/invalid'
  | 'labels/unknown-alias'
  | 'models/context-too-long'
  | 'models/denied'
  | 'models/dropped'
  | 'models/failed'
  | 'models/key-missing'
  | 'models/overloaded'
  | 'models/rate-limited'
  | 'models/unknown'
  | 'models/unreachable'
  | 'net/connection'
  | 'net/dns'
  | 'net/invalid-url'
  | 'net/not-found'
  | 'net/not-text'
  | 'net/protocol'
  | 'net/redirects'
  | 'net/refused'
  | 'net/robots'
  | 'net/status'
  | 'net/timeout'
  | 'net/tls'
  | 'net/too-large'
  | 'process/failed'
  | 'process/not-found'
  | 'process/timeout'
  | 'search/bad-citation'
  | 'store/busy'
  | 'store/corrupt'
  | 'store/foreign'
  | 'store/full'
  | 'store/newer'
  | 'wasm/cancelled'
  | 'wasm/changed'
  | 'wasm/core-module'
  | 'wasm/instantiate'
  | 'wasm/malformed'
  | 'wasm/not-found'
  | 'wasm/not-wasm'
  | 'wasm/out-of-memory'
  | 'wasm/output'
  | 'wasm/timeout'
  | 'wasm/too-large'
  | 'wasm/trap'
  | 'wasm/unknown-import'
  | 'wasm/unsafe-name'
  | 'wasm/wrong-signature'
  | 'wasm/wrong-world'
  | 'workspace/not-found';
