import { userInfo } from 'node:os';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';

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

export async function operatorName(): Promise<string> {
  try {
    return userInfo().username;
  } catch {
    // An account without a name, as in some containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
