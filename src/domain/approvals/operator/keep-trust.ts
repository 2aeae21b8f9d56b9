/** Keeps a workspace trusted while the operator changes its config through ken. */

import type { DefinitionSource } from '../../../base/approvals.ts';
import type { Clock } from '../../../base/time.ts';
import { trustDigest, trustState } from '../trust.ts';
import { definitionLines } from '../trust-difference.ts';
import type { TrustPorts } from '../trust-workspace.ts';
import type { Presence } from './operator-presence.ts';

export interface KeepTrustPorts extends TrustPorts {
  readonly clock: Clock;
  readonly operator: { name(): Promise<string>; presence(): Promise<Presence> };
  readonly definitions: { all(): Promise<readonly DefinitionSource[]> };
}

/**
 * Writes a config file of the workspace. What the write defines is trusted with it, if the operator is present, all
 * else was trusted or there was nothing to trust, and nothing but `file` has changed meanwhile.
 */
export async function keepTrust<Result>(
  ports: KeepTrustPorts,
  place: { readonly workspace: string; readonly file: string },
  write: () => Promise<Result>,
): Promise<Result> {
  const before = await ports.definitions.all();
  const state = trustState(await ports.trust.get(place.workspace), before);
  const result = await write();
  if (state === 'untrusted' || state === 'changed') return result;
  const sources = await ports.definitions.all();
  const changed = definitionLines(before, sources).filter(({ kind }) => kind !== 'same');
  if (changed.length === 0 || changed.some(({ file }) => file !== place.file)) return result;
  if (!(await ports.operator.presence()).isPresent) return result;
  const decision = { by: await ports.operator.name(), at: ports.clock.now(), through: 'terminal' } as const;
  const { workspace } = place;
  await ports.trust.put({ workspace, sources, digest: trustDigest(ports.hasher, sources), decision });
  return result;
}
