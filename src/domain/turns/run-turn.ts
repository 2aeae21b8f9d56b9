/** Runs one turn: asks the model and runs the tools it calls, until it answers or the steps run out. */

import type { RecordDecision } from '../../base/approvals.ts';
import { isDeeperThan, type JsonObject, parseJson } from '../../base/json.ts';
import { type Clock, isoTime } from '../../base/time.ts';
import type { ConversationId } from '../conversations/conversation-id.ts';
import type {
  ApprovalEvent,
  ConversationEvent,
  ToolResultEvent,
  UserMessage,
} from '../conversations/event.ts';
import type { ConversationWriter } from '../conversations/store.ts';
import type { Labels } from '../labels/label.ts';
import { checkValue } from '../tools/schema/check-value.ts';
import { problemText } from '../tools/schema/problem.ts';
import type { CallWatcher, ToolProgress } from '../tools/tool.ts';
import { historyMessages, interruptedCalls } from './history-messages.ts';
import { askModel, type RetryPolicy } from './model/ask-model.ts';
import type { Model, ModelMessage, ModelRequest, ModelToolCall } from './model/model.ts';
import { withTakenFiles } from './model/model-files.ts';
import type { Reply } from './model/reply.ts';
import { ProgressNews } from './progress-news.ts';
import type { TurnEnd, TurnEvent } from './turn-event.ts';

export interface TurnPorts {
  readonly model: Model;
  readonly clock: Clock;
  readonly retryPolicy: RetryPolicy;
  readonly writer: Pick<ConversationWriter, 'append'>;
  readonly tools: TurnTools;
  /** Asks before a large request is sent: the number of tokens if the operator was asked. Throws when they decline. */
  confirmation?: Confirmation;
}

export type Confirmation = (
  request: ModelRequest,
  events: readonly ConversationEvent[],
  signal: AbortSignal,
) => Promise<number | undefined>;

export interface TurnTools {
  readonly definitions: ModelRequest['tools'];
  /** One line for a person. */
  describe(call: ModelToolCall): Promise<string>;
  /** An error of a tool is a result. Asks people one question at a time; records the decision before the call runs. */
  call(call: ModelToolCall, watch: CallWatch, signal: AbortSignal): Promise<CalledTool>;
}

export interface CallWatch extends CallWatcher {
  readonly conversation: string;
  /** All labels of the conversation. */
  readonly labels?: Labels | undefined;
  readonly recordDecision: RecordDecision;
  onProgress(progress: ToolProgress): void;
}

export type CalledTool = Pick<ToolResultEvent, 'outcome' | 'receipt'>;

export interface TurnInput {
  readonly conversation: ConversationId;
  readonly history: readonly ConversationEvent[];
  readonly labels?: Labels | undefined;
  /** Events before the question, such as a changed config. */
  readonly preface: readonly ConversationEvent[];
  /** Absent: continues an interrupted turn. */
  readonly message?: Omit<UserMessage, 'type' | 'at'> | undefined;
  readonly system: string;
  readonly maxSteps: number;
  readonly maxOutputTokens?: number | undefined;
}

/** Logs each event before anything that depends on it, so that a killed turn can be continued. */
export async function* runTurn(
  ports: TurnPorts,
  input: TurnInput,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const at = () => isoTime(ports.clock.now());
  const events = [...input.history];
  const save = oneAtATime(async (added: readonly ConversationEvent[]) => {
    await ports.writer.append(added);
    events.push(...added);
  });
  const turn = lastTurn(events) + (input.message ? 1 : 0);
  await save([...interruptedCalls(events, at()), ...input.preface, ...opening(input, turn, at())]);
  yield { type: 'turn-start', conversation: input.conversation, turn };

  const pending: string[] = [];
  let isCorrected = false;
  for (let step = 0; step < input.maxSteps; step++) {
    const request = withTakenFiles(ports.model, requestFor(input, ports.tools, events));
    const confirmed = await ports.confirmation?.(request, events, signal);
    if (confirmed) await save([{ type: 'remark', at: at(), kind: 'confirmation', text: String(confirmed) }]);
    const reply = yield* askModel({ ...ports, save, at, callIds: () => callIds(events) }, request, signal);
    if (reply.calls.length === 0 || signal.aborted) {
      const end = endOf(reply, signal, pending);
      const misfit = end.reason === 'answered' && request.schema && schemaMisfit(request.schema, reply.text);
      if (!misfit || isCorrected) {
        yield { type: 'turn-end', end: misfit ? { ...end, misfit } : end };
        return;
      }
      isCorrected = true;
      await save([{ type: 'remark', at: at(), kind: 'correction', text: correctionOf(misfit) }]);
      yield {
        type: 'retry',
        attempt: 1,
        waitMs: 0,
        reason: `The answer does not fit the schema: ${misfit}.`,
      };
      continue;
    }
    yield* runTools(
      { ...ports, save, at, conversation: input.conversation, labels: input.labels },
      reply.calls,
      {
        signal,
        pending,
      },
    );
  }
  yield { type: 'turn-end', end: { reason: 'limit', text: '', pending } };
}

/** Undefined when the answer is JSON that fits. */
function schemaMisfit(schema: JsonObject, text: string): string | undefined {
  const value = parseJson(text);
  if (value === undefined) return 'it is not JSON';
  if (isDeeperThan(value, MAX_ANSWER_DEPTH)) return 'it is nested too deeply';
  const problems = checkValue(schema, value).map(problemText);
  return problems.length > 0 ? problems.slice(0, MAX_PROBLEMS).join('; ') : undefined;
}

const MAX_ANSWER_DEPTH = 64;
const MAX_PROBLEMS = 5;

function correctionOf(misfit: string): string {
  return `Your answer does not fit the JSON Schema: ${misfit}. Answer again, with JSON that fits and nothing else.`;
}

function callIds(events: readonly ConversationEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap((event) => (event.type === 'tool_call' ? [event.id] : [])));
}

function lastTurn(events: readonly ConversationEvent[]): number {
  return events.reduce((last, event) => (event.type === 'turn_start' ? Math.max(last, event.turn) : last), 0);
}

function opening({ message }: TurnInput, turn: number, at: string): ConversationEvent[] {
  if (!message) return [];
  return [
    { type: 'turn_start', at, turn },
    { type: 'user_message', at, ...message },
  ];
}

export function requestFor(
  input: Pick<TurnInput, 'system' | 'maxOutputTokens' | 'message'>,
  tools: Pick<TurnTools, 'definitions'>,
  events: readonly ConversationEvent[],
): ModelRequest {
  const schema = input.message ? input.message.schema : lastSchema(events);
  return {
    system: input.system,
    messages: upToQuestion(historyMessages(events)),
    tools: tools.definitions,
    ...(input.maxOutputTokens !== undefined && { maxOutputTokens: input.maxOutputTokens }),
    ...(schema && { schema }),
  };
}

/** Drops an answer that broke off: many models refuse to continue half an answer. */
function upToQuestion(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages;
}

/** Schema that the question of a continued turn asked for. */
function lastSchema(events: readonly ConversationEvent[]): UserMessage['schema'] {
  return events.findLast((event): event is UserMessage => event.type === 'user_message')?.schema;
}

interface Saving extends TurnPorts, Pick<CallWatch, 'conversation' | 'labels'> {
  save(added: readonly ConversationEvent[]): Promise<void>;
  at(): string;
}

/** Runs all at once; logs and reports their results in the order of the calls. */
async function* runTools(
  ports: Saving,
  calls: readonly ModelToolCall[],
  { signal, pending }: { signal: AbortSignal; pending: string[] },
): AsyncGenerator<TurnEvent> {
  for (const call of calls) yield { type: 'tool-call', call, shown: await ports.tools.describe(call) };
  const news = new ProgressNews(ports.retryPolicy);
  const running = calls.map((call) => runCall(ports, call, news, signal));
  for (const each of running) {
    yield* news.until(each);
    const { call, called, approvals } = await each;
    for (const approval of approvals) {
      if (approval.decision === 'pending') pending.push(approval.id);
      yield { type: 'approval', approval };
    }
    const result: ToolResultEvent = {
      type: 'tool_result',
      at: ports.at(),
      id: call.id,
      name: call.name,
      outcome: called.outcome,
      ...(called.receipt && { receipt: called.receipt }),
    };
    await ports.save([result]);
    yield { type: 'tool-result', result };
  }
}

/** Decisions about a call are in the log before it runs. */
async function runCall(ports: Saving, call: ModelToolCall, news: ProgressNews, signal: AbortSignal) {
  const { id, name } = call;
  const { conversation, labels } = ports;
  const approvals: ApprovalEvent[] = [];
  const recordDecision: RecordDecision = async (note) => {
    const approval: ApprovalEvent = { type: 'approval', at: ports.at(), ...note, call: id };
    await ports.save([approval]);
    approvals.push(approval);
  };
  let isRunning = true;
  const onProgress = (progress: ToolProgress) => {
    if (isRunning) news.tell({ type: 'tool-progress', id, name, progress });
  };
  const called = await ports.tools.call(call, { conversation, labels, recordDecision, onProgress }, signal);
  isRunning = false;
  news.drop(id);
  return { call, called, approvals };
}

function oneAtATime<Input>(work: (input: Input) => Promise<void>): (input: Input) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (input) => {
    const next = last.then(() => work(input));
    last = next.catch(() => {});
    return next;
  };
}

function endOf(reply: Reply, signal: AbortSignal, pending: readonly string[]): TurnEnd {
  const ends = { text: reply.text, pending };
  if (signal.aborted) return { reason: 'stopped', ...ends };
  if (reply.finish === 'stop' || reply.finish === 'tool-calls') return { reason: 'answered', ...ends };
  if (reply.finish === 'length' || reply.finish === 'refused') return { reason: reply.finish, ...ends };
  return { reason: 'truncated', ...ends };
}

/** The request that a turn would send first. */
export function previewRequest(
  tools: Pick<TurnTools, 'definitions'>,
  input: Pick<TurnInput, 'system' | 'maxOutputTokens' | 'message' | 'history'>,
): ModelRequest {
  const asked: ConversationEvent[] = input.message
    ? [{ type: 'user_message', at: '', ...input.message }]
    : [];
  return requestFor(input, tools, [...input.history, ...asked]);
}
