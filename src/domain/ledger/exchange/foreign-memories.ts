/** Imports what other programs remember as entries. Nothing of it is a rule, verified, or written by the operator. */

import type { Hasher } from '../../../base/hasher.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { isoTime, secondsOf } from '../../../base/time.ts';
import type { Seconds } from '../entry/entry.ts';
import { formatEpoch } from '../entry/timestamp.ts';
import type { ImportEnd } from '../plans/plan-import.ts';
import { EXPORT_HEAD } from './exported-entry.ts';
import { type ImportInput, type ImportPorts, importEntries } from './import-entries.ts';

/** Reads the databases of other programs. */
export interface ForeignDatabases {
  /** Rows by table; undefined for a file that is no database. A Fault for another database, and when it knows no such project. */
  read(file: string, project: string): Promise<JsonObject | undefined>;
}

export type ForeignProgram = 'basic-memory' | 'claude-mem';

export interface ForeignMemory {
  /** The same for the same memory at every import; becomes a part of the entry's id. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** Undefined where the program keeps no time. */
  readonly at: Seconds | undefined;
  readonly provenance: string;
}

export interface ForeignImport extends Omit<ImportInput, 'content'> {
  readonly program: ForeignProgram;
  readonly memories: readonly ForeignMemory[];
}

/** An entry that was imported before is left as it is, also where it was changed or retired since. */
export async function importMemories(
  ports: ImportPorts & { readonly hasher: Hasher },
  { program, memories, ...input }: ForeignImport,
): Promise<readonly ImportEnd[]> {
  const byId = new Map(memories.map((memory) => [idOf(ports.hasher, program, memory), memory]));
  const known = new Set<string>();
  const ids = [...byId.keys()];
  for (let at = 0; at < ids.length; at += BATCH) {
    const found = await ports.ledger.entries(ids.slice(at, at + BATCH));
    for (const { id } of found) known.add(id);
  }
  const now = secondsOf(ports.clock.now());
  const lines = [...byId].flatMap(([id, memory]) =>
    known.has(id) ? [] : [JSON.stringify(lineFor(id, program, memory, now))],
  );
  const content = new TextEncoder().encode([JSON.stringify(EXPORT_HEAD), ...lines].join('\n'));
  const unchanged = [...known].map((id) => ({ id, what: 'unchanged' }) as const);
  return [...unchanged, ...(await importEntries(ports, { ...input, content }))];
}

const BATCH = 500;
const ID_DIGITS = 16;

function idOf(hasher: Hasher, program: ForeignProgram, { key }: ForeignMemory): string {
  return `${program}/${hasher.sha256(key).slice(0, ID_DIGITS)}`;
}

/** A line of an export with one version, so that every check of an export applies. */
function lineFor(id: string, program: ForeignProgram, memory: ForeignMemory, now: Seconds): Json {
  const at = formatEpoch(Math.min(memory.at ?? now, now));
  const { provenance } = memory;
  return {
    id,
    created_at: at,
    supersedes_id: null,
    versions: [
      {
        updated_at: at,
        written_at: at,
        title: memory.title,
        text: memory.text,
        provenance,
        claim_id: null,
        merge_key: null,
        status: 'active',
        ttl_policy: 'persistent',
        expires_ts: null,
        tags: [...new Set(memory.tags)].sort(),
        labels: { imported: program },
      },
    ],
    citations: [
      { provenance, sha256: null, version: 1, until_version: null, cited_at: at, cited_by: program },
    ],
    feedback: { retrieved: 0, helped: 0, hurt: 0 },
  };
}

const LONGEST_TITLE = 200;
const LONGEST_TEXT = 100_000;

/** One line, without what may not stand in a title. */
export function memoryTitle(text: string): string {
  return clean(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE).toWellFormed();
}

export function memoryText(text: string): string {
  return clean(text).trim().slice(0, LONGEST_TEXT).toWellFormed();
}

function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Said by the program, on that day: `person:claude-mem 4f1c@2026-01-31`. */
export function saidBy(program: ForeignProgram, place: string, at: Seconds | undefined): string {
  const name = memoryTitle(`${program} ${place.replace(/[@()\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')}`).slice(
    0,
    LONGEST_NAME,
  );
  const day = at === undefined ? '' : `@${isoTime(at * 1000).slice(0, DAY_CHARACTERS)}`;
  return `person:${name.trim()}${day}`;
}

const LONGEST_NAME = 180;
const DAY_CHARACTERS = 10;

/** Short words, as tags are. */
export function memoryTags(...tags: readonly (string | undefined)[]): string[] {
  return tags.flatMap((tag) => {
    const word = memoryTitle(tag ?? '')
      .slice(0, LONGEST_TAG)
      .trim();
    return word === '' ? [] : [word];
  });
}

const LONGEST_TAG = 60;
