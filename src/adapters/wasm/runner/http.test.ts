import { expect, it } from 'vitest';
import { outgoingHttp } from './http.ts';
import type { BrokerChannel } from './remote-files.ts';

/** Answers each operation from a list, in order. */
function scripted(answers: readonly unknown[]) {
  const asked: unknown[] = [];
  const channel: BrokerChannel = {
    ask(name, val) {
      asked.push([name, val]);
      return answers[asked.length - 1] as never;
    },
    drop: (handle) => void asked.push(['drop', handle]),
  };
  return { asked, ...outgoingHttp(channel) };
}

const denied = scripted([{ tag: 'failed', val: 'HTTP-request-denied' }]);
const { Fields, OutgoingRequest, RequestOptions } = denied['wasi:http/types'];
const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (values: readonly Uint8Array[]) => values.map((value) => new TextDecoder().decode(value));
const failure = (payload: unknown) => expect.objectContaining({ payload });

it('tells the guest that ken denies its request', () => {
  const { handle } = denied['wasi:http/outgoing-handler'];
  expect(() => handle(new OutgoingRequest(new Fields()))).toThrow(failure({ tag: 'HTTP-request-denied' }));
});

it('sends a request when its body is finished, and reads the response in parts', () => {
  const ok = (val?: unknown) => ({ tag: 'ok', val });
  const host = scripted([
    ok(7),
    ok(),
    ok({ status: 201, headers: [{ name: 'A', value: bytes('b') }] }),
    ok(bytes('hello')),
    ok(bytes('')),
  ]);
  const { OutgoingBody, IncomingBody } = host['wasi:http/types'];
  const request = new OutgoingRequest(new Fields([['X', bytes('y')]]));
  request.setMethod({ tag: 'put' });
  request.setScheme({ tag: 'HTTP' });
  request.setAuthority('a.test:81');
  request.setPathWithQuery('/p?q=1');
  const body = request.body();
  body.write().blockingWriteAndFlush(bytes('sent'));
  const future = host['wasi:http/outgoing-handler'].handle(request);
  expect([future.get(), future.subscribe().ready()]).toEqual([undefined, false]);
  OutgoingBody.finish(body);
  expect(future.subscribe().ready()).toBe(true);
  const got = future.get();
  const response = got?.tag === 'ok' && got.val.tag === 'ok' ? got.val.val : undefined;
  expect([response?.status(), future.get()?.tag]).toEqual([201, 'err']);
  expect(texts(response?.headers().get('a') ?? [])).toEqual(['b']);
  expect(() => response?.headers().append('c', bytes('d'))).toThrow(failure({ tag: 'immutable' }));
  const incoming = response?.consume();
  const stream = incoming?.stream();
  expect(texts([stream?.blockingRead(10n) ?? bytes('')])).toEqual(['hello']);
  expect(() => stream?.blockingRead(10n)).toThrow(failure({ tag: 'closed' }));
  for (const each of [stream, incoming, response, future]) each?.[Symbol.dispose]();
  expect(IncomingBody.finish().get()).toEqual(ok(ok()));
  expect(host.asked).toEqual([
    [
      'beginRequest',
      { method: 'PUT', address: 'http://a.test:81/p?q=1', headers: [{ name: 'X', value: bytes('y') }] },
    ],
    ['writeBody', { handle: 7, bytes: bytes('sent') }],
    ['sendRequest', { handle: 7 }],
    ['readBody', { handle: 7, length: 10 }],
    ['readBody', { handle: 7, length: 10 }],
    ['drop', 7],
  ]);
});

it('fails when the body of a request is dropped before it is finished', () => {
  const host = scripted([{ tag: 'ok', val: 1 }]);
  const request = new OutgoingRequest(new Fields());
  const body = request.body();
  const future = host['wasi:http/outgoing-handler'].handle(request);
  body[Symbol.dispose]();
  expect(future.get()).toEqual({ tag: 'ok', val: { tag: 'err', val: { tag: 'HTTP-protocol-error' } } });
});

it('leaves the headers of the connection to ken', () => {
  expect(() => new Fields().append('Host', bytes('a'))).toThrow(failure({ tag: 'forbidden' }));
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
