/** Questions that were asked on the page. A turn goes on when its tab is closed, and any tab can look at it. */

import { isInWorkspace, type WorkspaceApp } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import type { Json } from '../../base/json.ts';
import type { Approval } from '../../domain/approvals/approval.ts';
import type { ApproverAnswer } from '../../domain/approvals/approver.ts';
import type { AttachedText } from '../../domain/conversations/event.ts';
import type { AttachmentReader } from '../../domain/turns/attach.ts';
import type { TurnEvent } from '../../domain/turns/turn-event.ts';
import { asking, unattendedApp } from '../library-ask.ts';
import type { AskOptions } from '../library-ask-types.ts';
import { turnPorts } from '../turn-ports.ts';
import type { OpenedPlace } from './page.ts';
import { type AskedQuestion, pageApprover, pageQuestioner, type WaitingPeople } from './turn-people.ts';

export interface Turn {
  readonly key: string;
  readonly question: string;
  /** Known once the turn has begun. */
  readonly conversation: string | undefined;
  readonly text: string;
  readonly calls: readonly TurnCall[];
  readonly waiting: readonly Approval[];
  readonly questions: readonly AskedQuestion[];
  readonly end: TurnOutcome | undefined;
  /** Items that are read into the index before it can be searched. */
  readonly indexing?: { readonly done: number; readonly total: number } | undefined;
  /** Grows with every change. */
  readonly revision: number;
}

export interface TurnCall {
  readonly id: string;
  readonly shown: string;
  readonly state: 'running' | 'done' | 'failed';
  /** Its own words about its progress. */
  readonly progress?: string;
}

export type TurnOutcome =
  | { readonly kind: 'ended'; readonly reason: string }
  | { readonly kind: 'failed'; readonly message: string; readonly hint: string | undefined };

export interface Turns {
  start(question: string, options: AskOptions, attached?: readonly AttachedText[]): string;
  get(key: string): Turn | undefined;
  stop(key: string): void;
  /** Answers an approval that a turn waits for; false when none does. */
  answer(approvalId: string, answer: ApproverAnswer): boolean;
  /** Answers a question of a tool; false when it is not asked any more, or the answer is none of its kind. */
  reply(questionKey: string, answer: Json): boolean;
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

export function runningTurns(place: OpenedPlace): Turns {
  const turns = new Map<string, Mutable<Running>>();
  const people: WaitingPeople = { approvals: new Map(), questions: new Map() };
  const change = (turn: Mutable<Running>, fields: Partial<Turn>) => {
    Object.assign(turn, fields, { revision: turn.revision + 1 });
    for (const wake of turn.wake.splice(0)) wake();
  };
  return {
    start(question, options, attached = []) {
      const controller = new AbortController();
      const turn: Mutable<Running> = {
        ...{ key: place.app.ids.ulid(), question, conversation: options.conversation, text: '' },
        ...{ calls: [], waiting: [], questions: [], end: undefined, revision: 0, controller, wake: [] },
      };
      turns.set(turn.key, turn);
      const ended = [...turns.values()].filter(({ end }) => end);
      for (const { key } of ended.slice(0, Math.max(0, turns.size - MOST_TURNS))) turns.delete(key);
      void run(place, { turn, people, attached, change }, options);
      return turn.key;
    },
    get: (key) => turns.get(key),
    stop: (key) => turns.get(key)?.controller.abort(),
    answer(approvalId, answer) {
      const waiter = people.approvals.get(approvalId);
      waiter?.(answer);
      return waiter !== undefined;
    },
    reply(questionKey, answer) {
      const waiter = people.questions.get(questionKey);
      return waiter?.(answer) ?? false;
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
  readonly people: WaitingPeople;
  readonly attached: readonly AttachedText[];
  change(turn: Mutable<Running>, fields: Partial<Turn>): void;
}

async function run(place: OpenedPlace, state: RunningState, given: AskOptions): Promise<void> {
  const { turn, change, attached } = state;
  const options = { ...given, attach: attached.map((_, at) => `${SENT}${at}`) };
  const { app } = place;
  try {
    if (!isInWorkspace(app)) throw new Fault('workspace/not-found', 'There is no workspace here.');
    const attend = (opened: WorkspaceApp) => attended(opened, state, place.app);
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
    case 'tool-progress': {
      const { phase, done, total } = event.progress;
      const progress = `${phase} ${done}${total === undefined ? '' : ` of ${total}`}`;
      return { calls: turn.calls.map((call) => (call.id === event.id ? { ...call, progress } : call)) };
    }
    default:
      return {};
  }
}

/** The app that is opened for a conversation has the terminal of this process, which is asked and believed for nothing. */
function attended(
  opened: WorkspaceApp,
  state: RunningState,
  { ids, operator }: Pick<WorkspaceApp, 'ids' | 'operator'>,
) {
  const person = { turn: state.turn, people: state.people, change: state.change };
  const onItems = (done: number, total: number) => {
    // Every event makes browsers load the answer again.
    if (done === total || done % INDEXED_STEP === 0)
      state.change(state.turn, { indexing: done === total ? undefined : { done, total } });
  };
  return {
    ...unattendedApp(opened),
    operator,
    search: turnPorts(opened, onItems).search,
    approver: pageApprover(person),
    questioner: pageQuestioner(person, ids),
    attachments: (...asked: Parameters<WorkspaceApp['attachments']>): readonly AttachmentReader[] => [
      { read: async (source) => sentAs(state.attached, source) },
      ...opened.attachments(...asked),
    ],
  };
}

const INDEXED_STEP = 50;
const SENT = 'sent:';

/** Undefined for a source that no browser sent. */
function sentAs(attached: readonly AttachedText[], source: string): readonly AttachedText[] | undefined {
  if (!source.startsWith(SENT)) return undefined;
  const found = attached[Number(source.slice(SENT.length))];
  return found && [found];
}
