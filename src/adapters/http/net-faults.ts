import { Fault } from '../../base/fault.ts';
import type { WebAddress } from '../../domain/web/web-address.ts';

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export function connectionFault(address: WebAddress, cause: unknown): Fault {
  const reason = CONNECTION_REASONS[errorCode(firstOf(cause))] ?? 'the connection failed';
  return new Fault('net/connection', `${address.origin} cannot be reached: ${reason}.`, { cause });
}

const CONNECTION_REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens at that port',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to its network',
  ETIMEDOUT: 'it does not answer',
};

/** Node throws an AggregateError when all of several addresses fail. */
function firstOf(cause: unknown): unknown {
  return cause instanceof AggregateError ? cause.errors[0] : cause;
}

export function tlsFault(address: WebAddress, cause: unknown): Fault {
  const code = errorCode(cause);
  const reason = TLS_REASONS[code] ?? `no secure connection could be made${code && ` (${code})`}`;
  return new Fault('net/tls', `${address.origin} is not trusted: ${reason}.`, {
    hint: TLS_REASONS[code]
      ? 'A certificate authority of your own goes into NODE_EXTRA_CA_CERTS.'
      : undefined,
    cause,
  });
}

const TLS_REASONS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signed its certificate itself',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody known signed its certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'nobody known signed its certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody known signed its certificate',
};

export function responseFault(address: WebAddress, cause: unknown): Fault {
  const code = errorCode(cause);
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Fault('net/too-large', `${address.href} sends too many headers.`, { cause });
  }
  if (code.startsWith('HPE_')) {
    return new Fault('net/protocol', `${address.href} does not answer in HTTP (${code}).`, { cause });
  }
  return new Fault('net/connection', `${address.href} closed the connection before it had answered.`, {
    cause,
  });
}
