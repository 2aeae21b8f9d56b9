/** Trust in a workspace covers exactly what its files define, as the operator saw it, and nothing that comes later. */

import type { DefinitionSource } from '../../base/approvals.ts';
import type { Hasher } from '../../base/hasher.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Decision } from './approval.ts';

export interface TrustRecord {
  readonly workspace: string;
  /** In the order in which they are read. */
  readonly sources: readonly DefinitionSource[];
  readonly digest: string;
  readonly decision: Decision;
}

/** `untrusted`: never trusted, or revoked. `changed`: trusted with other definitions. `nothing`: defines nothing. */
export type TrustState = 'nothing' | 'untrusted' | 'changed' | 'trusted';

/** SHA-256 over every source and definition, in order. */
export function trustDigest(hasher: Hasher, sources: readonly DefinitionSource[]): string {
  const written = sources.map(({ file, isAlwaysRead, definitions }) => [
    file,
    isAlwaysRead,
    definitions.map(({ key, value }) => [key, value]),
  ]);
  return hasher.sha256(canonicalJson(['ken-trust-1', written]));
}

/** Each source must be as it was trusted. Those that are always read must all be there, in the same order. */
export function trustState(record: TrustRecord | undefined, read: readonly DefinitionSource[]): TrustState {
  const used = read.filter(({ definitions }) => definitions.length > 0);
  if (used.length === 0) return 'nothing';
  if (!record) return 'untrusted';
  const trusted = new Map(record.sources.map((source) => [source.file, source]));
  const areAsTrusted = used.every((source) => isSame(source, trusted.get(source.file)));
  const expected = record.sources.filter(({ isAlwaysRead }) => isAlwaysRead).map(({ file }) => file);
  const found = used.filter(({ file }) => trusted.get(file)?.isAlwaysRead).map(({ file }) => file);
  return areAsTrusted && expected.join('\n') === found.join('\n') ? 'trusted' : 'changed';
}

function isSame(a: DefinitionSource, b: DefinitionSource | undefined): boolean {
  if (a.definitions.length !== b?.definitions.length) return false;
  return a.definitions.every(({ key, value }, at) => {
    const other = b.definitions[at];
    return key === other?.key && value === other.value;
  });
}

/** Names the source that holds the links out of the workspace: each with its real target, in JSON. */
export const OUTSIDE_LINKS = 'links out of the workspace';

/** The real paths outside the workspace that the operator trusted topics to read. */
export function outsidePaths(record: TrustRecord | undefined): string[] {
  const source = record?.sources.find(({ file }) => file === OUTSIDE_LINKS);
  return source?.definitions.map(({ value }) => String(JSON.parse(value))) ?? [];
}

export interface TrustStore {
  get(workspace: string): Promise<TrustRecord | undefined>;
  /** Replaces the earlier record. */
  put(record: TrustRecord): Promise<void>;
  /** False: it was not trusted. */
  revoke(workspace: string): Promise<boolean>;
  /** Sorted by workspace. */
  list(): Promise<readonly TrustRecord[]>;
}
