/** Opens the directories that are granted to a guest. */

import { constants, openSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { GrantedDirectory } from '../../../domain/tools/component-host.ts';
import { type Anchoring, openWithin } from '../../paths/anchor.ts';
import { attempt, type ErrorCode, FileError } from '../wire/error.ts';
import { type Directory, type Place, protection, walk } from './directory.ts';
import type { OpenHandles } from './guest-files.ts';

const TO_DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY;

/** Undefined when the directory is absent or not inside `within`; then the guest finds nothing at its path. */
export function openGranted(
  handles: OpenHandles,
  granted: GrantedDirectory,
  anchoring: Anchoring,
): Directory | undefined {
  try {
    return openInside(handles, granted, anchoring);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (NOT_THERE.has(error.payload)) return undefined;
    throw new Error(`${granted.guestPath} cannot be opened (${error.payload})`, { cause: error });
  }
}

const NOT_THERE: ReadonlySet<ErrorCode> = new Set([
  'invalid',
  'loop',
  'no-entry',
  'not-directory',
  'not-permitted',
]);

/** Resolves links first, then opens each component without following any, as one may be swapped meanwhile. */
function openInside(
  handles: OpenHandles,
  { hostPath, guestPath, access, within = hostPath }: GrantedDirectory,
  anchoring: Anchoring,
): Directory | undefined {
  const [base, real] = attempt(() => [realpathSync(within), realpathSync(hostPath)] as const);
  const inside = path.relative(base, real);
  if (inside.split('/')[0] === '..') return undefined;
  if (attempt(() => statSync(real)).isFile()) throw new Error(`${guestPath} is not a directory`);
  const handle = handles.open(() => attempt(() => openSync(base, TO_DIRECTORY | constants.O_NOFOLLOW)));
  const writeRefusal = access === 'read' ? ('read-only' as const) : undefined;
  const anchor = { anchoring, fd: handle.fd, path: base };
  const whole = { handle, anchor, guestPath, writeRefusal };
  if (inside === '') return whole;
  try {
    return walk(handles, whole, { path: inside, follow: false }, (place) =>
      pathOf(place) === real ? { ...openPlace(handles, place, real), guestPath } : undefined,
    );
  } finally {
    handle.release();
  }
}

/** A directory that is protected unless it is named can be changed here: the grant names it. */
function openPlace(handles: OpenHandles, { directory, name }: Place, real: string) {
  const handle = handles.open(() => attempt(() => openWithin(directory.anchor, name, TO_DIRECTORY)));
  const isProtected = protection({ directory, name }) === 'never';
  const writeRefusal = directory.writeRefusal ?? (isProtected ? ('not-permitted' as const) : undefined);
  return { handle, anchor: { ...directory.anchor, fd: handle.fd, path: real }, writeRefusal };
}

/** The host path that was walked; it differs from the expected one when a link was followed. */
function pathOf({ directory, name }: Place): string {
  return `${directory.anchor.path}/${name}`;
}
