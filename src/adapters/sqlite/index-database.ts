import { CONVERSATION_INDEX } from './conversation-index.ts';
import type { Database } from './database.ts';
import { type DerivedDatabase, derivedDatabase } from './derived-database.ts';
import { SEARCH_INDEX } from './index-schema.ts';
import { inspectionRecord } from './inspection-record.ts';
import { openDatabase } from './open-database.ts';

export interface IndexPlace {
  readonly file: string;
  /** In the user's own directories: where it is remembered that the file was inspected. */
  readonly records: string;
  warn(text: string): void;
}

/** What is derived from a workspace's files; deleting it costs a rebuild, nothing else. A repository may bring one. */
export function openIndexDatabase({ file, records, warn }: IndexPlace): Promise<Database> {
  const inspections = inspectionRecord(records);
  return openDatabase({ file, kind: 'derived', migrations: WORKSPACE_INDEX, inspections, warn });
}

/** The same file, for searches. */
export function searchDatabase({ file, records, warn }: IndexPlace): DerivedDatabase {
  return derivedDatabase({ file, migrations: WORKSPACE_INDEX, inspections: inspectionRecord(records), warn });
}

const WORKSPACE_INDEX = [...CONVERSATION_INDEX, ...SEARCH_INDEX];
