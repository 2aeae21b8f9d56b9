import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLES = ['KEN_TERMINAL', 'TMUX_PANE', 'WEZTERM_PANE', 'ITERM_SESSION_ID', 'TERM_SESSION_ID'];

/** What tells this terminal from others: a variable, or the kernel's session; undefined where there is neither. */
export function terminalId(environment: Environment): string | undefined {
  const variable = VARIABLES.find((name) => environment[name]);
  if (variable) return `${variable}=${environment[variable]}`;
  const session = kernelSession();
  return session && `session=${session}`;
}

/** The session's leader and when it began, since numbers are used again. */
function kernelSession(): string | undefined {
  try {
    const session = statFields('self')[3];
    return session && session !== '0' ? `${session}@${statFields(session)[19] ?? ''}` : undefined;
  } catch {
    return undefined;
  }
}

/** From the third field on: the name in parentheses before them may hold anything. */
function statFields(process: string): string[] {
  const line = readFileSync(`/proc/${process}/stat`, 'utf8');
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}
