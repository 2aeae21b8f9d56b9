import { expect, it } from 'vitest';
import { deniedHttp } from './denied-http.ts';

const { Fields, OutgoingRequest, RequestOptions } = deniedHttp()['wasi:http/types'];
const { handle } = deniedHttp()['wasi:http/outgoing-handler'];
const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (values: readonly Uint8Array[]) => values.map((value) => new TextDecoder().decode(value));
const failure = (payload: unknown) => expect.objectContaining({ payload });

it('denies every request', () => {
  expect(() => handle()).toThrow(failure({ tag: 'HTTP-request-denied' }));
});

it('keeps the fields that a guest sets, whatever the case of their names', () => {
  const fields = Fields.fromList([
    ['Accept', bytes('a')],
    ['x', bytes('y')],
  ]);
  fields.append('accept', bytes('b'));
  expect([texts(fields.get('ACCEPT')), fields.has('X'), fields.has('z')]).toEqual([['a', 'b'], true, false]);
  const copy = fields.clone();
  fields.set('accept', [bytes('c')]);
  fields.delete('X');
  expect(fields.entries().map(([name, value]) => [name, ...texts([value])])).toEqual([['accept', 'c']]);
  expect(copy.entries()).toHaveLength(3);
});

it.each([
  ['', 'a'],
  ['a b', 'a'],
  ['a\r\nb', 'a'],
  ['a', 'b\r\nc: d'],
  ['a', 'b\0'],
])('takes no field %j: %j', (name, value) => {
  expect(() => new Fields().append(name, bytes(value))).toThrow(failure({ tag: 'invalid-syntax' }));
});

it('has requests that a guest can fill, with one body', () => {
  const request = new OutgoingRequest(new Fields());
  request.setAuthority('example.org');
  request.setMethod({ tag: 'post' });
  expect([request.authority(), request.method(), request.scheme()]).toEqual([
    'example.org',
    { tag: 'post' },
    undefined,
  ]);
  const body = request.body();
  body.write().blockingWriteAndFlush(bytes('dropped'));
  for (const again of [() => request.body(), () => body.write()]) expect(again).toThrow(failure(undefined));
  const options = new RequestOptions();
  options.setConnectTimeout(5n);
  expect([options.connectTimeout(), options.firstByteTimeout()]).toEqual([5n, undefined]);
});
