/** Errors and their exit codes. A Fault is a sentence and a hint; a bug comes with its stack trace. */

import { getSystemErrorMessage, inspect } from 'node:util';
import { Fault, type FaultKind } from '../../base/fault.ts';
import { VERSION } from '../../base/package-files.ts';
import { terminalJson } from '../../base/terminal-text.ts';

/** Errors that any part can meet and the operator can fix become Faults; others are as they were. */
export function knownError(error: unknown): unknown {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException;
    if (code === 'EMFILE' || code === 'ENFILE') return tooManyOpen(error);
    if (!(error instanceof Fault) && isSystemError(at) && OF_THE_SYSTEM.has(at.code)) return systemFault(at);
    if (at instanceof RangeError && at.message === 'Invalid string length') return tooLong(error);
  }
  return error;
}

/** Errors that a disk, its owner or its limits cause, not ken. */
const OF_THE_SYSTEM: ReadonlySet<string> = new Set([
  ...[
    'EACCES',
    'EPERM',
    'EROFS',
    'ENOTDIR',
    'EISDIR',
    'ELOOP',
    'ENAMETOOLONG',
    'EIO',
    'ENXIO',
    'ENODEV',
    'ESTALE',
  ],
  ...['ENOSPC', 'EDQUOT', 'EFBIG', 'ENOMEM', 'EBUSY', 'ETXTBSY', 'EMLINK'],
]);

type SystemError = NodeJS.ErrnoException & { readonly code: string; readonly errno: number };

function isSystemError(error: NodeJS.ErrnoException): error is SystemError {
  return typeof error.code === 'string' && typeof error.errno === 'number' && error.syscall !== undefined;
}

function systemFault(cause: SystemError): Fault {
  const { code, path: place = 'a file', errno } = cause;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new Fault(
    isFull ? 'files/full' : 'files/unwritable',
    `ken cannot use ${place}: ${getSystemErrorMessage(errno)}.`,
    { hint: 'Check what it is, who owns it, and whether the disk is in order.', cause },
  );
}

function tooManyOpen(cause: unknown): Fault {
  return new Fault('files/too-many-open', 'This process may not open more files.', {
    hint: 'Raise the limit, for example with "ulimit -n 256".',
    cause,
  });
}

function tooLong(cause: unknown): Fault {
  return new Fault('files/too-long', 'This is longer than a text can be.', {
    hint: 'Ask for a part of it; "ken c export" writes a conversation of any length.',
    cause,
  });
}

export function errorAsText(error: unknown, isVerbose: boolean): string {
  if (!(error instanceof Fault)) return `${inspect(error)}\n${howToReport()}`;
  const lines = [`ken: ${error.message}`];
  if (error.hint) lines.push(`hint: ${error.hint}`);
  if (isVerbose && error.cause) lines.push(`cause: ${inspect(error.cause)}`);
  return lines.join('\n');
}

export function errorAsJson(error: unknown): string {
  const body =
    error instanceof Fault
      ? { code: error.code, message: error.message, hint: error.hint ?? null, ...receiptOf(error) }
      : { code: 'bug', message: inspect(error), hint: howToReport() };
  return terminalJson({ error: body });
}

/** Only a call of a tool that gave no result has one, and few commands load its class. */
function receiptOf(error: Fault): { readonly receipt?: unknown } {
  return 'receipt' in error ? { receipt: error.receipt } : {};
}

function howToReport(): string {
  const { versions, platform, arch } = process;
  return (
    'This is a bug in ken. Please report it with the command you ran, the lines above and this: ' +
    `ken ${VERSION}, Node ${versions.node}, ${platform} ${arch}.`
  );
}

/** Anything but a Fault is a bug: 70. Exit code 6 (a check found something) is a result, not an error. */
export function exitCodeFor(error: unknown): number {
  return error instanceof Fault ? EXIT_CODES[error.kind] : 70;
}

const EXIT_CODES: Record<FaultKind, number> = {
  failure: 1,
  usage: 2,
  'not-found': 3,
  denied: 4,
  conflict: 5,
  stopped: 130,
};
