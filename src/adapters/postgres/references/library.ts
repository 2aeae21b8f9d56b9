/**
 * The reference topics of a team. A topic names a set of files; a new state of it is another set, which readers see once
 * the topic names it. The set is the stamp.
 */

import type { ReferenceLibrary } from '../../../domain/references/topic/library.ts';
import { parseLock } from '../../../domain/references/topic/lock.ts';
import {
  contentOf,
  filesIn,
  holdContents,
  removeFileSet,
  removeForgottenSets,
} from '../contents/file-sets.ts';
import type { Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { stagedTopic } from './staged-topic.ts';
import { fileSetOf, keptTopic, type LibraryPlace, lockedTopicIn, textOf, topicIn } from './topic-rows.ts';

export function postgresReferenceLibrary(place: LibraryPlace): ReferenceLibrary {
  const { database, tenant, topicFormat } = place;
  /** `absent` for a topic that is not there. */
  const reading = <T>(slug: string, absent: T, work: (sql: Transaction, set: string) => Promise<T>) =>
    database.read(async (sql) => {
      const set = await fileSetOf(sql, tenant, slug);
      return set === undefined ? absent : work(sql, set);
    });
  return {
    list: () =>
      database.read(async (sql) => {
        const rows = await sql`
          select t.slug, t.file_set, t.description from ken.reference_topic t
          where ${tenantTerm(sql, tenant, 't')} order by t.slug`;
        return rows.map((row) => keptTopic(topicFormat, row));
      }),
    get: (slug) => database.read((sql) => topicIn(sql, place, slug)),
    lock: (slug) =>
      database.read(async (sql) => {
        const [row] = await sql`
          select t.lock from ken.reference_topic t where ${tenantTerm(sql, tenant, 't')} and t.slug = ${slug}`;
        return parseLock(row ? textOf(row.lock) : '');
      }),
    readFile: (slug, path) =>
      reading<Uint8Array | undefined>(slug, undefined, (sql, set) => contentOf(sql, tenant, { set, path })),
    filePaths: (slug) =>
      reading<readonly string[]>(slug, [], async (sql, set) =>
        (await filesIn(sql, tenant, set)).map(({ path }) => path),
      ),
    stage: () => stagedTopic(place),
    change: (slug, change) =>
      database.write(async (sql) => {
        const kept = await lockedTopicIn(sql, place, slug);
        if (!kept || !('topic' in kept)) return false;
        const description = Buffer.from(topicFormat.format(change(kept.topic)));
        await sql`
          update ken.reference_topic t set description = ${description}
          where ${tenantTerm(sql, tenant, 't')} and t.slug = ${slug}`;
        return true;
      }),
    remove: (slug) =>
      database.write(async (sql) => {
        await holdContents(sql, tenant, 'alone');
        const [gone] = await sql`
          delete from ken.reference_topic t where ${tenantTerm(sql, tenant, 't')} and t.slug = ${slug}
          returning t.file_set`;
        if (gone) await removeFileSet(sql, tenant, String(gone.file_set));
        return gone !== undefined;
      }),
    tidy: () =>
      database.write(async (sql) => {
        await holdContents(sql, tenant, 'alone');
        return removeForgottenSets(sql, tenant);
      }),
  };
}
