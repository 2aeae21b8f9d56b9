import { openApp } from './compose.ts';
import { isFault, openKen } from './entry/library.ts';
import type { KenLibrary } from './entry/library-types.ts';

export const openWorkspace: KenLibrary['openWorkspace'] = (directory, options) =>
  openKen(openApp, directory, options);

export const isKenError: KenLibrary['isKenError'] = isFault;
