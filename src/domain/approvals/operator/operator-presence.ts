/**
 * Whether the operator is present: at a terminal, not behind an assistant that types and, for a decision while
 * approvals are locked, with the passphrase. Every question, survey, decision and widening setting depends on this
 * alone. Without the lock, a program that leaves its process tree and clears its environment is not recognised.
 */

import { Fault } from '../../../base/fault.ts';
import type { ApprovalsLock } from '../lock/approvals-lock.ts';
import { markIn, markOf } from './assistant-marks.ts';

export interface PresencePorts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly processTable: ProcessTable;
  /** Whether a person can read what is printed and type an answer. */
  isAtTerminal(): boolean;
  readonly lock: Pick<ApprovalsLock, 'open'>;
}

export interface ProcessTable {
  /** The processes that led to this one, nearest first; those that cannot be seen are left out. */
  ancestors(): Promise<readonly AncestorProcess[]>;
}

export interface AncestorProcess {
  readonly pid: number;
  /** Its name, as the system lists it. */
  readonly program: string;
  /** The variables it was started with; empty where they cannot be read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `why` is a sentence without its full stop. */
export type Presence =
  | { readonly isPresent: true }
  | { readonly isPresent: false; readonly why: string; readonly hint: string };

/** `question`: the answer grants nothing that lasts, so that a lock stays closed. */
export type Purpose = 'decision' | 'question';

export async function operatorPresence(
  ports: PresencePorts,
  purpose: Purpose = 'decision',
): Promise<Presence> {
  if (!ports.isAtTerminal()) return NO_TERMINAL;
  const own = markIn(ports.environment);
  if (own) return behind(own.assistant, `the variable ${own.variable}`);
  for (const { pid, program, environment } of await ports.processTable.ancestors()) {
    const named = markOf(program);
    if (named) return behind(named.assistant, `process ${pid}, ${program}`);
    const marked = markIn(environment);
    if (marked) return behind(marked.assistant, `the variable ${marked.variable} of process ${pid}`);
  }
  return purpose === 'question' || (await ports.lock.open()) ? { isPresent: true } : LOCKED;
}

/** Called before anything that only the operator may do; the Fault says what to do instead. */
export async function requireOperator(
  { operator }: { readonly operator: { presence(purpose?: Purpose): Promise<Presence> } },
  what: string,
  purpose?: Purpose,
): Promise<void> {
  const presence = await operator.presence(purpose);
  if (!presence.isPresent) throw absenceFault(presence, what);
}

export function absenceFault(presence: Presence, what: string): Fault {
  const { why, hint } = presence.isPresent ? NO_TERMINAL : presence;
  return new Fault('approvals/no-terminal', `${what} needs you: ${why}.`, { hint });
}

const NO_TERMINAL = {
  isPresent: false,
  why: 'there is no person at a terminal',
  hint: 'Run it in a terminal of your own.',
} as const;

const LOCKED = {
  isPresent: false,
  why: 'approvals are locked, and the passphrase was not given',
  hint: 'Run it again and type the passphrase, or decide with "ken approvals unlock".',
} as const;

function behind(assistant: string, mark: string): Presence {
  return {
    isPresent: false,
    why: `this terminal belongs to ${assistant} (${mark})`,
    hint: 'Run it in a terminal that you opened yourself, outside of the assistant.',
  };
}
