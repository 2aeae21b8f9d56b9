import { DatabaseSync } from 'node:sqlite';
import { requirePlainOrAbsent } from '../../paths/open-path.ts';

export const MEMORY = ':memory:';

/** SQLite follows links and waits at pipes, so every file that it will open is checked first. */
export function openConnection(file: string, timeout: number, readOnly = false): DatabaseSync {
  if (file !== MEMORY) for (const each of filesOf(file)) requirePlainOrAbsent(each);
  const connection = new DatabaseSync(file, { timeout, readOnly, defensive: true });
  try {
    if (file !== MEMORY) requirePlainOrAbsent(file);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function filesOf(file: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((ending) => `${file}${ending}`);
}
