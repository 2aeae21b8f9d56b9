/** The account that runs ken: its name, its home and its directories. */

import { userInfo } from 'node:os';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { lazy } from '../../base/lazy.ts';
import type { Directories } from '../../base/places.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The XDG directories, or all four under `KEN_HOME`. A relative XDG path is ignored, as its standard says. */
export function userDirectories(environment: Environment): Directories {
  const { KEN_HOME } = environment;
  if (KEN_HOME) return under(path.resolve(KEN_HOME));
  const home = lazy(() => homeDirectory(environment));
  const xdg = (name: string, fallback: string) => {
    const value = environment[name];
    return path.join(value && path.isAbsolute(value) ? value : path.join(home(), fallback), 'ken');
  };
  return {
    config: xdg('XDG_CONFIG_HOME', '.config'),
    data: xdg('XDG_DATA_HOME', '.local/share'),
    state: xdg('XDG_STATE_HOME', '.local/state'),
    cache: xdg('XDG_CACHE_HOME', '.cache'),
  };
}

function under(home: string): Directories {
  return {
    config: path.join(home, 'config'),
    data: path.join(home, 'data'),
    state: path.join(home, 'state'),
    cache: path.join(home, 'cache'),
  };
}

/** A relative `HOME` is ignored, since it would mean another directory for every command. */
export function homeDirectory({ HOME }: Readonly<Record<string, string | undefined>>): string {
  if (HOME && path.isAbsolute(HOME)) return HOME;
  try {
    return userInfo().homedir;
  } catch (cause) {
    throw new Fault('config/not-found', 'HOME is not set, and this account has no home directory.', {
      hint: 'Set HOME, or KEN_HOME to a directory for what ken keeps.',
      cause,
    });
  }
}

/** The account as the system lists it, whatever the environment says; undefined: it has no entry. */
export function listedAccount(): { readonly home: string; readonly uid: number } | undefined {
  try {
    const { homedir, uid } = userInfo();
    return path.isAbsolute(homedir) ? { home: homedir, uid } : undefined;
  } catch {
    return undefined;
  }
}

export async function operatorName(): Promise<string> {
  try {
    return userInfo().username;
  } catch {
    // An account without a name, as in some containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
