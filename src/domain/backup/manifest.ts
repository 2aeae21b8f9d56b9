/** The manifest of a backup: every file with its digest. It is the last file of the archive. */

import { Fault } from '../../base/fault.ts';
import { asNumber, asText, isJsonList, type Json, memberOf, parseJson } from '../../base/json.ts';

/** Goes up with every change that an older ken cannot read. */
export const BACKUP_FORMAT = 1;

export const MANIFEST_PATH = 'manifest.json';

/** A file's path in the archive begins with its part. */
export const BACKUP_PARTS = ['config', 'kb', 'conversations', 'local', 'ledger', 'references'] as const;
export type BackupPart = (typeof BACKUP_PARTS)[number];

export interface BackedUpFile {
  /** `<part>/<path>`, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

export interface Manifest {
  /** The version of ken that wrote the backup. */
  readonly ken: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The name of the workspace's directory. */
  readonly workspace: string;
  /** Only files that changed after this time are here; undefined for a whole backup. */
  readonly since: number | undefined;
  readonly files: readonly BackedUpFile[];
}

export function partOf(path: string): BackupPart | undefined {
  return BACKUP_PARTS.find((part) => path.startsWith(`${part}/`));
}

/**
 * Files that are restored together or not at all: a conversation, a reference topic, the ledger. Other files stand
 * alone.
 */
export function groupOf(path: string): string {
  const [part = '', first = ''] = path.split('/');
  if (part === 'ledger') return part;
  return part === 'config' || part === 'kb' ? path : `${part}/${first}`;
}

/**
 * Why a file can neither be backed up nor restored. A backup may come from anywhere, so it must not bring files that
 * other programs run or read as their settings; those have hidden names. Undefined for a good path.
 */
export function pathProblem(path: string): string | undefined {
  const part = partOf(path);
  const steps = path.split('/').slice(1);
  if (!part || path.includes('\0') || path.includes('\\')) return 'has no place in a workspace';
  if (steps.length === 0 || steps.some((step) => step === '' || step === '.' || step === '..'))
    return 'leads out of its part';
  if (path.length > 1024 || steps.some((step) => step.length > 255)) return 'is too long';
  return part === 'kb' ? hiddenProblem(steps) : undefined;
}

function hiddenProblem(steps: readonly string[]): string | undefined {
  const visible = steps[0] === '.ken' && steps[1] === 'kb' ? steps.slice(2) : steps;
  const isHidden = visible.some((step) => step.startsWith('.') || step === 'node_modules');
  return isHidden ? 'has a hidden name' : undefined;
}

export function manifestText(manifest: Manifest): string {
  const { ken, createdAt, workspace, since, files } = manifest;
  const head = { format: BACKUP_FORMAT, ken, created_at: createdAt, workspace, since: since ?? null };
  const listed = files.map(({ path, bytes, sha256, modifiedAt }) => ({
    path,
    bytes,
    sha256,
    modified_at: modifiedAt,
  }));
  return `${JSON.stringify({ ...head, files: listed })}\n`;
}

export function parseManifest(text: string): Manifest {
  const json = parseJson(text);
  const format = asNumber(memberOf(json, 'format'));
  if (format === undefined) throw invalid('Its manifest is not one of ken.');
  if (format > BACKUP_FORMAT)
    throw new Fault(
      'backup/too-new',
      `This backup has format ${format}; this ken reads up to ${BACKUP_FORMAT}.`,
      { hint: 'Install a newer ken.' },
    );
  const files = memberOf(json, 'files');
  const [ken, workspace] = ['ken', 'workspace'].map((name) => asText(memberOf(json, name)));
  const createdAt = asNumber(memberOf(json, 'created_at'));
  if (!isJsonList(files) || ken === undefined || workspace === undefined || createdAt === undefined)
    throw invalid('Its manifest is incomplete.');
  const since = asNumber(memberOf(json, 'since'));
  return { ken, workspace, createdAt, since, files: files.map(parseFile) };
}

function parseFile(json: Json): BackedUpFile {
  const [path, sha256] = ['path', 'sha256'].map((name) => asText(memberOf(json, name)));
  const [bytes, modifiedAt] = ['bytes', 'modified_at'].map((name) => asNumber(memberOf(json, name)));
  if (path === undefined || sha256 === undefined || bytes === undefined || modifiedAt === undefined)
    throw invalid('Its manifest has a line that is not a file.');
  return { path, sha256, bytes, modifiedAt };
}

export function invalid(problem: string): Fault {
  return new Fault('backup/invalid', `This is not a whole backup. ${problem}`, {
    hint: 'Use another copy; "ken backup --list" shows those that ken made.',
  });
}
