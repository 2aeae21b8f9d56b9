import { withImported } from '../../../../domain/ledger/entry/citations.ts';
import type { EntryVersion } from '../../../../domain/ledger/entry/entry.ts';
import { versionFields } from '../../../../domain/ledger/entry/ledger-event.ts';
import type { FoldedEntry, FoldedLedger } from '../../../../domain/ledger/shared/fold-events.ts';
import { ledgerCitations } from '../ledger-citations.ts';
import { INSERT_TERMS, termValues, VERSION_COLUMNS, versionFrom, versionValues } from '../ledger-rows.ts';
import type { SealedDatabase } from '../ledger-seal.ts';

/** Brings entries that others have touched to what the events say; `named`: entries in events of others. */
export function writeFolded(
  database: SealedDatabase,
  folded: FoldedLedger,
  named: ReadonlySet<string>,
): void {
  const { statement, insert, seal } = database;
  const citations = ledgerCitations(database);
  const versionsOf = (id: string) => statement(VERSIONS).all(id);
  const checked = (id: string) => versionsOf(id).map((row) => seal.checkedVersion(versionFrom(row), row.mac));

  const changed = [...folded.entries].filter(
    ([id, entry]) => (entry.isTouched || named.has(id)) && !isSame(entry, checked(id), citations.known(id)),
  );
  const gone = [...named].filter((id) => {
    if (folded.entries.has(id)) return false;
    const versions = checked(id);
    return versions.length > 0 && versions.every(({ isClaim }) => isClaim);
  });

  for (const id of [...changed.map(([each]) => each), ...gone]) {
    for (const row of versionsOf(id))
      statement(DELETE_TERMS).run(Number(row.position), ...termValues(versionFrom(row)));
    statement('delete from version where entry = ?').run(id);
  }
  for (const id of gone) {
    statement('update entry set supersedes = null where supersedes = ?').run(id);
    for (const table of ['citation', 'feedback', 'event_entry'])
      statement(`delete from ${table} where entry = ?`).run(id);
    statement('delete from entry where id = ?').run(id);
  }
  for (const [id, { versions }] of changed)
    statement(PUT_ENTRY).run(id, versions[0]?.createdAt ?? 0, versions[0]?.supersedes ?? null);
  for (const [id, { versions, citations: cited }] of changed) {
    for (const [at, version] of versions.entries()) {
      const row = {
        ...versionValues(version),
        until: versions[at + 1]?.updatedAt ?? null,
        mac: seal.version(version),
      };
      statement(INSERT_TERMS).run(insert('version', row), ...termValues(version));
    }
    citations.replace(id, withImported(citations.known(id), cited));
  }
}

const VERSIONS = `
  select v.position, ${VERSION_COLUMNS} from version v join entry e on e.id = v.entry where v.entry = ? order by v.number`;
/** A table without content deletes what it is told that it holds. */
const DELETE_TERMS = `
  insert into version_words (version_words, rowid, title, tags, text, provenance) values ('delete', ?, ?, ?, ?, ?)`;
const PUT_ENTRY = `
  insert into entry values (?, ?, ?)
  on conflict (id) do update set created = excluded.created, supersedes = excluded.supersedes`;

type Citations = ReturnType<ReturnType<typeof ledgerCitations>['known']>;

function isSame(entry: FoldedEntry, versions: readonly EntryVersion[], citations: Citations): boolean {
  const told = (list: readonly EntryVersion[]) =>
    JSON.stringify(
      list.map((each) => [
        versionFields(each),
        [...each.labels],
        each.createdAt,
        each.updatedAt,
        each.writtenAt,
        each.isClaim ?? false,
      ]),
    );
  const cited = (list: Citations) =>
    JSON.stringify(
      list
        .map(({ verified: _, ...each }) => each)
        .map(({ provenance, sha256, version, until }) => [provenance, sha256, version, until]),
    );
  return told(entry.versions) === told(versions) && cited([...entry.citations]) === cited(citations);
}
