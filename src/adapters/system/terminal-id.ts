import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLES = ['KEN_TERMINAL', 'TMUX_PANE', 'WEZTERM_PANE', 'ITERM_SESSION_ID', 'TERM_SESSION_ID'];

/** The session of processes that a container got from outside: all such share it. */
const OUTSIDE = '0';

/** What tells this terminal from others: a variable, or the kernel's session; undefined where there is neither. */
export function terminalId(environment: Environment): string | undefined {
  const variable = VARIABLES.find((name) => environment[name]);
  if (variable) return `${variable}=${environment[variable]}`;
  const session = kernelSession();
  return session && `session=${session}`;
}

/** The session's number and when its leader began, since numbers are used again. */
function kernelSession(): string | undefined {
  const session = statFields('self')?.[3];
  if (session === undefined || session === OUTSIDE) return undefined;
  const begun = statFields(session)?.[19];
  return begun === undefined ? session : `${session}@${begun}`;
}

/** From the third field on: the name in parentheses before them may hold anything. */
function statFields(process: string): string[] | undefined {
  const line = readStat(process);
  return line?.slice(line.lastIndexOf(')') + 2).split(' ');
}

/** Nothing where there is no `/proc`, and of a process that ended or is another user's. */
function readStat(process: string): string | undefined {
  try {
    return readFileSync(`/proc/${process}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}
