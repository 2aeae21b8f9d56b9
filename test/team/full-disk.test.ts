import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresLedgerStore } from '../../src/adapters/postgres/ledger/ledger-store.ts';
import { openDatabase } from '../../src/adapters/postgres/seam/open-database.ts';
import { Fault } from '../../src/base/fault.ts';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import { seededRandom } from '../seeded-random.ts';
import { newTenant, postgresProblem } from './postgres.ts';
import { clusterDirectory, startServer, stopServer } from './start-postgres.ts';

const MEBIBYTE = 2 ** 20;
const MOST_ADDS = 1_000;

/** A directory on a disk of its own, in memory; a reason where none can be mounted. */
function smallDisk(mebibytes: number): { readonly directory: string } | { readonly problem: string } {
  const directory = clusterDirectory();
  const { uid, gid } = ownerOf(directory);
  const options = `size=${mebibytes}m,uid=${uid},gid=${gid},mode=700`;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'pipe' });
    return { directory };
  } catch {
    rmSync(directory, { recursive: true });
    return { problem: 'nothing can be mounted here' };
  }
}

function ownerOf(directory: string) {
  const [uid = '', gid = ''] = execFileSync('stat', ['-c', '%u %g', directory], { encoding: 'utf8' })
    .trim()
    .split(' ');
  return { uid, gid };
}

function removeDisk(directory: string): void {
  execFileSync('umount', [directory]);
  rmSync(directory, { recursive: true });
}

function mountProblem(): string | undefined {
  const disk = smallDisk(1);
  if ('problem' in disk) return disk.problem;
  removeDisk(disk.directory);
  return undefined;
}

const problem = postgresProblem() ?? mountProblem();

describe.skipIf(problem !== undefined)(`a server without room${problem ? ` (${problem})` : ''}`, () => {
  it('says so, answers what is read, and has lost nothing when there is room again', async () => {
    const disk = smallDisk(128);
    if ('problem' in disk) throw new Error(disk.problem);
    const { directory } = disk;
    const server = await startServer(directory);
    const database = await openDatabase(
      `postgres:///postgres?host=${encodeURIComponent(directory)}&user=ken`,
    );
    onTestFinished(async () => {
      await database.close();
      await stopServer(server);
      removeDisk(directory);
    });
    const ledger = postgresLedgerStore(database, newTenant());
    await ledger.add(adding('before', 1));
    const ballast = path.join(directory, 'ballast');
    const { bavail, bsize } = statfsSync(directory);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - MEBIBYTE));

    const random = seededRandom('full disk');
    const acknowledged = ['before'];
    const refused: unknown[] = [];
    // Texts that cannot be compressed, so that tables grow.
    const text = () => Array.from({ length: 1_000 }, () => random().toString(36).slice(2)).join(' ');
    for (let at = 0; at < MOST_ADDS && refused.length < 3; at++)
      await ledger.add(adding(`e${at}`, 2 + at, { text: text() })).then(
        () => acknowledged.push(`e${at}`),
        (error: unknown) => refused.push(error),
      );
    expect(refused).toHaveLength(3);
    for (const error of refused)
      expect(error).toMatchObject({
        code: 'store/full',
        message: expect.stringContaining('nothing was changed'),
      });
    expect(refused.every((error) => error instanceof Fault)).toBe(true);
    expect((await ledger.list({ limit: -1 })).map(({ id }) => id).sort()).toEqual([...acknowledged].sort());

    rmSync(ballast);
    await ledger.add(adding('after', MOST_ADDS + 3, { text: text() }));
    expect((await ledger.list({ limit: -1 })).map(({ id }) => id).sort()).toEqual(
      [...acknowledged, 'after'].sort(),
    );
  });
});
