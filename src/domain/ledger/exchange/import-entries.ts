/** Imports an exported file. Nothing in it counts as approved or verified. */

import { Fault } from '../../../base/fault.ts';
import type { IdSource } from '../../../base/ids.ts';
import { isJsonObject, type Json, type JsonObject, memberOf } from '../../../base/json.ts';
import { type Clock, secondsOf } from '../../../base/time.ts';
import { type Actor, stampOf } from '../add-entry.ts';
import { secretIn } from '../entry/checked-input.ts';
import type { IsCitationUri } from '../entry/provenance.ts';
import { type ChainLink, type ImportEnd, inChainOrder } from '../plans/plan-import.ts';
import { type ClaimInput, checkedClaim, stateClaim } from '../state-claim.ts';
import type { LedgerStore } from '../store.ts';
import { type Content, type ExportLine, type ExportLines, exportLines } from './export-lines.ts';
import { type EntryHistory, parseExportedEntry } from './exported-entry.ts';

export interface ImportPorts {
  readonly ledger: LedgerStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly isCitationUri: IsCitationUri;
}

export interface ImportInput {
  readonly content: Content;
  readonly dryRun: boolean;
  readonly allowSecret: boolean;
  readonly actor: Actor;
}

/** Limits of a batch, which is held in memory. */
const BATCH = { lines: 500, bytes: 2 * 1024 * 1024 };

/** One result for each entry of the file, in any order. Throws a Fault when the file is not an export. */
export async function importEntries(ports: ImportPorts, input: ImportInput): Promise<readonly ImportEnd[]> {
  const lines = exportLines(input.content);
  const { claims, order } = survey(lines);
  const stated = await importClaims(ports, input, claims);
  let refused: ImportEnd[] = [];
  const batches: Iterable<readonly EntryHistory[]> = {
    *[Symbol.iterator]() {
      refused = [];
      for (const batch of inBatches(order()))
        yield batch.flatMap((line) => {
          const json = line.json();
          const read = readLine(json, ports, input.allowSecret);
          if (typeof read !== 'string') return [read];
          refused.push({ id: linkOf(line, json).id, what: 'refused', reason: read });
          return [];
        });
    },
  };
  const stamp = stampOf(ports, input.actor);
  const newEventId = () => ports.ids.ulid();
  const taken = await ports.ledger.importHistories({ batches, dryRun: input.dryRun, stamp, newEventId });
  return [...stated, ...taken, ...refused];
}

interface Survey {
  readonly claims: readonly JsonObject[];
  /** The lines of entries, each after the one that it supersedes. */
  order(): Iterable<ExportLine>;
}

/** Keeps claims, and the ids of entries that supersede one another; of the others only what they are. */
function survey(lines: ExportLines): Survey {
  const [claims, chained]: [JsonObject[], LinkedLine[]] = [[], []];
  const kinds = new Uint8Array(lines.count);
  for (let at = 0; at < lines.count; at++) {
    const line = lines.at(at);
    const json = line.json();
    const link = { ...linkOf(line, json), at };
    if (isJsonObject(json) && 'claim' in json) claims.push(json);
    else if (link.supersedes !== undefined) chained.push(link);
    else continue;
    kinds[at] = NOT_ALONE;
  }
  const others = chained.length > 0 ? withIds(lines, kinds, new Set(chained.map(supersededBy))) : [];
  const linked = inChainOrder([...others, ...chained]);
  return {
    claims,
    *order() {
      for (let at = 0; at < lines.count; at++) if (kinds[at] !== NOT_ALONE) yield lines.at(at);
      for (const { at } of linked) yield lines.at(at);
    },
  };
}

const NOT_ALONE = 1;

/** The lines that are alone so far and have one of these ids; no longer alone then. */
function withIds(lines: ExportLines, kinds: Uint8Array, ids: ReadonlySet<string | undefined>): LinkedLine[] {
  const found: LinkedLine[] = [];
  for (let at = 0; at < lines.count; at++) {
    if (kinds[at] === NOT_ALONE) continue;
    const line = lines.at(at);
    const link = { ...linkOf(line, line.json()), at };
    if (!ids.has(link.id)) continue;
    found.push(link);
    kinds[at] = NOT_ALONE;
  }
  return found;
}

function supersededBy({ supersedes }: LinkedLine): string | undefined {
  return supersedes;
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
  /** Its place among the lines. */
  readonly at: number;
}

function* inBatches(lines: Iterable<ExportLine>): Generator<ExportLine[]> {
  let batch: ExportLine[] = [];
  let bytes = 0;
  for (const line of lines) {
    if (batch.length >= BATCH.lines || (batch.length > 0 && bytes + line.size > BATCH.bytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(line);
    bytes += line.size;
  }
  if (batch.length > 0) yield batch;
}

function linkOf({ number }: ExportLine, json: Json): ChainLink {
  const [id, supersedes] = [memberOf(json, 'id'), memberOf(json, 'supersedes_id')];
  return {
    id: typeof id === 'string' ? id : `line ${number}`,
    supersedes: typeof supersedes === 'string' ? supersedes : undefined,
  };
}

/** The history, or the reason why the line is rejected. */
function readLine(
  json: Json,
  { isCitationUri, clock }: ImportPorts,
  allowSecret: boolean,
): EntryHistory | string {
  try {
    const history = parseExportedEntry(json, secondsOf(clock.now()), isCitationUri);
    const texts = history.versions.flatMap(({ title, text, provenance }) => [title, text, provenance]);
    const rule = allowSecret ? undefined : texts.map(secretIn).find((name) => name !== undefined);
    return rule === undefined ? history : `It looks like a secret (${rule}).`;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}
