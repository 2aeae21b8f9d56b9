import { Fault } from '../../base/fault.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import {
  type CallWatcher,
  EndedCall,
  failure,
  type Receipt,
  type Tool,
  type ToolQuestion,
  type ToolRequest,
  type ToolResult,
  type TouchedFile,
} from './tool.ts';

/** Returns undefined when there is no answer. */
export type AnswerQuestion = (asked: AskedQuestion, signal: AbortSignal) => Promise<Json | undefined>;

export interface ToolCall {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly labels?: ToolRequest['labels'] | undefined;
}

export interface AskedQuestion extends Omit<ToolCall, 'labels'> {
  readonly question: ToolQuestion;
}

export interface RunPorts extends CallWatcher {
  readonly answerQuestion: AnswerQuestion;
}

/** A tool may ask several questions, but not endlessly. */
const MAX_QUESTIONS = 20;

/** The receipt is of all calls that the answers to questions took. */
export async function runTool(
  { answerQuestion, onProgress, recordDecision }: RunPorts,
  { tool, arguments: given, labels }: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  // A tool may name an id `__proto__`.
  const answers: Record<string, Json> = Object.create(null);
  const watcher = { recordDecision, ...(onProgress && { onProgress }) };
  const request = {
    action: 'run' as const,
    arguments: given,
    answers,
    ...(labels && { labels }),
    ...watcher,
  };
  let receipt: Receipt | undefined;
  try {
    for (let asked = 0; ; asked++) {
      const called = await tool.call(request, signal);
      receipt = together(receipt, called.receipt);
      const result = { ...called, ...(receipt && { receipt }) };
      if (result.outcome.type !== 'needs-input') return result;
      const { question } = result.outcome;
      const answer =
        asked < MAX_QUESTIONS
          ? await answerQuestion({ tool, arguments: given, question }, signal)
          : undefined;
      if (answer === undefined) {
        return { ...result, outcome: failure(`Nobody answered the tool's question: ${question.text}`) };
      }
      answers[question.id] = answer;
    }
  } catch (error) {
    const whole = together(receipt, error instanceof EndedCall ? error.receipt : undefined);
    throw error instanceof Fault && whole ? new EndedCall(error, whole) : error;
  }
}

function together(one: Receipt | undefined, other: Receipt | undefined): Receipt | undefined {
  if (!one || !other) return one ?? other;
  const requests = [...(one.requests ?? []), ...(other.requests ?? [])];
  const sum = (of: (receipt: Receipt) => number | undefined) => (of(one) ?? 0) + (of(other) ?? 0);
  const read = filesTogether(one.filesRead, other.filesRead);
  const written = filesTogether(one.filesWritten, other.filesWritten);
  const moreRead = sum((each) => each.moreFilesRead) + read.more;
  const moreWritten = sum((each) => each.moreFilesWritten) + written.more;
  const [stdout, stderr] = [joined(one.stdout, other.stdout), joined(one.stderr, other.stderr)];
  const [memory, processMemory] = [
    [one.memoryPeakBytes, other.memoryPeakBytes],
    [one.processPeakBytes, other.processPeakBytes],
  ].map((peaks) => peaks.filter((bytes) => bytes !== undefined));
  return {
    milliseconds: Math.round(sum((each) => each.milliseconds) * 10) / 10,
    filesRead: read.files,
    filesWritten: written.files,
    ...(moreRead > 0 && { moreFilesRead: moreRead }),
    ...(moreWritten > 0 && { moreFilesWritten: moreWritten }),
    ...(requests.length > 0 && { requests }),
    stdoutBytes: sum((each) => each.stdoutBytes),
    stderrBytes: sum((each) => each.stderrBytes),
    ...(stdout !== undefined && { stdout }),
    ...(stderr !== undefined && { stderr }),
    ...(memory?.length && { memoryPeakBytes: Math.max(...memory) }),
    ...(processMemory?.length && { processPeakBytes: Math.max(...processMemory) }),
    ...((one.ended || other.ended) && { ended: true }),
  };
}

const MOST_FILES = 1000;

function filesTogether(one: readonly TouchedFile[], other: readonly TouchedFile[]) {
  const bytes = new Map(one.map((file) => [file.path, file.bytes]));
  for (const file of other) bytes.set(file.path, (bytes.get(file.path) ?? 0) + file.bytes);
  const files = Array.from(bytes, ([path, sum]): TouchedFile => ({ path, bytes: sum }));
  return { files: files.slice(0, MOST_FILES), more: Math.max(0, files.length - MOST_FILES) };
}

function joined(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || other === undefined ? (one ?? other) : `${one}${other}`;
}
