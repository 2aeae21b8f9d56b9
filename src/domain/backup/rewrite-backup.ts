import type { ArchiveEntry, Archives, OpenFile } from './backup-files.ts';
import { type BackedUpFile, invalid, MANIFEST_PATH, manifestText, parseManifest } from './manifest.ts';
import { textOfEntry } from './restore-backup.ts';
import { onePiece } from './write-backup.ts';

/** Replaces an archive by one with changed files and their manifest. `change` returns undefined for a file that goes. */
export async function rewriteBackup(
  archives: Archives,
  file: string,
  change: (entry: ArchiveEntry) => Promise<OpenFile | undefined>,
  signal: AbortSignal,
): Promise<void> {
  const writer = await archives.replace(file);
  try {
    const files: BackedUpFile[] = [];
    let manifest: ArchiveEntry | undefined;
    let text = '';
    for await (const entry of await archives.read(file, signal)) {
      if (entry.path === MANIFEST_PATH) {
        manifest = entry;
        text = await textOfEntry(entry);
        continue;
      }
      const changed = await change(entry);
      if (!changed) continue;
      const { path, modifiedAt } = entry;
      const sha256 = await writer.add(path, { ...changed, modifiedAt });
      files.push({ path, bytes: changed.bytes, sha256, modifiedAt });
    }
    if (!manifest) throw invalid('Its end is missing.');
    const bytes = new TextEncoder().encode(manifestText({ ...parseManifest(text), files }));
    const { modifiedAt } = manifest;
    await writer.add(MANIFEST_PATH, { bytes: bytes.length, modifiedAt, content: onePiece(bytes) });
    await writer.finish();
  } finally {
    await writer.discard();
  }
}
