/** Opens the directories that are granted to a guest. */

import { constants, openSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { GrantedDirectory } from '../../../domain/tools/component-host.ts';
import { type Anchoring, openWithin } from '../../paths/anchor.ts';
import { attempt, type ErrorCode, FileError } from '../wire/error.ts';
import { type Directory, type Place, protection, walk } from './directory.ts';
import type { OpenHandles } from './guest-files.ts';
import { foldedPath, type LinkedPlace, linkGuard, NO_LINKS } from './linked-places.ts';

const TO_DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY;

export interface Surroundings {
  readonly anchoring: Anchoring;
  /** The targets of protected names that are links, in this directory of the host and around it. */
  linkedPlaces(base: string): readonly LinkedPlace[];
}

/** Undefined when the directory is absent or not inside `within`; then the guest finds nothing at its path. */
export function openGranted(
  handles: OpenHandles,
  granted: GrantedDirectory,
  { anchoring, linkedPlaces }: Surroundings,
): Directory | undefined {
  try {
    return openInside(handles, granted, { anchoring, linkedPlaces });
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
  { anchoring, linkedPlaces }: Surroundings,
): Directory | undefined {
  const [base, real] = attempt(() => [realpathSync(within), realpathSync(hostPath)] as const);
  const inside = path.relative(base, real);
  if (inside.split('/')[0] === '..') return undefined;
  if (attempt(() => statSync(real)).isFile()) throw new Error(`${guestPath} is not a directory`);
  const handle = handles.open(() => attempt(() => openSync(base, TO_DIRECTORY | constants.O_NOFOLLOW)));
  const writeRefusal = access === 'read' ? ('read-only' as const) : undefined;
  const anchor = { anchoring, fd: handle.fd, path: base };
  const named = path.join(base, path.relative(within, hostPath));
  const links = writeRefusal ? NO_LINKS : linkGuard(named, () => linkedPlaces(base));
  const whole = { handle, anchor, guestPath, writeRefusal, links };
  if (inside === '') return whole;
  try {
    return walk(handles, whole, { path: inside, follow: false }, (place) =>
      pathOf(place) === real ? { ...openPlace(handles, place, { real, named }), guestPath } : undefined,
    );
  } finally {
    handle.release();
  }
}

/** A directory that is protected unless it is named can be changed here if the grant names it, not a link to it. */
function openPlace(
  handles: OpenHandles,
  { directory, name }: Place,
  { real, named }: { readonly real: string; readonly named: string },
) {
  const handle = handles.open(() => attempt(() => openWithin(directory.anchor, name, TO_DIRECTORY)));
  const { anchor, links } = directory;
  const how = protection({ directory, name });
  const isProtected = how === 'never' || (how === 'named' && foldedPath(named) !== foldedPath(real));
  const writeRefusal = directory.writeRefusal ?? (isProtected ? ('not-permitted' as const) : undefined);
  return { handle, anchor: { ...anchor, fd: handle.fd, path: real }, writeRefusal, links };
}

/** The host path that was walked; it differs from the expected one when a link was followed. */
function pathOf({ directory, name }: Place): string {
  return `${directory.anchor.path}/${name}`;
}
