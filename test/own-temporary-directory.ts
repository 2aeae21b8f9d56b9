import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;
const PREFIX = 'ken-tests-';

/**
 * A run of the tests has a temporary directory of its own, in memory where there is room: commands wait for the disk at
 * every step that must last.
 */
export function setup(): (() => void) | undefined {
  if (path.basename(tmpdir()).startsWith(PREFIX)) return;
  const base = !process.env.TMPDIR && hasRoom() ? MEMORY : tmpdir();
  const directory = mkdtempSync(path.join(base, PREFIX));
  // Some commands are run by another account, which has to get through.
  chmodSync(directory, 0o711);
  process.env.TMPDIR = directory;
  return () => rmSync(directory, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES && freemem() >= ROOM_BYTES;
  } catch {
    return false;
  }
}
