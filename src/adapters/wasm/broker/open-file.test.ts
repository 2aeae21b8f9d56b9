import { openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { OpenHandles, Usage } from './guest-files.ts';
import { OpenFile } from './open-file.ts';

const GIBIBYTE = 1024 ** 3;
const BYTE = Uint8Array.of(33);

function opened(can: { canRead: boolean; canWrite: boolean }) {
  const host = path.join(temporaryDirectory(), 'file');
  writeFileSync(host, 'text');
  const handles = new OpenHandles();
  onTestFinished(() => handles.closeAll());
  const handle = handles.open(() => openSync(host, 'r+'));
  const usage = new Usage();
  const file = new OpenFile(usage, { handle, guestPath: '/w/file', ...can });
  return { file, usage, content: () => readFileSync(host, 'utf8') };
}

const failure = (code: string) => expect.objectContaining({ payload: code });

it('is read and written, and that is kept', () => {
  const { file, usage, content } = opened({ canRead: true, canWrite: true });
  expect(Buffer.from(file.read(10, 1n)).toString()).toBe('ext');
  expect(file.write(BYTE, 4n)).toBe(1);
  expect(content()).toBe('text!');
  expect(usage.files()).toEqual({
    filesRead: [{ path: '/w/file', bytes: 3 }],
    filesWritten: [{ path: '/w/file', bytes: 1 }],
  });
});

it('is not read by whoever may only write, nor written by whoever may only read', () => {
  const writing = opened({ canRead: false, canWrite: true });
  expect(() => writing.file.read(1, 0n)).toThrow(failure('bad-descriptor'));
  const reading = opened({ canRead: true, canWrite: false });
  expect(() => reading.file.write(BYTE, 0n)).toThrow(failure('bad-descriptor'));
  expect(() => reading.file.append(BYTE)).toThrow(failure('bad-descriptor'));
  expect(() => reading.file.setSize(0n)).toThrow(failure('bad-descriptor'));
  expect(reading.content()).toBe('text');
});

it('is written no more once the guest has written enough, into whatever file', () => {
  const { file, usage, content } = opened({ canRead: true, canWrite: true });
  usage.hasWritten('/w/other', GIBIBYTE);
  expect(() => file.write(BYTE, 0n)).toThrow(failure('quota'));
  expect(content()).toBe('text');
});

it.each<[string, (file: OpenFile) => void]>([
  ['a write far behind its end', (file) => file.write(BYTE, BigInt(GIBIBYTE))],
  ['setting its size', (file) => file.setSize(BigInt(GIBIBYTE) + 1n)],
])('does not become huge by %s', (_, grow) => {
  const { file, content } = opened({ canRead: true, canWrite: true });
  expect(() => grow(file)).toThrow(failure('file-too-large'));
  expect(content()).toBe('text');
});

it('has no offset that the system could not take', () => {
  const { file } = opened({ canRead: true, canWrite: true });
  expect(() => file.read(1, 2n ** 63n)).toThrow(failure('invalid'));
});
