/** Classifies errors of providers into those that a retry may fix and those that the operator must fix. */

import { isJsonList, memberOf, parseJson } from '../../base/json.ts';
import { withoutSecrets } from '../../base/text.ts';
import { ModelFault } from '../../domain/turns/model/model.ts';

export interface FaultContext {
  readonly model: string;
  /** The environment variable of the key, if the provider needs one. */
  readonly keyVariable: string | undefined;
  /** The key and the values of headers, which a server may repeat in its answer. */
  readonly secrets: readonly string[];
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
  const call = masked(asCallError(error), context.secrets);
  const text = `${call.message} ${call.responseBody ?? ''}`;
  const { code, isTransient = false, hint, says } = kindOf(call, text);
  const said = ownSentence(call.responseBody) ?? shortMessage(call.message);
  const problem = typeof says === 'string' ? says : says(context, said);
  return new ModelFault(code, `${context.model}: ${problem}.`, {
    isTransient,
    retryAfterMs: isTransient ? retryAfter(call.responseHeaders, context.now) : undefined,
    ...(hint && { hint: typeof hint === 'string' ? hint : hint(context) }),
    cause: context.secrets.length === 0 ? error : maskedCause(error, call),
  });
}

function masked(call: CallError, secrets: readonly string[]): CallError {
  const { message, responseBody } = call;
  return {
    ...call,
    message: withoutSecrets(message, secrets),
    ...(responseBody !== undefined && { responseBody: withoutSecrets(responseBody, secrets) }),
  };
}

/** The error without its request and headers, which hold the key. */
function maskedCause(error: unknown, { message, statusCode, responseBody, cause }: CallError): Error {
  const name = error instanceof Error ? error.name : 'Error';
  const shown = { name, ...(statusCode && { statusCode }), ...(responseBody && { responseBody }) };
  return Object.assign(new Error(message, { cause }), shown);
}

interface Kind {
  readonly code: ModelFault['code'] & `models/${string}`;
  /** A retry may help. */
  readonly isTransient?: true;
  readonly hint?: string | ((context: FaultContext) => string);
  readonly says: string | ((context: FaultContext, message: string) => string);
}

const DENIED: Kind = {
  code: 'models/denied',
  hint: ({ keyVariable }) =>
    keyVariable
      ? `Put a key that is valid for this provider into ${keyVariable}.`
      : 'Set api_key_env of the provider to the name of the variable that holds the key.',
  says: ({ keyVariable }, message) =>
    `${keyVariable ? `the key in ${keyVariable} was refused` : 'access was refused'} (${message})`,
};
const QUOTA: Kind = { code: 'models/denied', says: (_, message) => `the quota is used up (${message})` };
const UNKNOWN: Kind = {
  code: 'models/unknown',
  hint: '"ken models" lists what is configured and reachable.',
  says: (_, message) => `there is no such model (${message})`,
};
const TOO_LONG: Kind = {
  code: 'models/context-too-long',
  hint: 'Shorten it with "ken c compact", or start a new conversation.',
  says: (_, message) => `the conversation is longer than the model can read (${message})`,
};
const RATE: Kind = {
  code: 'models/rate-limited',
  isTransient: true,
  says: (_, message) => `too many requests (${message})`,
};
const OVERLOADED: Kind = {
  code: 'models/overloaded',
  isTransient: true,
  says: (_, message) => `the provider is overloaded (${message})`,
};
const FAILED: Kind = { code: 'models/failed', says: (_, message) => message };
const FAILED_TEMPORARILY: Kind = { ...FAILED, isTransient: true };
const UNREACHABLE: Kind = {
  code: 'models/unreachable',
  hint: 'Is it running, and is its base_url right?',
  says: 'nothing answers there',
};
const DROPPED: Kind = { code: 'models/dropped', isTransient: true, says: 'the connection broke' };

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
  if (statusCode !== undefined) return statusCode >= 500 || statusCode === 408 ? FAILED_TEMPORARILY : FAILED;
  const reasons = `${message} ${causeText(cause)}`;
  if (REFUSED_CONNECTION.test(reasons)) return UNREACHABLE;
  return /terminated|socket|ECONNRESET|EPIPE|fetch failed|aborted|network/i.test(reasons) ? DROPPED : FAILED;
}

function causeText(cause: unknown): string {
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

/** The sentence in the answer of the provider: `{ error: { message } }`, `{ error }`, `{ message }`, or in a list. */
function ownSentence(body: string | undefined): string | undefined {
  const answer = body === undefined ? undefined : parseJson(body);
  const first = isJsonList(answer) ? answer[0] : answer;
  if (first === undefined) return undefined;
  const error = memberOf(first, 'error') ?? first;
  const said = typeof error === 'string' ? error : (memberOf(error, 'message') ?? memberOf(first, 'detail'));
  return typeof said === 'string' && said.trim() !== '' ? shortMessage(said.trim()) : undefined;
}

function shortMessage(message: string): string {
  const [line = ''] = message.split('\n');
  return (line.length > 200 ? `${line.slice(0, 200)}…` : line).replace(/\.$/, '');
}

/** Reads `retry-after-ms`, or `retry-after` in seconds or as a date. */
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
