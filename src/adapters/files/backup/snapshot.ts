import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { compareCodePoints } from '../../../base/text.ts';
import type { OpenFile, Snapshot, SnapshotRequest } from '../../../domain/backup/backup-files.ts';
import { type BackupPart, partOf, pathProblem } from '../../../domain/backup/manifest.ts';
import { removeAbandoned } from '../../paths/change-directory.ts';
import { inDirectory } from '../../paths/open-path.ts';
import { realPath } from '../../paths/real-path.ts';
import { temporaryBeside } from '../atomic-write.ts';
import { isSystemError } from '../file-fault.ts';
import { type BackupPlaces, directoryOf, LEDGER_DATABASE } from './backup-places.ts';
import { type FoundFiles, filesBelow, openPlainFile } from './read-files.ts';

export async function takeSnapshot(places: BackupPlaces, request: SnapshotRequest): Promise<Snapshot> {
  const scratch = temporaryBeside(path.join(places.own, 'copy'));
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  inDirectory(realPath(places.own), removeAbandoned);
  const close = () => rm(scratch, { recursive: true, force: true });
  try {
    const found = await Promise.all(request.parts.map((part) => listPart(places, part, request)));
    const database = request.parts.includes('ledger') ? await copyLedger(places, scratch) : undefined;
    const all = [
      ...new Set([...found.flatMap(({ files }) => files), ...(database ? [LEDGER_DATABASE] : [])]),
    ];
    const paths = all.filter((each) => pathProblem(each) === undefined).sort(compareCodePoints);
    const leftOut = [
      ...found.flatMap(({ odd }) => odd),
      ...all.filter((each) => pathProblem(each) !== undefined),
    ];
    return { paths, leftOut, open: (each) => openFile(places, each, database), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Only the database of the ledger, which `copyTo` writes. */
export async function ledgerSnapshot(own: string, copyTo: (target: string) => void): Promise<Snapshot> {
  const scratch = temporaryBeside(path.join(own, 'copy'));
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const file = path.join(scratch, 'knowledge.db');
  const close = () => rm(scratch, { recursive: true, force: true });
  try {
    copyTo(file);
    return { paths: [LEDGER_DATABASE], leftOut: [], open: () => openPlainFile(file), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface LedgerCopy {
  readonly file: string;
  readonly modifiedAt: number;
  /** Sizes of the line files at the moment of the copy, by name. */
  readonly sizes: ReadonlyMap<string, number>;
}

async function copyLedger(places: BackupPlaces, scratch: string): Promise<LedgerCopy | undefined> {
  const directory = directoryOf(places, 'ledger');
  const file = path.join(scratch, 'knowledge.db');
  const { statSync } = process.getBuiltinModule('node:fs');
  const { files } = await filesBelow(directory, (name) => !name.endsWith('.jsonl'));
  const sizes = new Map<string, number>();
  const copied = await places.ledger.copyTo(file, () => {
    for (const name of files) sizes.set(name, statSync(path.join(directory, name)).size);
  });
  if (copied === 'absent') return undefined;
  // A damaged one counts as old, so that a restore replaces it.
  const modifiedAt = copied === 'damaged' ? 0 : await lastChange(path.join(directory, 'knowledge.db'));
  return { file, sizes, modifiedAt };
}

/** The latest change may be in the log beside the file. */
async function lastChange(database: string): Promise<number> {
  const times = await Promise.all(
    ['', '-wal'].map((suffix) => stat(`${database}${suffix}`).then(({ mtimeMs }) => mtimeMs, absent)),
  );
  return Math.floor(Math.max(0, ...times));
}

function absent(error: unknown): number {
  if (!isSystemError(error)) throw error;
  return 0;
}

async function openFile(
  places: BackupPlaces,
  archived: string,
  ledger: LedgerCopy | undefined,
): Promise<OpenFile | undefined> {
  if (archived === LEDGER_DATABASE && ledger) {
    const opened = await openPlainFile(ledger.file);
    return opened && { ...opened, modifiedAt: ledger.modifiedAt };
  }
  const part = partOf(archived);
  if (!part) return undefined;
  const name = archived.slice(part.length + 1);
  const bytes = part === 'ledger' ? ledger?.sizes.get(name) : undefined;
  const wholeLines = name.endsWith('.jsonl') && part !== 'kb';
  return openPlainFile(path.join(directoryOf(places, part), name), { bytes, wholeLines });
}

/** Paths in the archive. */
async function listPart(
  places: BackupPlaces,
  part: BackupPart,
  { withFiles }: SnapshotRequest,
): Promise<FoundFiles> {
  if (part === 'kb') return listTopics(places);
  const skips = (name: string) => SKIPS[part](name, withFiles) || isTemporary(name);
  const { files, odd } = await filesBelow(directoryOf(places, part), skips);
  return { files: files.map((name) => `${part}/${name}`), odd: odd.map((name) => `${part}/${name}`) };
}

async function listTopics(places: BackupPlaces): Promise<FoundFiles> {
  const files: string[] = [];
  const odd: string[] = [];
  for (const topic of new Set(['.ken/kb', ...places.topics.map((each) => path.posix.normalize(each))])) {
    if (topic.startsWith('..') || path.isAbsolute(topic)) continue;
    const found = await filesBelow(path.join(places.workspace.root, topic), isClutter);
    const named = (name: string) => `kb/${path.posix.join(topic, name)}`;
    for (const name of found.files) files.push(named(name));
    for (const name of found.odd) odd.push(named(name));
  }
  return { files, odd };
}

function isClutter(name: string): boolean {
  return isTemporary(name) || /(?:^|\/)(?:\.git|\.hg|\.svn|node_modules|\.ken)$/.test(name);
}

/** Locks, what a killed process left, and derived databases. */
function isTemporary(name: string): boolean {
  return /(?:^|\/)(?:\.ken-[^/]*\.tmp|\.writer\.[^/]*|\.new-[^/]*|\.gone-[^/]*)$/.test(name);
}

const SKIPS: Record<Exclude<BackupPart, 'kb'>, (name: string, withFiles: boolean) => boolean> = {
  config: (name) =>
    /^(?:conversations|knowledge|kb|cache|repair)(?:\/|$)|\.db(?:-[^/]*|\.corrupt.*)?$/.test(name),
  conversations: () => false,
  local: () => false,
  ledger: (name) => !name.endsWith('.jsonl'),
  references: (name, withFiles) =>
    /^\.|^[^/]*\.db/.test(name) || (!withFiles && !/^[^/]+(?:\/(?:topic\.md|lock\.jsonl))?$/.test(name)),
};
