/** Runs a program's question as `ken query` does, with nobody at a terminal. */

import { isInWorkspace, type OpenApp, type OpenRequest, type WorkspaceApp } from '../app.ts';
import { type Conversation, givenTitle } from '../domain/conversations/conversation.ts';
import { findConversation } from '../domain/conversations/find-conversation.ts';
import { gatherDecisions } from '../domain/conversations/gather-decisions.ts';
import { nativeLearnRunner } from '../domain/knowledge-base/learn/learn-tool.ts';
import { parseLabelDirective } from '../domain/labels/label-directive.ts';
import { type AskInput, ask } from '../domain/turns/ask.ts';
import { attach } from '../domain/turns/attach.ts';
import { prepareTurn } from '../domain/turns/prepare-turn.ts';
import type { TurnEnd, TurnEvent } from '../domain/turns/turn-event.ts';
import { ownLayers, resolveLabelsFor, settingsToBegin } from './conversation-settings.ts';
import type { Asking, AskOptions } from './library-ask-types.ts';
import { type TurnApp, turnPorts } from './turn-ports.ts';

export interface LibraryPlace {
  readonly app: WorkspaceApp;
  readonly openApp: OpenApp;
  readonly request: OpenRequest;
  /** Ports by which the person who asks can be asked back; by default nobody can be. */
  attend?(opened: WorkspaceApp): TurnApp;
}

/** Nobody can be asked, even when the program was started at a terminal. */
export function unattendedApp(opened: WorkspaceApp): TurnApp {
  return {
    ...turnPorts(opened),
    learnRunner: nativeLearnRunner(opened),
    approver: {
      isThere: async () => false,
      asksAgain: async () => false,
      ask: async () => ({ verdict: 'nobody' }),
    },
    questioner: { isThere: async () => false, ask: async () => undefined },
  };
}

/** Starts when the first event is read. */
export function asking(
  place: LibraryPlace,
  question: string,
  options: AskOptions,
  signal: AbortSignal,
): Asking {
  let end: TurnEnd | undefined;
  async function* watched(): AsyncGenerator<TurnEvent> {
    for await (const event of events(place, question, options, signal)) {
      if (event.type === 'turn-end') end = event.end;
      yield event;
    }
  }
  const turn = watched();
  return {
    [Symbol.asyncIterator]: () => turn,
    async answer() {
      for await (const _ of turn);
      if (!end) throw new Error('The turn was left before its end.');
      return end;
    },
  };
}

async function* events(
  place: LibraryPlace,
  question: string,
  options: AskOptions,
  given: AbortSignal,
): AsyncGenerator<TurnEvent> {
  given.throwIfAborted();
  // A program that leaves the loop early stops the turn, including its tools.
  const left = new AbortController();
  const signal = AbortSignal.any([given, left.signal]);
  const { opened, conversation, close } = await openFor(place, options);
  try {
    const app = (place.attend ?? unattendedApp)(opened);
    const { recordDecision, events: earlier } = gatherDecisions(app.clock);
    const sources = [...app.config.conversation.attachments, ...(options.attach ?? [])];
    const readers = app.attachments(app, { directory: place.request.directory, recordDecision });
    const attachments = await attach(readers, sources, signal);
    const { schema, tools: { only = [], without = [] } = {} } = options;
    const turn = await prepareTurn(app, { tools: { only, without }, recordDecision }, signal);
    for (const { name, fault } of turn.leftOut)
      place.request.warn(`Without the tool ${name}: ${fault.message}`);
    const chosen = await chosenPlace(place.request, app, { conversation, options }, signal);
    const input = {
      ...turn,
      message: {
        text: question,
        ...(attachments.length > 0 && { attachments }),
        ...(schema && { schema }),
      },
      in: chosen.in,
      decisions: [...earlier, ...chosen.decisions],
      configChanges: [],
      title: givenTitle(options.title),
    };
    const model = await app.models.open(turn.model);
    const { tools, retryPolicy, confirmation } = turn;
    yield* ask({ ...app, tools, retryPolicy, confirmation, model }, input, signal);
  } finally {
    left.abort();
    await close();
  }
}

interface Opened {
  readonly opened: WorkspaceApp;
  readonly conversation: Conversation | undefined;
  close(): Promise<void>;
}

/** A continued conversation has its own settings, and a question may have its own model. */
async function openFor({ app, openApp, request }: LibraryPlace, options: AskOptions): Promise<Opened> {
  const { conversation: id, model } = options;
  if (id === undefined && model === undefined)
    return { opened: app, conversation: undefined, close: async () => {} };
  let conversation: Conversation | undefined;
  const opened = await openApp({
    ...request,
    assignments: [
      ...request.assignments,
      ...(model === undefined ? [] : [JSON.stringify({ assistant: { model } })]),
    ],
    conversation: async (ports) => {
      conversation = id === undefined ? undefined : await findConversation(ports, id);
      return conversation ? ownLayers(ports, conversation) : [];
    },
  });
  if (!isInWorkspace(opened)) throw new Error('The workspace is gone.');
  return { opened, conversation, close: () => opened.close() };
}

/** Resolves labels before anything is written. */
async function chosenPlace(
  request: OpenRequest,
  app: TurnApp,
  { conversation, options }: { conversation: Conversation | undefined; options: AskOptions },
  signal: AbortSignal,
): Promise<Pick<AskInput, 'in' | 'decisions'>> {
  const surroundings = { terminal: request, signal, environment: request.environment };
  const { labels, decisions } = await resolveLabelsFor(surroundings, app, {
    event: conversation ? 'turn' : 'new',
    conversation,
    before: conversation?.metadata.labels ?? new Map(),
    directives: (options.labels ?? []).map(parseLabelDirective),
  });
  if (conversation) return { in: { kind: 'existing', conversation, labels, wait: signal }, decisions };
  const start = {
    isLocal: options.local ?? app.config.conversation.start_local,
    metadata: { labels },
    baseConfig: await settingsToBegin(app, app.config),
    events: [],
  };
  return { in: { kind: 'new', start }, decisions };
}
