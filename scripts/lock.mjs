// One process at a time, on any Node. The lock of a process that has died is taken over.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 100;

/** Runs `work` while holding `directory`, which is made and removed again. Waits for whoever holds it. */
export async function withLock(directory, work) {
  while (!take(directory)) {
    if (isAbandoned(directory)) rmSync(directory, { recursive: true, force: true });
    else await wait(POLL_MS);
  }
  const release = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

/** The directory appears with its content or not at all: a rename onto one that is not empty fails. */
function take(directory) {
  const prepared = `${directory}-${process.pid}`;
  mkdirSync(prepared, { recursive: true });
  writeFileSync(path.join(prepared, 'pid'), String(process.pid));
  try {
    renameSync(prepared, directory);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(directory) {
  try {
    process.kill(Number(readFileSync(path.join(directory, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
