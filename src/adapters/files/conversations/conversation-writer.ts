/** Changes conversations on disk. Loaded apart from the store, since most commands only read. */

import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Clock } from '../../../base/time.ts';
import { metadataToJson } from '../../../domain/conversations/metadata-file.ts';
import type { ConversationStart, ConversationWriter } from '../../../domain/conversations/store.ts';
import type { HeldLock, WriterLocks } from '../../../domain/conversations/writer-lock.ts';
import {
  makeDirectories,
  remove,
  removeAbandoned,
  renameIn,
  temporaryDirectory,
  touchDirectory,
} from '../../paths/change-directory.ts';
import { inDirectory } from '../../paths/open-path.ts';
import { writeAtomically } from '../atomic-write.ts';
import { writing } from '../file-fault.ts';
import { appendEvents, replaceEventLog, setTornLineAside } from './append-events.ts';

export interface WriterPorts {
  readonly locks: WriterLocks;
  readonly clock: Clock;
  warn(text: string): void;
}

/** Creates under another name and renames, so that a crash leaves everything or nothing. */
export async function createDirectory(root: string, start: ConversationStart): Promise<void> {
  const fresh = path.join(root, temporaryDirectory('new', start.id));
  await writing(fresh, async () => {
    makeDirectories(fresh, start.isLocal ? 0o700 : 0o777);
    inDirectory(root, removeAbandoned);
    try {
      // A conversation outside of the workspace is for its owner alone. What is there keeps its mode.
      const mode = start.isLocal ? 0o600 : 0o666;
      const metadata = jsonText(metadataToJson(start.metadata));
      await writeAtomically(path.join(fresh, 'metadata.json'), metadata, { mode });
      await writeAtomically(path.join(fresh, 'base_config.json'), jsonText(start.baseConfig), { mode });
      await replaceEventLog(path.join(fresh, 'events.jsonl'), start.events, mode);
      renameIn(root, path.basename(fresh), start.id);
    } catch (error) {
      remove(fresh);
      throw isTaken(error)
        ? new Fault('files/exists', `There is a conversation ${start.id} already.`)
        : error;
    }
  });
}

export async function openWriter(
  directory: string,
  ports: WriterPorts,
  wait: AbortSignal | undefined,
): Promise<ConversationWriter> {
  const lock = await takeLock(directory, ports, wait);
  const inside = (name: string) => path.join(directory, name);
  const log = inside('events.jsonl');
  try {
    const aside = await setTornLineAside(log);
    if (aside) ports.warn(`${log} ended in half a line, as after a crash; it was moved to ${aside}.`);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    append: (events) => appendEvents(log, events),
    async putMetadata(metadata) {
      await writeAtomically(inside('metadata.json'), jsonText(metadataToJson(metadata)));
      outdateLists(path.dirname(directory), ports.clock);
    },
    replaceEvents: (events) => replaceEventLog(log, events),
    replaceBaseConfig: (config) => writeAtomically(inside('base_config.json'), jsonText(config)),
    async remove() {
      const [root, name] = [path.dirname(directory), path.basename(directory)];
      const gone = temporaryDirectory('gone', name);
      await writing(directory, async () => renameIn(root, name, gone));
      await lock.release();
      remove(path.join(root, gone));
      inDirectory(root, removeAbandoned);
    },
    release: () => lock.release(),
  };
}

/** Warns before it waits, and names the holder of the lock. */
async function takeLock(
  directory: string,
  { locks, warn }: WriterPorts,
  wait: AbortSignal | undefined,
): Promise<HeldLock> {
  try {
    return await locks.take(directory);
  } catch (error) {
    if (!wait || !(error instanceof Fault) || error.code !== 'conversations/busy') throw error;
    warn(`${error.message} Waiting until it is done; Ctrl-C leaves.`);
    return locks.take(directory, wait);
  }
}

/** Lists are valid while the time of the directory of all conversations is unchanged. */
function outdateLists(root: string, clock: Clock): void {
  try {
    touchDirectory(root, clock.now() / 1000);
  } catch {
    // Where this is not allowed, lists notice the change a little later.
  }
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTEMPTY' || code === 'EEXIST';
}

function jsonText(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
