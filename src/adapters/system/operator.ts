import { userInfo } from 'node:os';

/** The account that runs this process. */
export async function operatorName(): Promise<string> {
  try {
    return userInfo().username;
  } catch {
    // An account without a name, as in some containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
