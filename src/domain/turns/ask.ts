import { Fault } from '../../base/fault.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Json } from '../../base/json.ts';
import { type Clock, isoTime } from '../../base/time.ts';
import { putLabels } from '../conversations/change-labels.ts';
import { type Conversation, titleFrom } from '../conversations/conversation.ts';
import { createConversation, type NewConversation } from '../conversations/create-conversation.ts';
import type { ApprovalEvent, ConversationEvent } from '../conversations/event.ts';
import type { ConversationStore, ConversationWriter } from '../conversations/store.ts';
import { changeLabels, type Labels, labelChanges } from '../labels/label.ts';
import type { RetryPolicy } from './model/ask-model.ts';
import type { Model } from './model/model.ts';
import { requireTaken } from './model/model-files.ts';
import { type Confirmation, runTurn, type TurnInput, type TurnTools } from './run-turn.ts';
import type { TurnEvent } from './turn-event.ts';

export interface AskPorts {
  readonly conversations: ConversationStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly model: Model;
  readonly retryPolicy: RetryPolicy;
  readonly tools: TurnTools;
  confirmation?: Confirmation;
}

export interface AskInput extends Omit<TurnInput, 'conversation' | 'history' | 'preface'> {
  readonly in: NewPlace | ExistingPlace;
  /** Changes of the conversation's own settings from this turn on. */
  readonly configChanges: readonly Json[];
  /** Decisions of the operator before this question. */
  readonly decisions: readonly ApprovalEvent[];
  readonly title?: string | undefined;
  readonly makesTitle?: boolean;
}

export interface NewPlace {
  readonly kind: 'new';
  readonly start: NewConversation;
}

export interface ExistingPlace {
  readonly kind: 'existing';
  readonly conversation: Conversation;
  /** Unchanged when absent. */
  readonly labels?: Labels;
  /** Waits for another writer until this aborts; when absent, another writer is a Fault. */
  readonly wait?: AbortSignal | undefined;
}

export async function* ask(ports: AskPorts, input: AskInput, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  requireTaken(ports.model, input.message);
  const { conversation, writer } = await openPlace(ports, input);
  try {
    const history = (await ports.conversations.log(conversation.id))?.events ?? [];
    const isFirst = input.makesTitle && input.title === undefined && !hasTurns(history);
    const labelled = await withLabels(ports, writer, conversation, input);
    await writer.putMetadata({
      ...labelled.metadata,
      activeAt: ports.clock.now(),
      ...titleFor(labelled, input),
    });
    const preface = deltaEvents(input.configChanges, isoTime(ports.clock.now()));
    const turn = {
      ...input,
      conversation: conversation.id,
      labels: labelled.metadata.labels,
      history,
      preface,
    };
    let answer: string | undefined;
    for await (const event of runTurn({ ...ports, writer }, turn, signal)) {
      if (event.type === 'turn-end' && event.end.reason === 'answered') answer = event.end.text;
      yield event;
      if (event.type === 'turn-start') yield* input.decisions.map(asTurnEvent);
    }
    if (isFirst && answer !== undefined) await nameIt(ports, writer, conversation, { input, answer, signal });
  } finally {
    await writer.release();
  }
}

async function nameIt(
  ports: AskPorts,
  writer: ConversationWriter,
  { id }: Conversation,
  { input, answer, signal }: { input: AskInput; answer: string; signal: AbortSignal },
): Promise<void> {
  const { makeTitle } = await import('./make-title.ts');
  const title = await makeTitle(ports.model, { question: input.message?.text ?? '', answer }, signal);
  const current = await ports.conversations.get(id);
  if (title !== undefined && current) await writer.putMetadata({ ...current.metadata, title });
}

async function openPlace(
  ports: AskPorts,
  { in: place, decisions }: AskInput,
): Promise<{ conversation: Conversation; writer: ConversationWriter }> {
  const { id } =
    place.kind === 'new' ? await createConversation(ports, begunWith(place, decisions)) : place.conversation;
  const writer = await ports.conversations.write(id, place.kind === 'existing' ? place.wait : undefined);
  // Read again, since an earlier writer may have changed it.
  const conversation = await ports.conversations.get(id);
  if (writer && conversation) return { conversation, writer };
  await writer?.release();
  throw new Fault('conversations/not-found', `The conversation ${id} is gone.`);
}

/** A new conversation begins with its decisions. */
function begunWith({ start }: NewPlace, decisions: readonly ApprovalEvent[]): NewConversation {
  return { ...start, events: [...start.events, ...decisions] };
}

async function withLabels(
  ports: AskPorts,
  writer: ConversationWriter,
  conversation: Conversation,
  { in: place, decisions }: AskInput,
): Promise<Conversation> {
  if (place.kind === 'new') return conversation;
  // Applies only the changes of this call: another writer may have changed other labels meanwhile.
  const before = place.conversation.metadata.labels;
  const changes = labelChanges(before, place.labels ?? before);
  const labels = changeLabels(conversation.metadata.labels, changes);
  await putLabels(writer, conversation, { labels, decisions }, isoTime(ports.clock.now()));
  return { ...conversation, metadata: { ...conversation.metadata, labels } };
}

/** The given title, else the present one, else the beginning of the first question. */
function titleFor({ metadata }: Conversation, { title, message }: AskInput): { title?: string } {
  if (title !== undefined) return { title };
  const begun = metadata.title === undefined ? titleFrom(message?.text ?? '') : undefined;
  return begun === undefined ? {} : { title: begun };
}

function hasTurns(history: readonly ConversationEvent[]): boolean {
  return history.some(({ type }) => type === 'turn_start');
}

function asTurnEvent(approval: ApprovalEvent): TurnEvent {
  return { type: 'approval', approval };
}

function deltaEvents(changes: readonly Json[], at: string): ConversationEvent[] {
  return changes.length > 0 ? [{ type: 'config_delta', at, changes }] : [];
}
