import { spawnSync } from 'node:child_process';

/** Why this machine cannot mount a small disk of its own, or nothing when it can. */
export function smallDiskProblem(): string | undefined {
  const { status, stderr, error } = onSmallDisk('/tmp', '64k', ['true']);
  if (status === 0) return undefined;
  return `no tmpfs in a user namespace here: ${error?.message ?? stderr.trim()}`;
}

/**
 * Runs a program while `directory` is a disk of this size (`256k`), empty at the start and gone afterwards.
 * Only the program sees it, so it must also report what it found there.
 */
export function onSmallDisk(directory: string, size: string, command: readonly string[]) {
  const script = 'mount -t tmpfs -o "size=$1" none "$2" && cd "$2" && shift 2 && exec "$@"';
  return spawnSync('unshare', ['-Urm', 'sh', '-c', script, 'sh', size, directory, ...command], {
    encoding: 'utf8',
    timeout: 60_000,
  });
}
