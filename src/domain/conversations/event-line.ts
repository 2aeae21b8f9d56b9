import { isJsonObject, type Json, type JsonObject, parseJson } from '../../base/json.ts';
import type { ConversationEvent } from './event.ts';

export function eventLine(event: ConversationEvent): string {
  return JSON.stringify(event.type === 'foreign' ? event.content : event);
}

/** Undefined for a torn line, or another one that is not a JSON object. */
export function parseEventLine(line: string): ConversationEvent | undefined {
  const value = parseObject(line);
  if (!value) return undefined;
  const shape =
    typeof value.type === 'string' && Object.hasOwn(SHAPES, value.type) ? SHAPES[value.type] : undefined;
  if (!shape || typeof value.at !== 'string' || !fits(value, shape))
    return { type: 'foreign', content: value };
  return value as JsonObject & ConversationEvent;
}

/** Whether it has the type of a known event but not its fields. */
export function isUnfitEvent(event: ConversationEvent): boolean {
  if (event.type !== 'foreign') return false;
  const { type } = event.content;
  return typeof type === 'string' && Object.hasOwn(SHAPES, type);
}

type FieldCheck = (value: Json | undefined) => boolean;

const text: FieldCheck = (value) => typeof value === 'string';
const count: FieldCheck = (value) => typeof value === 'number';
const object: FieldCheck = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const list: FieldCheck = (value) => Array.isArray(value);
const present: FieldCheck = (value) => value !== undefined;

/** Required fields of each type of event. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, FieldCheck>>>> = {
  turn_start: { turn: count },
  user_message: { text },
  assistant_message: { text, model: text, finish: text },
  reasoning: { text },
  tool_call: { id: text, name: text, arguments: present },
  tool_result: { id: text, name: text, outcome: isOutcome },
  approval: { id: text, decision: isDecision, summary: text },
  config_delta: { changes: list },
  usage: { model: text },
  remark: { kind: text, text },
};

function fits(value: JsonObject, shape: Readonly<Record<string, FieldCheck>>): boolean {
  return Object.entries(shape).every(([name, check]) => check(value[name]));
}

function isDecision(value: Json | undefined): boolean {
  return value === 'pending' || value === 'approved' || value === 'denied';
}

function isOutcome(value: Json | undefined): boolean {
  if (!object(value)) return false;
  const outcome = value as JsonObject;
  if (outcome.type === 'success') return text(outcome.text);
  if (outcome.type === 'error') return text(outcome.message) && list(outcome.trace);
  return outcome.type === 'needs-input' && object(outcome.question);
}

function parseObject(line: string): JsonObject | undefined {
  const value = parseJson(line);
  return isJsonObject(value) ? value : undefined;
}
