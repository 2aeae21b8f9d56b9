/** From an exported file to entries in this ledger. Nothing that it says is taken for approved or verified. */

import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { IdSource } from '../../base/ids.ts';
import { memberOf } from '../../base/json.ts';
import { type Actor, stampOf } from './add-entry.ts';
import { type ExportLine, exportLines } from './export-lines.ts';
import { type EntryHistory, parseExportedEntry } from './exported-entry.ts';
import { type ChainLink, type ImportEnd, inChainOrder } from './plan-import.ts';
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
  readonly content: Uint8Array;
  readonly dryRun: boolean;
  readonly allowSecret: boolean;
  readonly actor: Actor;
}

/** What is in memory at once. */
const BATCH = { lines: 500, bytes: 2 * 1024 * 1024 };

/** One end for each entry of the file, in no particular order. A Fault when it is no export at all. */
export async function importEntries(ports: ImportPorts, input: ImportInput): Promise<readonly ImportEnd[]> {
  const ordered = inChainOrder(exportLines(input.content).map(linkOf));
  let refused: ImportEnd[] = [];
  const batches: Iterable<readonly EntryHistory[]> = {
    *[Symbol.iterator]() {
      refused = [];
      for (const batch of inBatches(ordered))
        yield batch.flatMap(({ id, line }) => {
          const read = readLine(line, ports, input.allowSecret);
          if (typeof read !== 'string') return [read];
          refused.push({ id, what: 'refused', reason: read });
          return [];
        });
    },
  };
  const stamp = stampOf(ports, input.actor);
  const newEventId = () => ports.ids.ulid();
  const taken = await ports.ledger.importHistories({ batches, dryRun: input.dryRun, stamp, newEventId });
  return [...taken, ...refused];
}

interface LinkedLine extends ChainLink {
  readonly line: ExportLine;
}

function* inBatches(lines: readonly LinkedLine[]): Generator<LinkedLine[]> {
  let batch: LinkedLine[] = [];
  let bytes = 0;
  for (const each of lines) {
    if (batch.length >= BATCH.lines || (batch.length > 0 && bytes + each.line.size > BATCH.bytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(each);
    bytes += each.line.size;
  }
  if (batch.length > 0) yield batch;
}

function linkOf(line: ExportLine): LinkedLine {
  const json = line.json();
  const [id, supersedes] = [memberOf(json, 'id'), memberOf(json, 'supersedes_id')];
  return {
    line,
    id: typeof id === 'string' ? id : `line ${line.number}`,
    supersedes: typeof supersedes === 'string' ? supersedes : undefined,
  };
}

/** The history, or why there is none. */
function readLine(
  line: ExportLine,
  { isCitationUri, clock }: ImportPorts,
  allowSecret: boolean,
): EntryHistory | string {
  try {
    const history = parseExportedEntry(line.json(), secondsOf(clock.now()), isCitationUri);
    const texts = history.versions.flatMap(({ title, text, provenance }) => [title, text, provenance]);
    const rule = allowSecret ? undefined : texts.map(secretIn).find((name) => name !== undefined);
    return rule === undefined ? history : `It looks like a secret (${rule}).`;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}
