/** From an exported file to entries in this ledger. Nothing that it says is taken for approved or verified. */

import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { IdSource } from '../../base/ids.ts';
import { type Json, memberOf, parseJson } from '../../base/json.ts';
import { type Actor, stampOf } from './add-entry.ts';
import type { Seconds } from './entry.ts';
import { type EntryHistory, EXPORT_HEAD, parseExportedEntry } from './exported-entry.ts';
import type { ImportEnd } from './plan-import.ts';
import type { IsCitationUri } from './provenance.ts';
import { secretIn } from './secrets.ts';
import type { LedgerStore } from './store.ts';
import { secondsOf } from './timestamp.ts';

export interface ImportPorts {
  readonly ledger: LedgerStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly isCitationUri: IsCitationUri;
}

export interface ImportInput {
  /** As `ken knowledge export` writes it: a head, then `exportedEntry` line by line. */
  readonly content: string;
  readonly dryRun: boolean;
  readonly allowSecret: boolean;
  readonly actor: Actor;
}

/** One end for each entry of the file, in no particular order. A Fault when it is no export at all. */
export async function importEntries(ports: ImportPorts, input: ImportInput): Promise<readonly ImportEnd[]> {
  const lines = exportLines(input.content);
  const stamp = stampOf(ports, input.actor);
  const refused: ImportEnd[] = [];
  const histories = lines.flatMap(([number, line]) => {
    const read = readLine(line, secondsOf(ports.clock.now()), ports, input.allowSecret);
    if (typeof read !== 'string') return [read];
    const id = memberOf(line, 'id');
    refused.push({ id: typeof id === 'string' ? id : `line ${number}`, what: 'refused', reason: read });
    return [];
  });
  const newEventId = () => ports.ids.ulid();
  const taken = await ports.ledger.importHistories({ histories, dryRun: input.dryRun, stamp, newEventId });
  return [...taken, ...refused];
}

/** With their numbers; without the head. */
function exportLines(content: string): [number, Json][] {
  const lines = content
    .split('\n')
    .flatMap((text, at): [number, Json | undefined][] =>
      text.trim() === '' ? [] : [[at + 1, parseJson(text)]],
    );
  const [[, head] = [], ...others] = lines;
  if (memberOf(head, 'format') !== EXPORT_HEAD.format) {
    throw new Fault('ledger/invalid', 'This is no export of a ledger.', {
      hint: '"ken knowledge export" writes one; "ken knowledge audit --from" looks at other collections.',
    });
  }
  if (memberOf(head, 'version') !== EXPORT_HEAD.version)
    throw new Fault('ledger/invalid', 'This was exported by a newer ken.', { hint: 'Update ken.' });
  return others.map(([number, line]) => [number, line ?? null]);
}

/** The history, or why there is none. */
function readLine(
  line: Json,
  now: Seconds,
  { isCitationUri }: ImportPorts,
  allowSecret: boolean,
): EntryHistory | string {
  try {
    const history = parseExportedEntry(line, now, isCitationUri);
    const texts = history.versions.flatMap(({ title, text, provenance }) => [title, text, provenance]);
    const rule = allowSecret ? undefined : texts.map(secretIn).find((name) => name !== undefined);
    return rule === undefined ? history : `It looks like a secret (${rule}).`;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}
