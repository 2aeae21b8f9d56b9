import type { Json } from '../../base/json.ts';
import type { Question } from './tool.ts';

/** Puts questions to the person who is there. */
export interface Questioner {
  /** Whether there is anybody to ask. */
  isThere(): Promise<boolean>;
  /**
   * Shows who asks and the question, whole and inert, and waits for an answer that `isAnswer` takes; one question
   * at a time. Undefined: the person ended the input instead. Rejects when `signal` aborts or the person breaks off.
   */
  ask(asker: string, question: Question, signal: AbortSignal): Promise<Json | undefined>;
}
