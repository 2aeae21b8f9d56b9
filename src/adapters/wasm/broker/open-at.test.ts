/** An opened file is checked again: something else may have taken its place since the first check. */

import { execFileSync } from 'node:child_process';
import { linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import type { Place } from './directory.ts';
import { OpenHandles, Usage } from './guest-files.ts';
import { NO_LINKS } from './linked-places.ts';
import { type OpenRequest, openAt, requireOnlyName } from './open-at.ts';
import { OpenFile } from './open-file.ts';

type Wanted = Pick<OpenRequest, 'how' | 'wanted'>;

const TO_READ: Wanted = { how: {}, wanted: { read: true } };
const TO_WRITE: Wanted = { how: {}, wanted: { write: true } };
const TO_TRUNCATE: Wanted = { how: { truncate: true }, wanted: { write: true } };

/** The name `file` in a directory; `swap` is called after the first look at it, before it is opened. */
function contested(swap: (directory: string) => void = () => {}) {
  const directory = temporaryDirectory();
  writeFileSync(path.join(directory, 'outside'), 'outside');
  writeFileSync(path.join(directory, 'file'), 'inside');
  const files = { handles: new OpenHandles(), usage: new Usage() };
  onTestFinished(() => files.handles.closeAll());
  const handle = files.handles.open(() => openSync(directory, 'r'));
  let uses = 0;
  const anchor = {
    anchoring: 'path' as const,
    fd: handle.fd,
    get path() {
      uses += 1;
      if (uses === USES_OF_A_LOOK + 1) swap(directory);
      return directory;
    },
  };
  const place: Place = {
    directory: { handle, anchor, guestPath: '/w', writeRefusal: undefined, links: NO_LINKS },
    name: 'file',
    guestPath: '/w/file',
    writeRefusal: undefined,
    mustBeDirectory: false,
  };
  const content = (name: string) => readFileSync(path.join(directory, name), 'utf8');
  const open = (wanted: Wanted) => openAt(files, { place, ...wanted });
  return { open, files, place, directory, content };
}

/** Before, while and after the name is looked up. */
const USES_OF_A_LOOK = 3;

const REFUSED = expect.objectContaining({ payload: 'not-permitted' });

const putLink = (directory: string) => {
  rmSync(path.join(directory, 'file'));
  linkSync(path.join(directory, 'outside'), path.join(directory, 'file'));
};
const putPipe = (directory: string) => {
  rmSync(path.join(directory, 'file'));
  execFileSync('mkfifo', [path.join(directory, 'file')]);
};

it.each([TO_READ, TO_WRITE])('opens what nobody swaps', (wanted) => {
  expect(contested().open(wanted)).toBeInstanceOf(OpenFile);
});

it('opens what another file was put in the place of', () => {
  const { open } = contested((directory) =>
    renameSync(path.join(directory, 'outside'), path.join(directory, 'file')),
  );
  expect(open(TO_WRITE)).toBeInstanceOf(OpenFile);
});

it('empties a file when it is told to', () => {
  const { open, content } = contested();
  expect(open(TO_TRUNCATE)).toBeInstanceOf(OpenFile);
  expect(content('file')).toBe('');
});

it('gives out no pipe that took the place of a file', () => {
  expect(() => contested(putPipe).open(TO_READ)).toThrow(REFUSED);
});

it.each([TO_WRITE, TO_TRUNCATE])('changes no file of two names that took the place of another', (wanted) => {
  const { open, content } = contested(putLink);
  expect(() => open(wanted)).toThrow(REFUSED);
  expect(content('outside')).toBe('outside');
});

it.each([TO_READ, TO_WRITE])('does not even open a pipe', (wanted) => {
  const { open, directory } = contested();
  putPipe(directory);
  expect(() => open(wanted)).toThrow(REFUSED);
});

it.each([TO_WRITE, TO_TRUNCATE])('does not even open a file of two names to change it', (wanted) => {
  const { open, files, directory } = contested();
  putLink(directory);
  // No descriptor is left, so that opening would fail in another way.
  for (let at = 0; at < 255; at++) files.handles.add(() => () => {});
  expect(() => open(wanted)).toThrow(REFUSED);
});

it.runIf(process.platform === 'linux')(
  'changes no file whose name was taken while its names were counted',
  () => {
    const { files, place, directory } = contested();
    const { fd } = files.handles.open(() => openSync(path.join(directory, 'file'), 'r+'));
    const anchor = { anchoring: 'descriptor', fd: place.directory.handle.fd, path: directory } as const;
    let looks = 0;
    const taken: Place = {
      ...place,
      directory: { ...place.directory, anchor },
      get name() {
        looks += 1;
        if (looks === 2) renameSync(path.join(directory, 'outside'), path.join(directory, 'file'));
        return 'file';
      },
    };
    expect(() => requireOnlyName(taken, fd)).toThrow(REFUSED);
    expect(looks).toBe(2);
  },
);
