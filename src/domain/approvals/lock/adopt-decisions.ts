/** Takes what was decided before the lock into the lock, when the operator agrees. */

import type { DefinitionSource } from '../../../base/approvals.ts';
import type { Hasher } from '../../../base/hasher.ts';
import { singleLine } from '../../../base/terminal-text.ts';
import type { Clock } from '../../../base/time.ts';
import type { Approval } from '../approval.ts';
import type { ApprovalStore } from '../approval-store.ts';
import type { ToolPin, ToolPinStore } from '../tool-pin.ts';
import type { TrustRecord, TrustStore } from '../trust.ts';
import type { ApprovalsLock } from './approvals-lock.ts';
import { OWN_SETTINGS, signSettings } from './own-settings.ts';

export interface AdoptPorts {
  readonly approvals: ApprovalStore;
  readonly trust: TrustStore;
  readonly toolPins: ToolPinStore;
  readonly ownSettings: { all(): Promise<readonly DefinitionSource[]> };
  readonly lock: ApprovalsLock;
  readonly operator: { name(): Promise<string> };
  readonly clock: Clock;
  readonly hasher: Hasher;
}

export interface EarlierDecisions {
  /** One for each decision, for the operator to read. */
  readonly lines: readonly string[];
  readonly rules: readonly Approval[];
  readonly trusted: readonly TrustRecord[];
  readonly pins: readonly ToolPin[];
  readonly settings: readonly DefinitionSource[];
}

/** Read before the lock is on, when everything is believed. Approvals that are not used yet are asked for again. */
export async function decisionsToAdopt(ports: AdoptPorts): Promise<EarlierDecisions> {
  const used = await ports.approvals.list({ statuses: ['consumed'] }, ports.clock.now());
  const rules = used.filter(({ reason }) => reason.type === 'knowledge_promote');
  const trusted = (await ports.trust.list()).filter(({ workspace }) => workspace !== OWN_SETTINGS);
  const pins = await ports.toolPins.list();
  const settings = await ports.ownSettings.all();
  const lines = [
    ...settings.flatMap(({ file, definitions }) =>
      definitions.map(({ key, value }) => `setting ${key} = ${value} in ${file}`),
    ),
    ...trusted.map(({ workspace }) => `trust in ${workspace}`),
    ...pins.map(({ server, tool, workspace }) => `tool ${tool} of server ${server} in ${workspace}`),
    ...rules.map(
      ({ reason, workspace }) => `rule from ${'entry' in reason ? reason.entry : ''} in ${workspace ?? ''}`,
    ),
  ].map(singleLine);
  return { lines, rules, trusted, pins, settings };
}

export async function adoptDecisions(ports: AdoptPorts, earlier: EarlierDecisions): Promise<void> {
  const decision = { by: await ports.operator.name(), at: ports.clock.now(), through: 'terminal' } as const;
  for (const { id } of earlier.rules) await ports.approvals.confirm(id, decision);
  for (const record of earlier.trusted) await ports.trust.put({ ...record, decision });
  for (const pin of earlier.pins) await ports.toolPins.put({ ...pin, pinned: decision.at });
  const known = new Set(
    earlier.settings.flatMap(({ file, definitions }) => definitions.map((each) => keyOf(file, each))),
  );
  await signSettings(ports, (file, setting) => known.has(keyOf(file, setting)));
}

function keyOf(file: string, { key, value }: { readonly key: string; readonly value: string }): string {
  return JSON.stringify([file, key, value]);
}
