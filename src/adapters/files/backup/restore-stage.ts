/** Puts restored files in place, group by group. What they replace is kept below `repair/<time>/replaced`. */

import { constants, createWriteStream } from 'node:fs';
import { lstat, readdir, rename, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { RestoreStage } from '../../../domain/backup/backup-files.ts';
import { type BackupPart, partOf } from '../../../domain/backup/manifest.ts';
import { makeDirectories, remove } from '../../paths/change-directory.ts';
import { openFile } from '../../paths/open-path.ts';
import { syncDirectory, writeAtomically } from '../atomic-write.ts';
import { isSystemError, writing } from '../file-fault.ts';
import { type BackupPlaces, directoryOf, isInWorkspace, LEDGER_DATABASE } from './backup-places.ts';

/** `time` names the directory, so that several restores keep what they replaced. */
export async function beginRestore(places: BackupPlaces, time: string): Promise<RestoreStage> {
  const kept = new Set<string>();
  const repairOf = (part: BackupPart) =>
    path.join(isInWorkspace(part) ? places.workspace.home : places.own, 'repair', time);
  const at = (archived: string): Place => {
    const part = partOf(archived);
    if (!part) throw new Error(`no part has ${archived}`);
    const repair = repairOf(part);
    const name = archived.slice(part.length + 1);
    return {
      part,
      staged: path.join(repair, 'new', archived),
      target: path.join(directoryOf(places, part), name),
      replaced: path.join(repair, 'replaced', archived),
    };
  };
  const replace = async (archived: string) => {
    const place = at(archived);
    if (await putInPlace(places, place)) kept.add(path.join(repairOf(place.part), 'replaced'));
  };
  return {
    async write(archived, content, modifiedAt) {
      const { staged, part } = at(archived);
      await writing(staged, async () => {
        await makePrivate(repairOf(part));
        makeDirectories(path.dirname(staged), 0o700);
        const fd = openFile(staged, { flags: NEW, mode: 0o600 });
        await pipeline(content, createWriteStream(staged, { fd, flush: true }));
        await utimes(staged, modifiedAt / 1000, modifiedAt / 1000);
      });
    },
    async commit(group) {
      if (group === 'ledger') await commitLedger(places, at, replace, kept);
      else await replace(group);
    },
    keptIn: () => [...kept],
    async close() {
      for (const part of ['config', 'local'] as const) {
        const repair = repairOf(part);
        remove(path.join(repair, 'new'));
        if (!kept.has(path.join(repair, 'replaced'))) await removeEmpty(repair);
      }
    },
  };
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

interface Place {
  readonly part: BackupPart;
  readonly staged: string;
  readonly target: string;
  readonly replaced: string;
}

/** No repository takes it along, and nobody else reads it. */
async function makePrivate(repair: string): Promise<void> {
  makeDirectories(repair, 0o700);
  await writeAtomically(path.join(path.dirname(repair), '.gitignore'), '*\n');
}

/** With the directory above it, when nothing else is there. */
async function removeEmpty(repair: string): Promise<void> {
  remove(repair);
  const above = path.dirname(repair);
  const others = await readdir(above).catch(() => []);
  if (others.every((name) => name === '.gitignore')) remove(above);
}

/** Returns whether something was there before. */
async function putInPlace(places: BackupPlaces, place: Place): Promise<boolean> {
  const { part, staged, target, replaced } = place;
  return writing(target, async () => {
    makeDirectories(path.dirname(target), isInWorkspace(part) ? 0o777 : 0o700);
    const wasThere = await lookUp(target);
    const lock = wasThere?.isDirectory() ? await places.locks.take(target) : undefined;
    try {
      if (wasThere && part === 'references' && !(await lookUp(path.join(staged, 'files')))) {
        await replaceFilesIn(place);
      } else {
        if (wasThere) await moveTo(target, replaced);
        await rename(staged, target);
      }
    } finally {
      await lock?.release();
    }
    await syncDirectory(path.dirname(target));
    return wasThere !== undefined;
  });
}

/** Request and lock of a reference topic, without its fetched files: those that are there stay. */
async function replaceFilesIn({ staged, target, replaced }: Place): Promise<void> {
  for (const name of await readdir(staged)) {
    if (await lookUp(path.join(target, name)))
      await moveTo(path.join(target, name), path.join(replaced, name));
    await rename(path.join(staged, name), path.join(target, name));
  }
}

async function commitLedger(
  places: BackupPlaces,
  at: (archived: string) => Place,
  replace: (archived: string) => Promise<void>,
  kept: Set<string>,
): Promise<void> {
  const { staged, replaced } = at(LEDGER_DATABASE);
  const names = await readdir(path.dirname(staged));
  if (names.includes('knowledge.db')) {
    makeDirectories(path.dirname(replaced), 0o700);
    if ((await places.ledger.copyTo(replaced, () => {})) !== 'absent')
      kept.add(path.dirname(path.dirname(replaced)));
    await places.ledger.replaceWith(staged);
  }
  for (const name of names) if (name.endsWith('.jsonl')) await replace(`ledger/${name}`);
}

async function moveTo(from: string, to: string): Promise<void> {
  makeDirectories(path.dirname(to), 0o700);
  await rename(from, to);
}

async function lookUp(file: string) {
  return lstat(file).catch((error: unknown) => {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  });
}
