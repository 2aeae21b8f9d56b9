/** Conversations as directories of plain files: `metadata.json`, `base_config.json`, `events.jsonl`. */

import { lstat, mkdir, readFile, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { Fault } from '../../../base/fault.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { compareCodePoints } from '../../../base/text.ts';
import type { Conversation, Metadata } from '../../../domain/conversations/conversation.ts';
import { type ConversationId, isConversationId } from '../../../domain/conversations/conversation-id.ts';
import type { ConversationIndex } from '../../../domain/conversations/conversation-index.ts';
import { metadataFromJson, metadataToJson } from '../../../domain/conversations/metadata-file.ts';
import { ordered } from '../../../domain/conversations/ordered.ts';
import type {
  ConversationStart,
  ConversationStore,
  ConversationWriter,
} from '../../../domain/conversations/store.ts';
import type { WriterLocks } from '../../../domain/conversations/writer-lock.ts';
import { writeAtomically } from '../atomic-write.ts';
import { writing } from '../file-fault.ts';
import { appendEvents, readEventLog, replaceEventLog, setTornLineAside } from './event-log.ts';
import { findTroubles } from './find-troubles.ts';
import { idsIn, listMetadata } from './list-metadata.ts';
import { scanEventLog } from './scan-event-log.ts';

export interface ConversationPlaces {
  /** The workspace's own, and the user's for this workspace. */
  readonly shared: string;
  readonly local: string;
  readonly locks: WriterLocks;
  readonly index: ConversationIndex;
  readonly clock: Clock;
  warn(text: string): void;
}

export function fileConversationStore(places: ConversationPlaces): ConversationStore {
  const roots = [
    { directory: places.shared, isLocal: false },
    { directory: places.local, isLocal: true },
  ];

  async function find(id: ConversationId): Promise<{ directory: string; isLocal: boolean } | undefined> {
    if (!isConversationId(id)) return undefined;
    for (const { directory, isLocal } of roots) {
      const candidate = path.join(directory, id);
      const stats = await lstat(candidate).catch(() => undefined);
      if (stats?.isDirectory()) return { directory: candidate, isLocal };
    }
    return undefined;
  }

  return {
    async create(start) {
      await createDirectory(start.isLocal ? places.local : places.shared, start);
      return { id: start.id, isLocal: start.isLocal, metadata: start.metadata };
    },
    async get(id) {
      const found = await find(id);
      const metadata = found && (await readMetadata(found.directory));
      return found && metadata && { id, isLocal: found.isLocal, metadata };
    },
    async ids() {
      return roots.flatMap(({ directory }) => idsIn(directory)).sort(compareCodePoints);
    },
    async list(query) {
      const all: Conversation[] = [];
      for (const { directory, isLocal } of roots) {
        if (query.local === (isLocal ? 'without' : 'only')) continue;
        const found = await listMetadata(directory, { ...places, read: readMetadata });
        for (const { id, metadata } of found) all.push({ id, isLocal, metadata });
      }
      return ordered(all, query);
    },
    async log(id) {
      const found = await find(id);
      return found && readEventLog(path.join(found.directory, 'events.jsonl'));
    },
    async scan(id, fragment) {
      const found = await find(id);
      return found && scanEventLog(path.join(found.directory, 'events.jsonl'), fragment);
    },
    async baseConfig(id) {
      const found = await find(id);
      const json = found && (await readJson(path.join(found.directory, 'base_config.json')));
      return typeof json === 'object' && json !== null && !Array.isArray(json)
        ? (json as JsonObject)
        : undefined;
    },
    async write(id, wait) {
      const found = await find(id);
      return found && openWriter(found.directory, places, wait);
    },
    async troubles(signal) {
      const ports = { ...places, read: readMetadata };
      const found = roots.map(({ directory }) => findTroubles(directory, ports, signal));
      return (await Promise.all(found)).flat();
    },
    async pathOf(id) {
      return (await find(id))?.directory;
    },
  };
}

/** Made under another name and renamed, so that a crash leaves all of it or nothing. */
async function createDirectory(root: string, start: ConversationStart): Promise<void> {
  const fresh = path.join(root, `.new-${start.id}`);
  await writing(fresh, async () => {
    await mkdir(fresh, { recursive: true });
    try {
      await writeAtomically(path.join(fresh, 'metadata.json'), jsonText(metadataToJson(start.metadata)));
      await writeAtomically(path.join(fresh, 'base_config.json'), jsonText(start.baseConfig));
      await replaceEventLog(path.join(fresh, 'events.jsonl'), start.events);
      await rename(fresh, path.join(root, start.id));
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      throw isTaken(error)
        ? new Fault('files/exists', `There is a conversation ${start.id} already.`)
        : error;
    }
  });
}

async function openWriter(
  directory: string,
  places: ConversationPlaces,
  wait: AbortSignal | undefined,
): Promise<ConversationWriter> {
  const lock = await places.locks.take(directory, wait);
  const inside = (name: string) => path.join(directory, name);
  const log = inside('events.jsonl');
  try {
    const aside = await setTornLineAside(log);
    if (aside) places.warn(`${log} ended in half a line, as after a crash; it was moved to ${aside}.`);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    append: (events) => appendEvents(log, events),
    async putMetadata(metadata) {
      await writeAtomically(inside('metadata.json'), jsonText(metadataToJson(metadata)));
      await tellLists(path.dirname(directory), places.clock);
    },
    replaceEvents: (events) => replaceEventLog(log, events),
    replaceBaseConfig: (config) => writeAtomically(inside('base_config.json'), jsonText(config)),
    async remove() {
      const gone = path.join(path.dirname(directory), `.gone-${path.basename(directory)}`);
      await writing(directory, () => rename(directory, gone));
      await lock.release();
      await rm(gone, { recursive: true, force: true });
    },
    release: () => lock.release(),
  };
}

/** Lists believe the index while the directory of all conversations looks as it did. */
async function tellLists(root: string, clock: Clock): Promise<void> {
  const seconds = clock.now() / 1000;
  // Where that is not allowed, they find out by themselves, a little later.
  await utimes(root, seconds, seconds).catch(() => {});
}

async function readMetadata(directory: string): Promise<Metadata | undefined> {
  return metadataFromJson(await readJson(path.join(directory, 'metadata.json')));
}

/** `undefined` when it is missing or is no JSON; a broken conversation is told by `ken doctor`. */
async function readJson(file: string): Promise<Json | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Json;
  } catch (error) {
    if (error instanceof SyntaxError || isGone(error)) return undefined;
    throw new Fault('files/unreadable', `${file} cannot be read.`, { cause: error });
  }
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTEMPTY' || code === 'EEXIST';
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ELOOP';
}

function jsonText(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
