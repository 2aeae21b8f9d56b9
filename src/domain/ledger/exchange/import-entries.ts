import { secondsOf } from '../../../base/time.ts';
/** Imports an exported file. Nothing in it counts as approved or verified. */

import { Fault } from '../../../base/fault.ts';
import type { IdSource } from '../../../base/ids.ts';
import { isJsonObject, type Json, type JsonObject, memberOf, parseJson } from '../../../base/json.ts';
import type { Clock } from '../../../base/time.ts';
import { type Actor, stampOf } from '../add-entry.ts';
import { secretIn } from '../entry/checked-input.ts';
import type { IsCitationUri } from '../entry/provenance.ts';
import { type ChainLink, type ImportEnd, inChainOrder } from '../plans/plan-import.ts';
import { type ClaimInput, checkedClaim, stateClaim } from '../state-claim.ts';
import type { LedgerStore } from '../store.ts';
import { type EntryHistory, EXPORT_HEAD, parseExportedEntry } from './exported-entry.ts';

export interface ImportPorts {
  readonly ledger: LedgerStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly isCitationUri: IsCitationUri;
}

export interface ImportInput {
  readonly content: Uint8Array;
  readonly dryRun: boolean;
  readonly allowSecret: boolean;
  readonly actor: Actor;
}

/** Limits of a batch, which is held in memory. */
const BATCH = { lines: 500, bytes: 2 * 1024 * 1024 };

/** One result for each entry of the file, in any order. Throws a Fault when the file is not an export. */
export async function importEntries(ports: ImportPorts, input: ImportInput): Promise<readonly ImportEnd[]> {
  const lines = exportLines(input.content);
  const stated = await importClaims(ports, input, lines.flatMap(claimOf));
  const ordered = inChainOrder(lines.filter((line) => claimOf(line).length === 0).map(linkOf));
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
  return [...stated, ...taken, ...refused];
}

function claimOf(line: ExportLine): JsonObject[] {
  const json = line.json();
  return isJsonObject(json) && 'claim' in json ? [json] : [];
}

/** A claim that this ledger states in other words stays as it is. */
async function importClaims(
  ports: ImportPorts,
  { dryRun, allowSecret, actor }: ImportInput,
  given: readonly JsonObject[],
): Promise<ImportEnd[]> {
  const ends: ImportEnd[] = [];
  const ids = given.map(({ claim }) => String(claim));
  const known = new Map(
    (await ports.ledger.claims(secondsOf(ports.clock.now()), ids)).map((each) => [
      each.id,
      each.stated?.text,
    ]),
  );
  for (const { claim, text } of given) {
    const id = String(claim);
    const before = known.get(id);
    if (before === text) ends.push({ id, what: 'unchanged' });
    else if (before !== undefined)
      ends.push({ id, what: 'conflict', reason: 'The claim is stated in other words here.' });
    else ends.push(await importClaim(ports, { id, text: String(text ?? ''), allowSecret, actor }, dryRun));
  }
  return ends;
}

async function importClaim(ports: ImportPorts, input: ClaimInput, dryRun: boolean): Promise<ImportEnd> {
  try {
    if (dryRun) checkedClaim(input);
    else await stateClaim(ports, input);
    return { id: input.id, what: 'imported' };
  } catch (error) {
    if (error instanceof Fault && error.code.startsWith('ledger/'))
      return { id: input.id, what: 'refused', reason: error.message };
    throw error;
  }
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

/** The history, or the reason why the line is rejected. */
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

interface ExportLine {
  readonly number: number;
  readonly size: number;
  /** `null` when the line is not JSON. */
  json(): Json;
}

/** Leaves out the head and empty lines. Throws a Fault when the file is not an export. */
function exportLines(content: Uint8Array): readonly ExportLine[] {
  const [head, ...lines] = linesOf(content);
  if (memberOf(head?.json(), 'format') !== EXPORT_HEAD.format) {
    throw new Fault('ledger/invalid', 'This is not an export of a ledger.', {
      hint: '"ken knowledge export" writes one; "ken knowledge audit --from" looks at other collections.',
    });
  }
  if (memberOf(head?.json(), 'version') !== EXPORT_HEAD.version)
    throw new Fault('ledger/invalid', 'This was exported by a newer ken.', { hint: 'Update ken.' });
  return lines;
}

const NEWLINE = 0x0a;

function linesOf(content: Uint8Array): ExportLine[] {
  const lines: ExportLine[] = [];
  for (let next = 0, number = 1; next < content.length; number++) {
    const start = next;
    const newline = content.indexOf(NEWLINE, start);
    const end = newline === -1 ? content.length : newline;
    const bytes = () => content.subarray(start, end);
    if (!bytes().every(isBlank)) lines.push({ number, size: end - start, json: () => jsonOf(bytes()) });
    next = end + 1;
  }
  return lines;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function jsonOf(bytes: Uint8Array): Json {
  return parseJson(new TextDecoder().decode(bytes)) ?? null;
}
