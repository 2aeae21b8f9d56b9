/** Answers messages of a bad shape in a sentence: neither with silence nor with the dump of a schema library. */

import {
  isJSONRPCErrorResponse,
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
  if (era === 'legacy' && typeof memberOf(message.error.data as Json | undefined, 'uri') === 'string')
    return { ...message, error: { ...message.error, code: NOT_FOUND_2025 } };
  const said = issuesIn(message.error.message);
  if (said === undefined) return message;
  const code = ProtocolErrorCode.InvalidParams;
  return { ...message, error: { code, message: `The parameters do not fit: ${said}.` } };
}

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
  const known = typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : null;
  return refusal(known, ProtocolErrorCode.InvalidRequest, problem);
}

function problemOf(message: Json): string | undefined {
  if (!isJsonObject(message)) return 'A message is one object; batches are not accepted.';
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0') return '"jsonrpc" must be "2.0".';
  if (id !== undefined && typeof id !== 'string' && !Number.isInteger(id))
    return '"id" must be a string or a whole number.';
  if (method === undefined) return undefined;
  if (typeof method !== 'string') return '"method" must be a string.';
  return params === undefined || isJsonObject(params) ? undefined : '"params" must be an object.';
}

/** The protocol's types know no error without an id, JSON-RPC does. */
function refusal(id: string | number | null, code: number, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code, message } } as JSONRPCMessage;
}
