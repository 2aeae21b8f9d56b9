import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { type OutputStream, plainOutput } from './plain-output.ts';

function recordingStream() {
  const written: (string | Uint8Array)[] = [];
  const stream: OutputStream = { isTTY: true, columns: 20, write: (content) => written.push(content) };
  return { stream, written };
}

function opened(file: string, flags: string): number {
  const descriptor = openSync(file, flags);
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

it('writes to a file and makes no stream', () => {
  const file = path.join(temporaryDirectory(), 'out');
  const output = plainOutput(opened(file, 'w'), () => expect.fail('a stream was made'));
  output.write('größer\n');
  output.write(Uint8Array.of(0x62));
  expect([output.isTTY, output.columns]).toEqual([false, undefined]);
  expect(readFileSync(file, 'utf8')).toBe('größer\nb');
});

it('makes no stream for what nobody reads', () => {
  const output = plainOutput(opened('/dev/null', 'w'), () => expect.fail('a stream was made'));
  output.write('text');
  expect([output.isTTY, output.columns]).toEqual([false, undefined]);
});

it.each([
  ['a device', () => opened('/dev/zero', 'w')],
  ['nothing', () => 987_654],
])('leaves %s to the stream', (_, descriptor) => {
  const { stream, written } = recordingStream();
  const output = plainOutput(descriptor(), () => stream);
  output.write('text');
  expect([output.isTTY, output.columns, written]).toEqual([true, 20, ['text']]);
});

it('gives the stream what the file did not take, and all that follows', () => {
  const file = path.join(temporaryDirectory(), 'out');
  closeSync(openSync(file, 'w'));
  const { stream, written } = recordingStream();
  const output = plainOutput(opened(file, 'r'), () => stream);
  output.write('first');
  output.write('second');
  expect(written.map(String).map((content) => (content === 'second' ? content : 'bytes'))).toEqual([
    'bytes',
    'second',
  ]);
  expect(Buffer.from(written[0] ?? '').toString()).toBe('first');
});
