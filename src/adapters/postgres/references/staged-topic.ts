import { Fault } from '../../../base/fault.ts';
import { fileNameProblem } from '../../../domain/references/sources/file-name.ts';
import type { StagedTopic } from '../../../domain/references/topic/library.ts';
import { formatLock, type TopicLock } from '../../../domain/references/topic/lock.ts';
import { isSlug, type ReferenceTopic } from '../../../domain/references/topic/topic.ts';
import {
  addFiles,
  type FileRow,
  filesIn,
  holdContents,
  type NewFile,
  newFileSet,
  removeFile,
  removeFileSet,
  removeForgottenSets,
} from '../contents/file-sets.ts';
import { tenantTerm } from '../seam/terms.ts';
import { fileSetOf, type LibraryPlace, lockedTopicIn, type TopicFormat } from './topic-rows.ts';

export async function stagedTopic(place: LibraryPlace): Promise<StagedTopic> {
  const { database, tenant, topicFormat } = place;
  const set = await database.write(async (sql) => {
    // As in a directory, the next one takes away what killed processes left behind.
    await holdContents(sql, tenant, 'alone');
    await removeForgottenSets(sql, tenant);
    return newFileSet(sql, tenant);
  });
  const names = fileNames();
  const waiting = waitingFiles(place, set);
  const known = new Map<string, ReadonlyMap<string, FileRow>>();
  let isOver = false;
  return {
    async write(path, content) {
      if (!names.take(path)) return 'taken';
      await waiting.add({ path, content }, content.length);
      return 'written';
    },
    async carry(from, path) {
      const there = known.get(from.slug) ?? (await filesOf(place, from.slug));
      known.set(from.slug, there);
      const file = there.get(from.path);
      if (!file || !names.take(path)) return false;
      await waiting.add({ ...file, path }, 0);
      return true;
    },
    async drop(path) {
      if (!names.free(path)) return;
      await waiting.flush();
      await database.write(async (sql) => {
        await holdContents(sql, tenant, 'alone');
        await removeFile(sql, tenant, { set, path });
      });
    },
    async publish(topic, lock) {
      if (!isSlug(topic.slug)) throw new TypeError(`no slug: ${topic.slug}`);
      const row = { ...tenant, slug: topic.slug, file_set: set, ...described(topicFormat, topic, lock) };
      await waiting.flush();
      const isNew = await database.write(async (sql) => {
        const { count } = await sql`insert into ken.reference_topic ${sql(row)}
          on conflict (team, workspace, slug) do nothing`;
        return count > 0;
      });
      isOver ||= isNew;
      return isNew;
    },
    async replace(slug, change, lock) {
      await waiting.flush();
      const isReplaced = await database.write(async (sql) => {
        await holdContents(sql, tenant, 'alone');
        const kept = await lockedTopicIn(sql, place, slug);
        if (!kept || !('topic' in kept)) return false;
        const row = described(topicFormat, change(kept.topic), lock);
        await sql`
          update ken.reference_topic t set file_set = ${set}, description = ${row.description}, lock = ${row.lock}
          where ${tenantTerm(sql, tenant, 't')} and t.slug = ${slug}`;
        await removeFileSet(sql, tenant, kept.stamp);
        return true;
      });
      isOver ||= isReplaced;
      return isReplaced;
    },
    async discard() {
      if (isOver) return;
      isOver = true;
      await database.write(async (sql) => {
        await holdContents(sql, tenant, 'alone');
        // After a connection was lost, it may have been published without an answer.
        const named = await sql`
          select 1 from ken.reference_topic t where ${tenantTerm(sql, tenant, 't')} and t.file_set = ${set}`;
        if (named.length === 0) await removeFileSet(sql, tenant, set);
      });
    },
  };
}

/** A transaction for each file would take several turns of the network each. */
const MOST_WAITING = { files: 200, bytes: 4 * 1024 * 1024 };

function waitingFiles({ database, tenant }: LibraryPlace, set: string) {
  let files: NewFile[] = [];
  let bytes = 0;
  const flush = async () => {
    const now = files;
    [files, bytes] = [[], 0];
    if (now.length === 0) return;
    await database.write(async (sql) => {
      await holdContents(sql, tenant, 'shared');
      await addFiles(sql, tenant, set, now);
    });
  };
  return {
    flush,
    async add(file: NewFile, size: number): Promise<void> {
      files.push(file);
      bytes += size;
      if (files.length >= MOST_WAITING.files || bytes >= MOST_WAITING.bytes) await flush();
    },
  };
}

async function filesOf({ database, tenant }: LibraryPlace, slug: string): Promise<Map<string, FileRow>> {
  return database.read(async (sql) => {
    const set = await fileSetOf(sql, tenant, slug);
    const files = set === undefined ? [] : await filesIn(sql, tenant, set);
    return new Map(files.map((file) => [file.path, file]));
  });
}

function described({ format }: TopicFormat, topic: ReferenceTopic, lock: TopicLock) {
  return { description: Buffer.from(format(topic)), lock: Buffer.from(formatLock(lock)) };
}

/** Names of files and of the directories they make, as a file system takes them. */
function fileNames() {
  const files = new Set<string>();
  const directories = new Map<string, number>();
  const count = (path: string, by: number) => {
    for (const directory of above(path)) directories.set(directory, (directories.get(directory) ?? 0) + by);
  };
  return {
    take(path: string): boolean {
      const problem = fileNameProblem(path);
      if (problem) throw new Fault('references/invalid', `"${path}" cannot be kept: ${problem}.`);
      const isTaken =
        files.has(path) || (directories.get(path) ?? 0) > 0 || above(path).some((each) => files.has(each));
      if (isTaken) return false;
      files.add(path);
      count(path, 1);
      return true;
    },
    free(path: string): boolean {
      const isThere = files.delete(path);
      if (isThere) count(path, -1);
      return isThere;
    },
  };
}

/** `a/b/c` → `a`, `a/b`. */
function above(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
