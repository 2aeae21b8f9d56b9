import { type DerivedDatabase, derivedDatabase } from '../seam/derived-database.ts';
import { inspectionRecord } from '../seam/inspection-record.ts';
import { SEARCH_INDEX } from './index-schema.ts';

export interface IndexPlace {
  readonly file: string;
  /** In the user's own directories: where it is remembered that the file was inspected. */
  readonly records: string;
  warn(text: string): void;
}

/** An index derived from files; deleting it costs a rebuild, nothing else. A repository may bring one. */
export function searchDatabase({ file, records, warn }: IndexPlace): DerivedDatabase {
  return derivedDatabase({ file, migrations: SEARCH_INDEX, inspections: inspectionRecord(records), warn });
}
