import {
  isClutter,
  noFiles,
  type SubjectFiles,
  type TopicFiles,
} from '../../../domain/knowledge-base/subject-files.ts';
import type { Database, Tenant } from '../seam/database.ts';
import { contentsOf, rowOf } from './shared-topics.ts';

/** Topics are read whole; their directory is their id. A set of files never changes, so it is read once. */
export function postgresTopicFiles(database: Database, tenant: Tenant): TopicFiles {
  const known = new Map<string, SubjectFiles>();
  return {
    open: ({ directory }) =>
      database.read(async (sql) => {
        const row = await rowOf(sql, tenant, directory);
        if (!row) return noFiles('missing');
        const set = String(row.file_set);
        const files = known.get(set) ?? inMemory(await contentsOf(sql, tenant, set), set);
        known.delete(set);
        known.set(set, files);
        const [oldest] = known.size > MOST_KEPT ? known.keys() : [];
        if (oldest !== undefined) known.delete(oldest);
        return files;
      }),
  };
}

const MOST_KEPT = 50;

function inMemory(contents: ReadonlyMap<string, Uint8Array>, set: string): SubjectFiles {
  const files = [...contents.keys()].filter((path) => !path.split('/').some(isClutter));
  const listed = new Set(files);
  return {
    list: () => ({ files, skipped: [] }),
    read(path, maxBytes) {
      const content = listed.has(path) ? contents.get(path) : undefined;
      return content
        ? { ok: true, bytes: content.subarray(0, maxBytes), size: content.length }
        : { ok: false };
    },
    stamp: (path) => (listed.has(path) ? set : undefined),
  };
}
