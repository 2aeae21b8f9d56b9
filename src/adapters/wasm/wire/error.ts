/** The cases of `wasi:filesystem/types.error-code` that this host answers with. */
export const ERROR_CODES = [
  'access',
  'bad-descriptor',
  'busy',
  'cross-device',
  'exist',
  'file-too-large',
  'insufficient-memory',
  'insufficient-space',
  'invalid',
  'io',
  'is-directory',
  'loop',
  'name-too-long',
  'no-device',
  'no-entry',
  'no-such-device',
  'not-directory',
  'not-empty',
  'not-permitted',
  'quota',
  'read-only',
  'text-file-busy',
  'too-many-links',
  'would-block',
] as const;

/** The cases of `wasi:http/types.error-code` that this host answers with. */
export const HTTP_ERRORS = [
  'HTTP-request-denied',
  'HTTP-request-URI-invalid',
  'HTTP-request-body-size',
  'HTTP-request-header-section-size',
  'HTTP-response-body-size',
  'HTTP-response-timeout',
  'HTTP-protocol-error',
  'TLS-certificate-error',
  'connection-limit-reached',
  'destination-IP-prohibited',
  'destination-not-found',
  'destination-unavailable',
  'internal-error',
] as const;
export type HttpError = (typeof HTTP_ERRORS)[number];

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The glue passes an own property `payload` to the guest as the call's error; any other exception stops the guest. */
export class WasiError extends Error {
  readonly payload: unknown;

  constructor(payload: unknown) {
    super('error of a WASI call');
    this.payload = payload;
  }
}

export class FileError extends WasiError {
  override readonly payload: ErrorCode;

  constructor(code: ErrorCode) {
    super(code);
    this.payload = code;
  }
}

type EndReason = 'exit' | 'output';

/** Stops the guest instead of returning an error to it. */
export class GuestEnd extends Error {
  readonly reason: EndReason;

  constructor(reason: EndReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asFileError(error);
  }
}

/** An error of the system as a guest sees it; any other error as it is. */
export function asFileError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^E[A-Z0-9]+$/.test(code) ? new FileError(isKnown(code) ? CODES[code] : 'io') : error;
}

function isKnown(code: string): code is keyof typeof CODES {
  return Object.hasOwn(CODES, code);
}

const CODES = {
  EACCES: 'access',
  EAGAIN: 'would-block',
  EBADF: 'bad-descriptor',
  EBUSY: 'busy',
  EDQUOT: 'quota',
  EEXIST: 'exist',
  EFBIG: 'file-too-large',
  EINVAL: 'invalid',
  EISDIR: 'is-directory',
  ELOOP: 'loop',
  EMFILE: 'insufficient-memory',
  EMLINK: 'too-many-links',
  ENAMETOOLONG: 'name-too-long',
  ENFILE: 'insufficient-memory',
  ENODEV: 'no-device',
  ENOENT: 'no-entry',
  ENOMEM: 'insufficient-memory',
  ENOSPC: 'insufficient-space',
  ENOTDIR: 'not-directory',
  ENOTEMPTY: 'not-empty',
  ENXIO: 'no-such-device',
  EPERM: 'not-permitted',
  EROFS: 'read-only',
  ETXTBSY: 'text-file-busy',
  EXDEV: 'cross-device',
} as const;
