/** The directories that a client has open. Only clients on standard input are asked: others may be elsewhere. */

import { fileURLToPath } from 'node:url';
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Root,
  type Server,
} from '@modelcontextprotocol/server';

/** Empty when the client does not answer. */
export async function askForRoots(server: Server): Promise<readonly string[]> {
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ANSWER_MS });
    return directoriesOf(roots);
  } catch {
    return [];
  }
}

const ANSWER_MS = 5_000;

/** The key of the request for roots among the requests of an `input_required` result. */
const ROOTS = 'roots';
const FRESH_MS = 60_000;

/**
 * In the revision 2026-07-28 a client is asked by the result of a call, which it then repeats; it tells no changes, so it
 * is asked again after a minute.
 */
export function rootsByResult(now: () => number) {
  let asked = Number.NEGATIVE_INFINITY;
  return {
    /** Undefined when the call can go on. */
    request(hasRoots: boolean): InputRequiredResult | undefined {
      if (!hasRoots || now() - asked < FRESH_MS) return undefined;
      asked = now();
      return inputRequired({ inputRequests: { [ROOTS]: inputRequired.listRoots() } });
    },
    /** Undefined when the call brings none. */
    answered(responses: Readonly<Record<string, unknown>>): readonly string[] | undefined {
      const response = inputResponse(responses, ROOTS);
      return response.kind === 'roots' ? directoriesOf(response.roots) : undefined;
    },
  };
}

const MOST_ROOTS = 20;

function directoriesOf(roots: readonly Root[]): string[] {
  return roots.slice(0, MOST_ROOTS).flatMap(({ uri }) => {
    try {
      const directory = fileURLToPath(uri);
      // No path has this, and the system's functions throw for it.
      return directory.includes('\0') ? [] : [directory];
    } catch {
      return [];
    }
  });
}
