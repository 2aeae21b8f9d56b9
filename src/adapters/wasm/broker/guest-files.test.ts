import { expect, it } from 'vitest';
import { Usage } from './guest-files.ts';

const GIBIBYTE = 1024 ** 3;

it('lets a guest write a gibibyte in all, however it is spread', () => {
  const usage = new Usage();
  usage.allowWrite(GIBIBYTE);
  usage.hasWritten('/w/a', GIBIBYTE - 1);
  usage.allowWrite(1);
  usage.hasWritten('/w/b', 1);
  expect(() => usage.allowWrite(1)).toThrow(expect.objectContaining({ payload: 'quota' }));
});

it('lets no file grow beyond a gibibyte', () => {
  new Usage().allowSize(BigInt(GIBIBYTE));
  expect(() => new Usage().allowSize(BigInt(GIBIBYTE) + 1n)).toThrow(
    expect.objectContaining({ payload: 'file-too-large' }),
  );
});

it('adds up what was done to each file, lists a thousand of them and counts the rest', () => {
  const usage = new Usage();
  for (let at = 0; at < 1001; at++) usage.hasRead(`/w/${at}`, 1);
  usage.hasRead('/w/0', 2);
  const { filesRead, filesWritten, ...more } = usage.files();
  expect(filesRead).toHaveLength(1000);
  expect(filesRead[0]).toEqual({ path: '/w/0', bytes: 3 });
  expect(filesWritten).toEqual([]);
  expect(more).toEqual({ moreFilesRead: 1 });
});

it('holds names of some mebibytes in all, and counts files beyond those each time they are used', () => {
  const usage = new Usage();
  const nameOf = (at: number) => `/w/${at}/${'x'.repeat(4096)}`;
  for (let at = 0; at < 3000; at++) usage.hasRead(nameOf(at), 1);
  for (const at of [0, 2999, 2999]) usage.hasRead(nameOf(at), 1);
  expect(usage.files().moreFilesRead).toBe(2000 + 2);
});

it('lets a guest create ten thousand files and directories', () => {
  const usage = new Usage();
  for (let at = 0; at < 10_000; at++) usage.create();
  expect(() => usage.create()).toThrow(expect.objectContaining({ payload: 'quota' }));
});

it('lets files grow by a gibibyte in all, holes included', () => {
  const usage = new Usage();
  usage.grow(GIBIBYTE);
  expect(() => usage.grow(1)).toThrow(expect.objectContaining({ payload: 'quota' }));
});
