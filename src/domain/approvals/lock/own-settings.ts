/** The operator's own settings that permit more than the defaults, which count only when signed while the lock is on. */

import type { Definition, DefinitionSource } from '../../../base/approvals.ts';
import type { Hasher } from '../../../base/hasher.ts';
import type { Clock } from '../../../base/time.ts';
import { type TrustRecord, type TrustStore, trustDigest } from '../trust.ts';
import { type ApprovalsLock, isLocked } from './approvals-lock.ts';
import type { DecisionLog } from './decision-log.ts';

/** Key of their record among the trusted workspaces, whose keys are absolute paths. */
export const OWN_SETTINGS = 'your own settings';

interface SettingPorts {
  readonly lock: Pick<ApprovalsLock, 'state'>;
  readonly trust: TrustStore;
}

/** Whether each of the settings in a file is signed with exactly its value. */
export async function areSettingsSigned(
  { trust }: Pick<SettingPorts, 'trust'>,
  file: string,
  settings: readonly Definition[],
): Promise<boolean> {
  const signed = await trust.get(OWN_SETTINGS);
  return settings.every((setting) => isIn(signed, file, setting));
}

function isIn(record: TrustRecord | undefined, file: string, { key, value }: Definition): boolean {
  const source = record?.sources.find((each) => each.file === file);
  return source?.definitions.some((known) => known.key === key && known.value === value) ?? false;
}

/** The settings that are not signed; none while the lock is off. */
export async function unsignedSettings(
  ports: SettingPorts & { readonly ownSettings: { all(): Promise<readonly DefinitionSource[]> } },
): Promise<DefinitionSource[]> {
  if (!isLocked(await ports.lock.state())) return [];
  const signed = await ports.trust.get(OWN_SETTINGS);
  const sources = await ports.ownSettings.all();
  return sources.flatMap((source) => {
    const definitions = source.definitions.filter((each) => !isIn(signed, source.file, each));
    return definitions.length > 0 ? [{ ...source, definitions }] : [];
  });
}

interface SigningPorts extends SettingPorts {
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly operator: { name(): Promise<string> };
  readonly ownSettings: { all(): Promise<readonly DefinitionSource[]> };
}

/** Logs a setting that permits more and, while approvals are locked, signs it. */
export async function recordSetting(
  ports: SigningPorts & { readonly decisionLog: Pick<DecisionLog, 'append'> },
  file: string,
  key: string,
): Promise<void> {
  const decided = { at: ports.clock.now(), by: await ports.operator.name(), through: 'terminal' };
  await ports.decisionLog.append({ act: 'set', subject: key, digest: null, ...decided });
  await signSettings(ports, (of, setting) => of === file && isWithinKey(setting.key, key));
}

function isWithinKey(key: string, written: string): boolean {
  return key === written || key.startsWith(`${written}.`) || written.startsWith(`${key}.`);
}

/** Signs `added` together with what is signed and still set; nothing while the lock is off. */
export async function signSettings(
  ports: SigningPorts,
  isAdded: (file: string, setting: Definition) => boolean,
): Promise<void> {
  if (!isLocked(await ports.lock.state())) return;
  const before = await ports.trust.get(OWN_SETTINGS);
  const sources = (await ports.ownSettings.all()).map((source) => ({
    ...source,
    definitions: source.definitions.filter(
      (each) => isIn(before, source.file, each) || isAdded(source.file, each),
    ),
  }));
  const decision = { by: await ports.operator.name(), at: ports.clock.now(), through: 'terminal' } as const;
  const digest = trustDigest(ports.hasher, sources);
  await ports.trust.put({ workspace: OWN_SETTINGS, sources, digest, decision });
}
