/** Answers messages of a bad shape in a sentence: neither with silence nor with the dump of a schema library. */

import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server';
import { isJsonList, isJsonObject, type Json, memberOf } from '../../base/json.ts';

/** Rewrites errors that quote a schema library. Changes the transport that it is given. */
export function withPlainErrors<Sending extends Transport>(
  transport: Sending,
  era: 'legacy' | 'modern',
): Sending {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(plainError(message, era), options);
  return transport;
}

/** The code of the revision 2025-11-25 for a resource that is not there; the SDK sends that of the next one. */
const NOT_FOUND_2025 = -32_002;

function plainError(message: JSONRPCMessage, era: 'legacy' | 'modern'): JSONRPCMessage {
  if (!isJSONRPCErrorResponse(message)) return message;
  const { code, message: text, data } = plainFault(message.error, era);
  const isShort = JSON.stringify(data ?? null).length <= LONGEST_ERROR;
  return {
    ...message,
    error: { code, message: text.slice(0, LONGEST_ERROR), ...(isShort && data !== undefined && { data }) },
  };
}

type ErrorOf = JSONRPCErrorResponse['error'];

/** Errors quote what the client sent, which may have megabytes. */
const LONGEST_ERROR = 4_000;

function plainFault(error: ErrorOf, era: 'legacy' | 'modern'): ErrorOf {
  if (era === 'legacy' && typeof memberOf(error.data as Json | undefined, 'uri') === 'string')
    return { ...error, code: NOT_FOUND_2025 };
  const known = OF_THE_SDK.get(error.message);
  if (known) return { ...error, ...known };
  const said = issuesIn(error.message);
  return said === undefined
    ? error
    : { code: ProtocolErrorCode.InvalidParams, message: `The parameters do not fit: ${said}.` };
}

const OF_THE_SDK: ReadonlyMap<string, Partial<ErrorOf>> = new Map([
  ['Method not found', { message: 'The server has no such method.' }],
  [
    // Schemas are checked recursively.
    'Maximum call stack size exceeded',
    { code: ProtocolErrorCode.InvalidParams, message: 'The parameters are nested too deeply.' },
  ],
]);

/** For the client's log. */
export function plainMistake(message: string): string {
  const said = issuesIn(message);
  return said === undefined ? message.slice(0, LONGEST_MISTAKE) : `A message does not fit: ${said}.`;
}

const LONGEST_MISTAKE = 500;
const MOST_ISSUES = 3;

/** `params.cursor must be a string`; undefined for a message that holds no issues of a schema library. */
function issuesIn(message: string): string | undefined {
  const at = message.indexOf('[');
  if (at === -1 || !message.trimEnd().endsWith(']')) return undefined;
  const issues = parsed(message.slice(at));
  if (!isJsonList(issues) || !issues.every((issue) => isJsonObject(issue) && 'path' in issue))
    return undefined;
  const all = issues.map(issueText);
  return [...all.slice(0, MOST_ISSUES), ...(all.length > MOST_ISSUES ? ['and more'] : [])].join('; ');
}

function issueText(issue: Json): string {
  const path = memberOf(issue, 'path');
  const name = isJsonList(path) && path.length > 0 ? path.join('.') : 'the message';
  const expected = memberOf(issue, 'expected');
  return typeof expected === 'string' ? `${name} must be ${typeName(expected)}` : `${name} is invalid`;
}

function typeName(type: string): string {
  const word = type === 'record' ? 'object' : type;
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The answer to a line that is no message of JSON-RPC; undefined for one that is. */
export function refusalOfLine(line: string): JSONRPCMessage | undefined {
  const message = parsed(line);
  if (message === undefined) return refusal(null, ProtocolErrorCode.ParseError, 'The line is not JSON.');
  const problem = problemOf(message);
  if (problem === undefined) return undefined;
  const id = memberOf(message, 'id');
  const known = isId(id) ? id : null;
  return refusal(known, ProtocolErrorCode.InvalidRequest, problem);
}

function problemOf(message: Json): string | undefined {
  if (!isJsonObject(message)) return 'A message is one object; batches are not accepted.';
  const { jsonrpc, id, method, params, ...rest } = message;
  if (jsonrpc !== '2.0') return '"jsonrpc" must be "2.0".';
  if (id !== undefined && !isId(id)) return '"id" must be a string or an exact whole number.';
  if (method !== undefined) {
    const problem = problemOfRequest(method, params, Object.keys(rest));
    if (problem !== undefined) return problem;
  } else if (rest.result === undefined && rest.error === undefined)
    return 'A message has a "method", a "result" or an "error".';
  return MESSAGE_KINDS.some((isKind) => isKind(message))
    ? undefined
    : 'The message is not a request, notification or answer of JSON-RPC.';
}

/** The SDK drops any other message without an answer. */
const MESSAGE_KINDS = [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResponse];

function problemOfRequest(
  method: Json,
  params: Json | undefined,
  [further]: readonly string[],
): string | undefined {
  if (typeof method !== 'string') return '"method" must be a string.';
  if (further !== undefined) return `A request has no ${JSON.stringify(further.slice(0, 50))}.`;
  if (params === undefined) return undefined;
  if (!isJsonObject(params)) return '"params" must be an object.';
  const { _meta: meta } = params;
  if (meta === undefined) return undefined;
  if (!isJsonObject(meta)) return '"params._meta" must be an object.';
  const { progressToken } = meta;
  return progressToken === undefined || isId(progressToken)
    ? undefined
    : '"params._meta.progressToken" must be a string or a number.';
}

function isId(value: Json | undefined): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** The protocol's types know no error without an id, JSON-RPC does. */
function refusal(id: string | number | null, code: number, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code, message } } as JSONRPCMessage;
}
