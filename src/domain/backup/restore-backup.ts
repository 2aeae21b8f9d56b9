import type { RunningHash } from '../../base/hasher.ts';
import type { ArchiveEntry, Archives, BackupFiles, Snapshot } from './backup-files.ts';
import {
  type BackedUpFile,
  type BackupPart,
  groupOf,
  invalid,
  MANIFEST_PATH,
  type Manifest,
  parseManifest,
  partOf,
  pathProblem,
} from './manifest.ts';

export interface RestorePorts {
  readonly archives: Archives;
  readonly backupFiles: BackupFiles;
  readonly hasher: { running(): RunningHash };
}

const MOST_MANIFEST_BYTES = 256 * 1024 * 1024;

/** Reads the whole archive and returns its manifest; a Fault unless every file is there with its digest. */
export async function checkBackup(
  { archives, hasher }: Pick<RestorePorts, 'archives' | 'hasher'>,
  file: string,
  signal: AbortSignal,
): Promise<Manifest> {
  const seen = new Map<string, { readonly bytes: number; readonly sha256: string }>();
  let manifest: Manifest | undefined;
  for await (const entry of await archives.read(file, signal)) {
    if (manifest) throw invalid('Something follows its manifest.');
    if (entry.path === MANIFEST_PATH) manifest = parseManifest(await textOfEntry(entry));
    else if (seen.has(entry.path)) throw invalid(`"${entry.path}" is in it twice.`);
    else seen.set(entry.path, { bytes: entry.bytes, sha256: await digestOf(hasher, entry) });
  }
  if (!manifest) throw invalid('Its end is missing.');
  for (const { path, bytes, sha256 } of manifest.files) {
    const found = seen.get(path);
    if (found?.sha256 !== sha256 || found.bytes !== bytes) throw invalid(`"${path}" is missing or damaged.`);
    const problem = pathProblem(path);
    if (problem) throw invalid(`"${path}" ${problem}.`);
  }
  if (seen.size !== manifest.files.length) throw invalid('It holds files that its manifest does not name.');
  return manifest;
}

/** A Fault for one that is too long to be a manifest. */
export async function textOfEntry({ bytes, content }: ArchiveEntry): Promise<string> {
  if (bytes > MOST_MANIFEST_BYTES) throw invalid('Its manifest is too long.');
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of content) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function digestOf(
  hasher: RestorePorts['hasher'],
  { content }: Pick<ArchiveEntry, 'content'>,
): Promise<string> {
  const hash = hasher.running();
  for await (const chunk of content) hash.update(chunk);
  return hash.digest();
}

/** `create`: nothing is there. `replace`: something older is there. `newer`: what is there changed after the backup. */
export type RestoreAction = 'create' | 'same' | 'replace' | 'newer';

export interface RestoreStep {
  readonly group: string;
  readonly action: RestoreAction;
  readonly paths: readonly string[];
}

/** The steps into a place where nothing is. */
export function planFresh(manifest: Manifest, parts: readonly BackupPart[]): readonly RestoreStep[] {
  return [...wantedGroups(manifest, parts)].map(([group, files]) => ({
    group,
    action: 'create',
    paths: files.map(({ path }) => path),
  }));
}

function wantedGroups(
  { files }: Manifest,
  parts: readonly BackupPart[],
): ReadonlyMap<string, BackedUpFile[]> {
  const wanted = files.filter(({ path }) => parts.some((part) => part === partOf(path)));
  return Map.groupBy(wanted, ({ path }) => groupOf(path));
}

/** Compares the backup with what is there, group by group. */
export async function planRestore(
  { backupFiles, hasher }: RestorePorts,
  manifest: Manifest,
  parts: readonly BackupPart[],
): Promise<readonly RestoreStep[]> {
  const snapshot = await backupFiles.snapshot({ parts, withFiles: false });
  try {
    const steps: RestoreStep[] = [];
    for (const [group, files] of wantedGroups(manifest, parts)) {
      const actions = new Set<RestoreAction>();
      for (const file of files) actions.add(await actionFor(file, snapshot, hasher));
      steps.push({ group, action: strongest(actions), paths: files.map(({ path }) => path) });
    }
    return steps;
  } finally {
    await snapshot.close();
  }
}

async function actionFor(
  file: BackedUpFile,
  snapshot: Snapshot,
  hasher: RestorePorts['hasher'],
): Promise<RestoreAction> {
  const present = await snapshot.open(file.path);
  if (!present) return 'create';
  if ((await digestOf(hasher, present)) === file.sha256) return 'same';
  return present.modifiedAt > file.modifiedAt ? 'newer' : 'replace';
}

/** A group that is there in part is replaced. */
function strongest(actions: ReadonlySet<RestoreAction>): RestoreAction {
  if (actions.has('newer')) return 'newer';
  if (actions.has('replace')) return 'replace';
  return actions.has('create') ? (actions.has('same') ? 'replace' : 'create') : 'same';
}

export interface RestoreRequest {
  readonly file: string;
  readonly manifest: Manifest;
  readonly steps: readonly RestoreStep[];
}

export interface Restored {
  readonly groups: number;
  /** Directories that hold what was replaced. */
  readonly keptIn: readonly string[];
}

/** Stages all files of the steps, checks each digest once more, and puts the groups in place one after the other. */
export async function restoreBackup(
  { archives, backupFiles, hasher }: RestorePorts,
  { file, manifest, steps }: RestoreRequest,
  report: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Restored> {
  const wanted = new Map(manifest.files.map((each) => [each.path, each]));
  const chosen = new Set(steps.flatMap(({ paths }) => paths));
  const stage = await backupFiles.stage();
  try {
    let done = 0;
    for await (const entry of await archives.read(file, signal)) {
      const expected = chosen.has(entry.path) ? wanted.get(entry.path) : undefined;
      if (!expected) continue;
      report(done++, chosen.size);
      const hash = hasher.running();
      await stage.write(entry.path, hashed(entry.content, hash), expected.modifiedAt);
      if (hash.digest() !== expected.sha256)
        throw invalid(`"${entry.path}" has changed since it was checked.`);
    }
    if (done !== chosen.size) throw invalid('It has changed since it was checked.');
    for (const { group } of steps) await stage.commit(group);
    return { groups: steps.length, keptIn: stage.keptIn() };
  } finally {
    await stage.close();
  }
}

async function* hashed(content: AsyncIterable<Uint8Array>, hash: RunningHash): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
