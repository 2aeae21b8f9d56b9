/** Failures of providers, told apart: what retrying may help, and what the operator must mend. */

import { ModelFault } from '../../domain/turns/model.ts';

export interface FaultContext {
  /** `provider/model` */
  readonly model: string;
  /** The environment variable that holds the key, where there is one. */
  readonly keyVariable: string | undefined;
  readonly now: number;
}

interface CallError {
  readonly message: string;
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly cause?: unknown;
}

export function modelFault(error: unknown, context: FaultContext): ModelFault {
  if (error instanceof ModelFault) return error;
  const call = asCallError(error);
  const text = `${call.message} ${call.responseBody ?? ''}`;
  const kind = kindOf(call, text);
  return new ModelFault(kind.code, `${context.model}: ${kind.says(context, shortMessage(call))}.`, {
    isTransient: kind.isTransient,
    retryAfterMs: kind.isTransient ? retryAfter(call.responseHeaders, context.now) : undefined,
    ...(kind.hint && { hint: kind.hint }),
    cause: error,
  });
}

interface Kind {
  readonly code: ModelFault['code'] & `models/${string}`;
  readonly isTransient: boolean;
  readonly hint?: string;
  says(context: FaultContext, message: string): string;
}

const DENIED: Kind = {
  code: 'models/denied',
  isTransient: false,
  says: ({ keyVariable }) => (keyVariable ? `the key in ${keyVariable} was refused` : 'access was refused'),
};
const QUOTA: Kind = {
  code: 'models/denied',
  isTransient: false,
  says: (_, message) => `the quota is used up (${message})`,
};
const UNKNOWN: Kind = {
  code: 'models/unknown',
  isTransient: false,
  hint: '"ken models" lists what is configured and reachable.',
  says: (_, message) => `there is no such model (${message})`,
};
const TOO_LONG: Kind = {
  code: 'models/context-too-long',
  isTransient: false,
  hint: 'Shorten it with "ken c compact", or start a new conversation.',
  says: () => 'the conversation is longer than the model can read',
};
const RATE: Kind = { code: 'models/rate-limited', isTransient: true, says: () => 'too many requests' };
const OVERLOADED: Kind = {
  code: 'models/overloaded',
  isTransient: true,
  says: () => 'the provider is overloaded',
};
const FAILED: Kind = { code: 'models/failed', isTransient: false, says: (_, message) => message };
const FAILED_FOR_NOW: Kind = { ...FAILED, isTransient: true };
const UNREACHABLE: Kind = {
  code: 'models/unreachable',
  isTransient: false,
  hint: 'Is it running, and is its base_url right?',
  says: () => 'nothing answers there',
};
const DROPPED: Kind = { code: 'models/dropped', isTransient: true, says: () => 'the connection broke' };

const REFUSED_CONNECTION = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/;
const CONTEXT =
  /context.{0,20}(length|window|size)|too many (input )?tokens|maximum context|prompt is too long/i;

function kindOf({ statusCode, message, cause }: CallError, text: string): Kind {
  if (/insufficient_quota|billing|credit balance/i.test(text)) return QUOTA;
  if (CONTEXT.test(text)) return TOO_LONG;
  if (statusCode === 401 || statusCode === 403) return DENIED;
  if (statusCode === 404) return UNKNOWN;
  if (statusCode === 429 || /rate_limit/i.test(text)) return RATE;
  if (statusCode === 529 || statusCode === 503 || /overloaded/i.test(text)) return OVERLOADED;
  if (statusCode === 200) return DROPPED;
  if (statusCode !== undefined) return statusCode >= 500 || statusCode === 408 ? FAILED_FOR_NOW : FAILED;
  const reasons = `${message} ${chainOf(cause)}`;
  if (REFUSED_CONNECTION.test(reasons)) return UNREACHABLE;
  return /terminated|socket|ECONNRESET|EPIPE|fetch failed|aborted|network/i.test(reasons) ? DROPPED : FAILED;
}

function chainOf(cause: unknown): string {
  const texts: string[] = [];
  for (let each = cause; each instanceof Error && texts.length < 8; each = each.cause) {
    const inner = each instanceof AggregateError ? each.errors.map(String).join(' ') : '';
    texts.push(`${(each as NodeJS.ErrnoException).code ?? ''} ${each.message} ${inner}`);
  }
  return texts.join(' ');
}

function asCallError(error: unknown): CallError {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  const message = (error as { message?: unknown }).message;
  const text = typeof message === 'string' && message !== '' ? message : JSON.stringify(error);
  return { ...(error as CallError), message: text, cause: (error as { cause?: unknown }).cause };
}

function shortMessage({ message }: CallError): string {
  const [line = ''] = message.split('\n');
  return (line.length > 200 ? `${line.slice(0, 200)}…` : line).replace(/\.$/, '');
}

/** Seconds or a date, or milliseconds under their own name. */
function retryAfter(headers: CallError['responseHeaders'], now: number): number | undefined {
  const milliseconds = Number(headers?.['retry-after-ms']);
  if (headers?.['retry-after-ms'] && Number.isFinite(milliseconds)) return milliseconds;
  const given = headers?.['retry-after'];
  if (!given) return undefined;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const instant = Date.parse(given);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
