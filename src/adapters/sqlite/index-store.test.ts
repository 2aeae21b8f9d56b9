import { onTestFinished } from 'vitest';
import { itKeepsAnIndex } from '../../domain/search/index-store.contract.ts';
import { derivedDatabase } from './derived-database.ts';
import { SEARCH_INDEX } from './index-schema.ts';
import { sqliteIndexStore } from './index-store.ts';

itKeepsAnIndex('SQLite', () => {
  const database = derivedDatabase({ file: ':memory:', migrations: SEARCH_INDEX });
  onTestFinished(() => database.close());
  return sqliteIndexStore(database);
});
