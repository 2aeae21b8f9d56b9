import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** SHA-256 of `file`, relative to `directory`; `missing` or `unreadable` when there is nothing to digest. */
export async function fileDigest(directory: string, file: string): Promise<string> {
  const absolute = path.resolve(directory, file);
  try {
    const stats = statSync(absolute, { throwIfNoEntry: false });
    if (!stats) return 'missing';
    // A pipe would hang, and a device might never end.
    if (!stats.isFile()) return 'unreadable';
    const hash = createHash('sha256');
    await pipeline(createReadStream(absolute), hash);
    return hash.digest('hex');
  } catch {
    return 'unreadable';
  }
}
