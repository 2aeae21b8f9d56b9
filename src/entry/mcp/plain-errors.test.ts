import { describe, expect, it } from 'vitest';
import { memberOf } from '../../base/json.ts';
import { plainMistake, refusalOfLine } from './plain-errors.ts';

const refused = (message: unknown) => {
  const refusal = refusalOfLine(typeof message === 'string' ? message : JSON.stringify(message));
  const { id, error } = Object(refusal);
  return [id, memberOf(error, 'code'), memberOf(error, 'message')];
};

describe('a line that the SDK would drop', () => {
  it.each<[string, unknown, unknown[]]>([
    ['no JSON', '{"jsonrpc":', [null, -32700, 'The line is not JSON.']],
    ['a list', [], [null, -32600, 'A message is one object; batches are not accepted.']],
    [
      'nothing but the version',
      { jsonrpc: '2.0' },
      [null, -32600, 'A message has a "method", a "result" or an "error".'],
    ],
    [
      'an id and nothing else',
      { jsonrpc: '2.0', id: 3 },
      [3, -32600, 'A message has a "method", a "result" or an "error".'],
    ],
    [
      'a request that is an answer too',
      { jsonrpc: '2.0', id: 3, method: 'ping', result: {} },
      [3, -32600, 'A request has no "result".'],
    ],
    [
      'a request with a member of its own',
      { jsonrpc: '2.0', id: 3, method: 'ping', x: 1, y: 2 },
      [3, -32600, 'A request has no "x".'],
    ],
    [
      'an id that is not exact',
      { jsonrpc: '2.0', id: 2 ** 53, method: 'ping' },
      [null, -32600, '"id" must be a string or an exact whole number.'],
    ],
    [
      'a huge id',
      { jsonrpc: '2.0', id: 1e300, method: 'ping' },
      [null, -32600, '"id" must be a string or an exact whole number.'],
    ],
    [
      'no object as _meta',
      { jsonrpc: '2.0', id: 3, method: 'ping', params: { _meta: 5 } },
      [3, -32600, '"params._meta" must be an object.'],
    ],
    [
      'an object as progress token',
      { jsonrpc: '2.0', id: 3, method: 'ping', params: { _meta: { progressToken: {} } } },
      [3, -32600, '"params._meta.progressToken" must be a string or a number.'],
    ],
    [
      'anything else',
      { jsonrpc: '2.0', id: 3, error: 'x' },
      [3, -32600, 'The message is not a request, notification or answer of JSON-RPC.'],
    ],
  ])('is answered in a sentence: %s', (_, message, expected) => {
    expect(refused(message)).toEqual(expected);
  });

  it.each([
    { jsonrpc: '2.0', id: '', method: 'ping' },
    { jsonrpc: '2.0', id: -1, method: 'ping', params: { _meta: { progressToken: 1 } } },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
  ])('is passed on if it is a message: %o', (message) => {
    expect(refusalOfLine(JSON.stringify(message))).toBeUndefined();
  });
});

it('makes a sentence of what a schema library says of a client', () => {
  const issues = JSON.stringify([{ code: 'invalid_type', expected: 'object', path: ['params'] }], null, 2);
  expect(plainMistake(`Uncaught error in notification handler: Error: ${issues}`)).toBe(
    'A message does not fit: params must be an object.',
  );
  expect(plainMistake('The client is gone.')).toBe('The client is gone.');
  expect(plainMistake('x'.repeat(5_000))).toHaveLength(500);
});
