import { processStat } from './process-stat.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLES = ['KEN_TERMINAL', 'TMUX_PANE', 'WEZTERM_PANE', 'ITERM_SESSION_ID', 'TERM_SESSION_ID'];

/** Processes that a container got from outside all share this session. */
const OUTSIDE = '0';

/** Identifies this terminal by a variable or by the kernel's session; undefined where there is neither. */
export function terminalId(environment: Environment): string | undefined {
  const variable = VARIABLES.find((name) => environment[name]);
  if (variable) return `${variable}=${environment[variable]}`;
  const session = kernelSession();
  return session && `session=${session}`;
}

/** The session's number, and when its leader was started, since numbers are used again. */
function kernelSession(): string | undefined {
  const session = processStat('self')?.session;
  if (session === undefined || session === OUTSIDE) return undefined;
  const started = processStat(session)?.startTime;
  return started === undefined ? session : `${session}@${started}`;
}
