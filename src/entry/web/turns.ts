/** Questions that were asked on the page. A turn goes on when its tab is closed, and any tab can look at it. */

import { isInWorkspace, type WorkspaceApp } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import type { Approval } from '../../domain/approvals/approval.ts';
import type { Approver, ApproverAnswer } from '../../domain/approvals/approver.ts';
import type { TurnEvent } from '../../domain/turns/turn-event.ts';
import { asking, unattendedApp } from '../library-ask.ts';
import type { AskOptions } from '../library-ask-types.ts';
import type { WebPlace } from './page.ts';

export interface Turn {
  readonly key: string;
  readonly question: string;
  /** Known once the turn has begun. */
  readonly conversation: string | undefined;
  readonly text: string;
  readonly calls: readonly TurnCall[];
  readonly waiting: readonly Approval[];
  readonly end: TurnOutcome | undefined;
  /** Grows with every change. */
  readonly revision: number;
}

export interface TurnCall {
  readonly id: string;
  readonly shown: string;
  readonly state: 'running' | 'done' | 'failed';
}

export type TurnOutcome =
  | { readonly kind: 'ended'; readonly reason: string }
  | { readonly kind: 'failed'; readonly message: string; readonly hint: string | undefined };

export interface Turns {
  start(question: string, options: AskOptions): string;
  get(key: string): Turn | undefined;
  stop(key: string): void;
  /** Answers an approval that a turn waits for; false when none does. */
  answer(approvalId: string, answer: ApproverAnswer): boolean;
  /** Resolves at the next change of the turn, or after a while. */
  changed(key: string, signal: AbortSignal): Promise<void>;
}

interface Running extends Turn {
  readonly controller: AbortController;
  wake: (() => void)[];
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** Ended turns that can still be looked at. */
const MOST_TURNS = 50;
const LOOK_MS = 10_000;

export function runningTurns(place: Omit<WebPlace, 'turns'>): Turns {
  const turns = new Map<string, Mutable<Running>>();
  const waiters = new Map<string, (answer: ApproverAnswer) => void>();
  const change = (turn: Mutable<Running>, fields: Partial<Turn>) => {
    Object.assign(turn, fields, { revision: turn.revision + 1 });
    for (const wake of turn.wake.splice(0)) wake();
  };
  return {
    start(question, options) {
      const controller = new AbortController();
      const turn: Mutable<Running> = {
        ...{ key: place.app.ids.ulid(), question, conversation: options.conversation, text: '' },
        ...{ calls: [], waiting: [], end: undefined, revision: 0, controller, wake: [] },
      };
      turns.set(turn.key, turn);
      const ended = [...turns.values()].filter(({ end }) => end);
      for (const { key } of ended.slice(0, Math.max(0, turns.size - MOST_TURNS))) turns.delete(key);
      void run(place, { turn, waiters, change }, options);
      return turn.key;
    },
    get: (key) => turns.get(key),
    stop: (key) => turns.get(key)?.controller.abort(),
    answer(approvalId, answer) {
      const waiter = waiters.get(approvalId);
      waiter?.(answer);
      return waiter !== undefined;
    },
    changed: (key, signal) =>
      new Promise((resolve) => {
        turns.get(key)?.wake.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
        setTimeout(resolve, LOOK_MS).unref();
      }),
  };
}

interface RunningState {
  readonly turn: Mutable<Running>;
  readonly waiters: Map<string, (answer: ApproverAnswer) => void>;
  change(turn: Mutable<Running>, fields: Partial<Turn>): void;
}

async function run(place: Omit<WebPlace, 'turns'>, state: RunningState, options: AskOptions): Promise<void> {
  const { turn, change } = state;
  const { app } = place;
  try {
    if (!isInWorkspace(app)) throw new Fault('workspace/not-found', 'There is no workspace here.');
    const attend = (opened: WorkspaceApp) => ({ ...unattendedApp(opened), approver: pageApprover(state) });
    const signal = AbortSignal.any([turn.controller.signal, place.signal]);
    for await (const event of asking({ ...place, app, attend }, turn.question, options, signal))
      change(turn, fieldsAfter(turn, event as TurnEvent));
    if (!turn.end) change(turn, { end: { kind: 'ended', reason: 'stopped' } });
  } catch (error) {
    const isFault = error instanceof Fault;
    if (!isFault && !turn.controller.signal.aborted) place.report(error);
    const message = isFault ? error.message : 'ken has a bug here; the terminal that runs the page shows it.';
    change(turn, {
      end: turn.controller.signal.aborted
        ? { kind: 'ended', reason: 'stopped' }
        : { kind: 'failed', message, hint: isFault ? error.hint : undefined },
    });
  }
}

function fieldsAfter(turn: Turn, event: TurnEvent): Partial<Turn> {
  switch (event.type) {
    case 'turn-start':
      return { conversation: event.conversation };
    case 'text-delta':
      return { text: turn.text + event.text };
    case 'tool-call':
      return { calls: [...turn.calls, { id: event.call.id, shown: event.shown, state: 'running' }] };
    case 'tool-result': {
      const state = event.result.outcome.type === 'success' ? 'done' : 'failed';
      const calls = turn.calls.map((call) =>
        call.id === event.result.id ? ({ ...call, state } as const) : call,
      );
      return { calls };
    }
    case 'turn-end':
      return { end: { kind: 'ended', reason: event.end.reason }, text: event.end.text || turn.text };
    default:
      return {};
  }
}

/** The person at the page is asked in the turn itself, and in the list of approvals. */
function pageApprover({ turn, waiters, change }: RunningState): Approver {
  return {
    isThere: async () => true,
    asksAgain: async () => true,
    ask: (approval, signal) =>
      new Promise((resolve, reject) => {
        const done = () => {
          waiters.delete(approval.id);
          change(turn, { waiting: turn.waiting.filter(({ id }) => id !== approval.id) });
        };
        waiters.set(approval.id, (answer) => {
          done();
          resolve(answer);
        });
        signal.addEventListener('abort', () => {
          done();
          reject(signal.reason);
        });
        change(turn, { waiting: [...turn.waiting, approval] });
      }),
  };
}
