import { withImported } from '../../../domain/ledger/entry/citations.ts';
import type { EntryVersion } from '../../../domain/ledger/entry/entry.ts';
import { type EntryHistory, historyOf } from '../../../domain/ledger/exchange/exported-entry.ts';
import {
  type ImportEnd,
  type ImportSurroundings,
  importPlanner,
  type PlannedImport,
} from '../../../domain/ledger/plans/plan-import.ts';
import type { LedgerStore } from '../../../domain/ledger/store.ts';
import { ledgerCitations } from './ledger-citations.ts';
import { ledgerReader } from './ledger-reader.ts';
import { VERSION_COLUMNS, versionFrom } from './ledger-rows.ts';
import type { SealedDatabase } from './ledger-seal.ts';
import { ledgerWriter } from './ledger-writer.ts';

export function histories(database: SealedDatabase): Pick<LedgerStore, 'histories' | 'importHistories'> {
  const { statement, read, write } = database;
  const rows = ledgerReader(database);
  const writer = ledgerWriter(database);
  const citations = ledgerCitations(database);

  function surroundings(given: readonly EntryHistory[]): ImportSurroundings {
    const firsts = given.map(({ versions: [first] }) => first);
    const wanted = JSON.stringify(firsts.map(({ id }) => id));
    const keys = JSON.stringify(firsts.map(({ mergeKey }) => mergeKey ?? null));
    const links = JSON.stringify(firsts.map(({ supersedes }) => supersedes ?? null));
    return {
      versions: byEntry(statement(VERSIONS_OF).all(wanted).map(versionFrom)),
      holders: new Map(
        statement(HOLDERS)
          .all(keys)
          .map((row) => [String(row.merge_key), String(row.entry)]),
      ),
      superseded: new Set(
        statement(THERE)
          .all(links)
          .map(({ id }) => String(id)),
      ),
    };
  }

  function carryOut({ changes, citations: given, feedback }: PlannedImport): void {
    for (const change of changes) writer.apply(change);
    for (const [id, list] of given) citations.replace(id, withImported(citations.known(id), list));
    for (const [id, counted] of feedback) if (counted.retrieved > 0) writer.putFeedback(id, counted);
  }

  return {
    histories: (receive) =>
      read(() => {
        for (const { id } of statement('select id from entry order by id').iterate()) {
          const versions = statement(VERSIONS_OF_ONE).all(String(id)).map(versionFrom);
          receive(historyOf(versions, citations.known(String(id)), rows.feedback(String(id))));
        }
      }),
    importHistories: (request) =>
      write(() => {
        const plan = importPlanner(request);
        const ends: ImportEnd[] = [];
        for (const batch of request.batches) {
          const planned = plan(surroundings(batch), batch);
          ends.push(...planned.ends);
          if (!request.dryRun) carryOut(planned);
        }
        return ends;
      }),
  };
}

function byEntry(versions: readonly EntryVersion[]): Map<string, EntryVersion[]> {
  const found = new Map<string, EntryVersion[]>();
  for (const version of versions) {
    const known = found.get(version.id) ?? [];
    known.push(version);
    found.set(version.id, known);
  }
  return found;
}

const VERSIONS_OF_ONE = `
  select ${VERSION_COLUMNS} from entry e cross join version v on v.entry = e.id where e.id = ? order by v.number`;
const VERSIONS_OF = `
  select ${VERSION_COLUMNS} from json_each(?) wanted cross join entry e on e.id = wanted.value
  cross join version v on v.entry = e.id order by v.entry, v.number`;
const HOLDERS = `
  select merge_key, entry from version
  where until is null and status = 'active' and merge_key in (select value from json_each(?))`;
const THERE = 'select id from entry where id in (select value from json_each(?))';
