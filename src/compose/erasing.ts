/** Lists every copy of something that is to be erased, in every part that keeps files. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../adapters/system/primitives.ts';
import type { App } from '../app.ts';
import type { Workspace } from '../base/places.ts';
import { counted } from '../base/text.ts';
import type { ArchiveEntry, OpenFile } from '../domain/backup/backup-files.ts';
import {
  type ErasableCopy,
  type EraseTarget,
  type Erasures,
  fragmentsOf,
  isPartOf,
  type Tombstone,
  textFinder,
} from '../domain/backup/erase.ts';
import type { ConversationId } from '../domain/conversations/conversation-id.ts';
import { LEDGER_FILES } from '../domain/ledger/entry/ledger-event.ts';
import { ledgerDirectory, ledgerOpener, operatorKey } from './ledger.ts';
import { ownDirectory, type Surroundings, workspaceName } from './part.ts';
import { libraryRoot } from './references.ts';
import { libraryIndex } from './search.ts';

interface Place {
  readonly surroundings: Surroundings;
  readonly app: App;
  readonly target: EraseTarget;
  readonly holds: ReturnType<typeof textFinder>;
}

export function openErasures(surroundings: Surroundings, app: App): Erasures {
  const tombstones = async () => {
    const { tombstonesIn } = await import('../adapters/files/erase-files.ts');
    return tombstonesIn(path.join(surroundings.directories.data, 'erased.jsonl'));
  };
  return {
    async find(target, signal) {
      const place = { surroundings, app, target, holds: textFinder(target.texts) };
      const archives = await archiveCopies(place, signal);
      const side = [...(await ledgerCopies(place)), ...(await looseCopies(place)), ...(await records(place))];
      const last = await inUse(place);
      const known = new Set([...side, last].map((copy) => copy.path));
      return {
        copies: [...archives.copies, ...side, last],
        unreachable: archives.unreachable,
        commits: await commits(place),
        elsewhere: (await elsewhere(place)).filter(
          (file) => ![...known].some((each) => file.startsWith(each)),
        ),
      };
    },
    async bury({ kind, id }) {
      const ledger = kind === 'entry' ? await ledgerId({ surroundings, app }) : undefined;
      (await tombstones()).add({ kind, id, at: systemClock.now(), ...(ledger !== undefined && { ledger }) });
    },
    tombstones: async () => (await tombstones()).all(),
    eraseAgain: (given) => eraseAgain({ surroundings, app }, given),
  };
}

type Opened = Pick<Place, 'surroundings' | 'app'>;

const DATABASE = 'knowledge.db';

function databaseOf(workspace: Workspace): string {
  return path.join(ledgerDirectory(workspace), DATABASE);
}

async function ledgerId({ surroundings, app }: Opened): Promise<string | undefined> {
  const { workspace } = surroundings;
  if (!workspace || !existsSync(databaseOf(workspace))) return undefined;
  const { ledgerIdIn } = await import('../adapters/sqlite/ledger/erase-entries.ts');
  const database = await ledgerOpener(surroundings, workspace, app)(databaseOf(workspace));
  try {
    return ledgerIdIn(database.connection);
  } finally {
    await database.close();
  }
}

/** Entries that a restore has brought back, from archives that were written before they were erased. */
async function eraseAgain({ surroundings, app }: Opened, tombstones: readonly Tombstone[]): Promise<number> {
  const ledger = await ledgerId({ surroundings, app });
  let count = 0;
  for (const { kind, id, ledger: of } of tombstones) {
    if (kind !== 'entry' || of !== ledger || ledger === undefined) continue;
    const target = { kind, id, texts: [] };
    count += await eraseInLedger({ surroundings, app, target, holds: () => false }, {});
  }
  return count;
}

interface LedgerCopy {
  /** The copy; absent: the ledger that is in use. */
  readonly file?: string;
  readonly lines?: (change: (line: string) => string | undefined) => void;
}

/** Returns the number of entries that were there. */
async function eraseInLedger({ surroundings, app, target, holds }: Place, copy: LedgerCopy): Promise<number> {
  const { workspace, directories } = surroundings;
  if (!workspace) return 0;
  const { eraseEntries, withRules } = await import('../adapters/sqlite/ledger/erase-entries.ts');
  const { changeLines } = await import('../adapters/files/erase-files.ts');
  const { sharedFilesIn } = await import('../adapters/files/ledger-files.ts');
  const open = ledgerOpener(surroundings, workspace, app);
  const own = path.join(ownDirectory(directories, workspace), 'inspected');
  const database = copy.file === undefined ? await open(databaseOf(workspace)) : await open(copy.file, own);
  try {
    const ids = withRules(database.connection, target.id);
    if (ids.length === 0) return 0;
    const inPlace = (change: (line: string) => string | undefined) => {
      const shared = path.join(ledgerDirectory(workspace), 'shared');
      const files = [
        ...[...new Set(Object.values(LEDGER_FILES))].map((name) =>
          path.join(ledgerDirectory(workspace), name),
        ),
        ...sharedFilesIn(shared)
          .list()
          .map(({ name }) => path.join(shared, name)),
      ];
      for (const file of files) changeLines(file, change);
    };
    const stamp = {
      eventId: app.ids.ulid(),
      at: Math.floor(systemClock.now() / 1000),
      actor: 'cli',
      run: '',
    };
    await eraseEntries(database, await operatorKey(surroundings), {
      ids,
      holds: (text) => holds(text),
      rewriteLines: copy.file === undefined ? inPlace : (copy.lines ?? (() => {})),
      ...(copy.file === undefined && { stamp }),
    });
    return ids.length;
  } finally {
    await database.close();
  }
}

async function inUse(place: Place): Promise<ErasableCopy> {
  const { surroundings, app, target } = place;
  const { id, kind } = target;
  if (kind === 'topic') {
    const file = path.join(libraryRoot(surroundings, app.config), id);
    return {
      path: file,
      what: 'the topic with all its files',
      erase: async () => void (await app.library.remove(id)),
    };
  }
  if (kind === 'entry') {
    const file = surroundings.workspace ? databaseOf(surroundings.workspace) : '';
    return {
      path: file,
      what: 'all versions, events and lines in the ledger',
      erase: async () => void (await eraseInLedger(place, {})),
    };
  }
  const conversation = id as ConversationId;
  const file = (await app.conversations?.pathOf(conversation)) ?? '';
  return {
    path: file,
    what: 'the conversation',
    async erase() {
      const writer = await app.conversations?.write(conversation);
      await writer?.remove();
    },
  };
}

/** Copies of the ledger that earlier versions, damage and repairs have left. One that cannot be opened is deleted. */
async function ledgerCopies(place: Place): Promise<ErasableCopy[]> {
  const { surroundings, target } = place;
  const { workspace } = surroundings;
  if (target.kind !== 'entry' || !workspace) return [];
  const { filesHolding } = await import('../adapters/files/erase-files.ts');
  const { remove } = await import('../adapters/paths/change-directory.ts');
  const isCopy = (file: string) =>
    /^knowledge\.db(?!-wal$|-shm$)/.test(path.basename(file)) && !/-(?:wal|shm)$/.test(file);
  const found = [
    ...(await filesHolding(ledgerDirectory(workspace), isCopy)).filter(
      (file) => file !== databaseOf(workspace),
    ),
    ...(await filesHolding(path.join(workspace.home, 'repair'), isCopy)),
  ];
  return found.map((file) => ({
    path: file,
    what: 'a copy of the ledger',
    async erase() {
      try {
        await eraseInLedger(place, { file });
      } catch {
        for (const ending of ['', '-wal', '-shm']) remove(`${file}${ending}`);
      }
    },
  }));
}

/** Files of repairs, of the cache and of the state that hold a part of it, and indexes, which are made again. */
async function looseCopies({ surroundings, app, target, holds }: Place): Promise<ErasableCopy[]> {
  const { workspace, directories } = surroundings;
  const { filesHolding } = await import('../adapters/files/erase-files.ts');
  const { remove } = await import('../adapters/paths/change-directory.ts');
  const root = libraryRoot(surroundings, app.config);
  const index =
    target.kind === 'topic'
      ? libraryIndex(surroundings, root)
      : path.join(directories.cache, 'workspaces', workspace ? workspaceName(workspace) : '', 'index.db');
  const lists = path.join(directories.cache, 'conversations', path.sep);
  const isIndex = (file: string) =>
    file.startsWith(index) || (target.kind === 'conversation' && file.startsWith(lists));
  const isPart = (file: string) => target.kind !== 'entry' && file.split(path.sep).includes(target.id);
  const isHeld = (file: string, content: () => Iterable<Buffer>) =>
    isIndex(file) || isPart(file) || [...content()].some((piece) => holds(piece));
  const repairs = [
    ...(workspace
      ? [path.join(workspace.home, 'repair'), path.join(ownDirectory(directories, workspace), 'repair')]
      : []),
    path.join(directories.data, 'repair'),
  ];
  const isLedger = (file: string) => target.kind === 'entry' && path.basename(file) === DATABASE;
  const found = [
    ...(target.kind === 'topic' ? await filesHolding(root, (file) => isIndex(file)) : []),
    ...(
      await Promise.all(
        [...repairs, directories.cache, directories.state].map((each) => filesHolding(each, isHeld)),
      )
    ).flat(),
  ].filter((file) => !isLedger(file));
  return [...new Set(found)].map((file) => ({
    path: file,
    what: isIndex(file) ? 'an index; the next search makes it again' : 'a copy of a part of it',
    erase: async () => remove(file),
  }));
}

/** Approvals and jobs that show a part of it. */
async function records({ surroundings, target, holds }: Place): Promise<ErasableCopy[]> {
  const file = path.join(surroundings.directories.data, 'approvals.db');
  if (!existsSync(file)) return [];
  const { openApprovalsDatabase } = await import('../adapters/sqlite/approvals/approvals-database.ts');
  const { eraseRecords, recordsHolding } = await import('../adapters/sqlite/approvals/erase-approvals.ts');
  const isAbout = (text: string) =>
    holds(text) || (target.kind === 'entry' && text.includes(`"entry":${JSON.stringify(target.id)}`));
  const database = await openApprovalsDatabase(file);
  const records = await recordsHolding(database, isAbout).finally(() => database.close());
  const approvals = records.approvals.length + records.standing.length;
  const jobs = records.jobs.length;
  if (approvals + jobs === 0) return [];
  const counts = [approvals > 0 && counted(approvals, 'approval'), jobs > 0 && counted(jobs, 'job')];
  const what = `${counts.filter(Boolean).join(' and ')} with its text`;
  return [
    {
      path: file,
      what,
      async erase() {
        const opened = await openApprovalsDatabase(file);
        await eraseRecords(opened, records).finally(() => opened.close());
      },
    },
  ];
}

async function archiveCopies(place: Place, signal: AbortSignal) {
  const { app } = place;
  const copies: ErasableCopy[] = [];
  const unreachable: string[] = [];
  for (const { path: file, isThere } of await app.archives.recorded()) {
    signal.throwIfAborted();
    if (!isThere) unreachable.push(file);
    else if (await isInArchive(place, file, signal))
      copies.push({
        path: file,
        what: 'a backup, which is written again without it',
        erase: () => rewrite(place, file),
      });
  }
  return { copies, unreachable };
}

/** An archive that cannot be read whole counts as one that holds it: rewriting says what is wrong. */
async function isInArchive(place: Place, file: string, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const entry of await place.app.archives.read(file, signal)) {
      if (isPartOf(place.target, entry.path)) return true;
      if (
        place.target.kind === 'entry' &&
        entry.path.startsWith('ledger/') &&
        (await ledgerHas(place, entry))
      )
        return true;
    }
    return false;
  } catch {
    signal.throwIfAborted();
    return true;
  }
}

async function ledgerHas(place: Place, entry: ArchiveEntry): Promise<boolean> {
  if (!entry.path.endsWith('.db')) return (await textOf(entry)).includes(JSON.stringify(place.target.id));
  return withExtracted(place, entry, async (file) => {
    const { ledgerIdIn, withRules } = await import('../adapters/sqlite/ledger/erase-entries.ts');
    const { openConnection } = await import('../adapters/sqlite/seam/database-file.ts');
    const own = await ledgerId(place);
    const connection = openConnection(file, 0, true);
    try {
      connection.exec('pragma trusted_schema = off');
      const id = ledgerIdIn(connection);
      return (id === undefined || id === own) && withRules(connection, place.target.id).length > 0;
    } finally {
      connection.close();
    }
  });
}

async function textOf({ content }: ArchiveEntry): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** A file of its own for the time of `use`, below the operator's directory. */
async function withExtracted<T>(
  { surroundings }: Place,
  { content }: ArchiveEntry,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const { workspace, directories } = surroundings;
  const { writeExtracted } = await import('../adapters/files/repair-files.ts');
  const { remove, temporaryName } = await import('../adapters/paths/change-directory.ts');
  const own = workspace ? ownDirectory(directories, workspace) : directories.data;
  const scratch = path.join(own, temporaryName());
  const file = path.join(scratch, DATABASE);
  try {
    await writeExtracted(file, content);
    return await use(file);
  } finally {
    remove(scratch);
  }
}

async function rewrite(place: Place, file: string): Promise<void> {
  const { rewriteBackup } = await import('../domain/backup/rewrite-backup.ts');
  const { target, app } = place;
  const change = async (entry: ArchiveEntry): Promise<OpenFile | undefined> => {
    if (isPartOf(target, entry.path)) return undefined;
    if (target.kind !== 'entry' || !entry.path.startsWith('ledger/')) return entry;
    return entry.path.endsWith('.db') ? rewrittenLedger(place, entry) : rewrittenLines(place, entry);
  };
  await rewriteBackup(app.archives, file, change, new AbortController().signal);
}

async function rewrittenLedger(place: Place, entry: ArchiveEntry): Promise<OpenFile> {
  const { readPlainFile } = await import('../adapters/paths/open-path.ts');
  const bytes = await withExtracted(place, entry, async (file) => {
    await eraseInLedger(place, { file });
    return readPlainFile(file, Number.MAX_SAFE_INTEGER);
  });
  return contentOf(entry, bytes === undefined || bytes === 'too-large' ? Buffer.alloc(0) : bytes);
}

/** Lines of the entry itself; the rest of a line file says nothing that its database does not. */
async function rewrittenLines({ target, holds }: Place, entry: ArchiveEntry): Promise<OpenFile> {
  const { changedLines } = await import('../adapters/files/erase-files.ts');
  const quoted = JSON.stringify(target.id);
  const isIts = (line: string) =>
    line.includes(`"source_entry_id":${quoted}`) || line.includes(`"target_id":${quoted}`) || holds(line);
  const text = changedLines(await textOf(entry), (line) => (isIts(line) ? undefined : line));
  return contentOf(entry, Buffer.from(text));
}

async function contentOf({ modifiedAt }: ArchiveEntry, bytes: Buffer): Promise<OpenFile> {
  const { onePiece } = await import('../domain/backup/write-backup.ts');
  return { bytes: bytes.length, modifiedAt, content: onePiece(bytes) };
}

const MOST_ASKED = 40;

async function commits({ app, target }: Place): Promise<readonly string[]> {
  const parts = fragmentsOf(target.texts).slice(0, MOST_ASKED);
  return (await app.history?.commitsWith(parts)) ?? [];
}

/** Other files of the workspace and of the operator's part of it that say the same. */
async function elsewhere({ surroundings, holds }: Place): Promise<string[]> {
  const { workspace, directories } = surroundings;
  if (!workspace) return [];
  const { filesHolding } = await import('../adapters/files/erase-files.ts');
  const isHeld = (file: string, content: () => Iterable<Buffer>) =>
    !/\.ken\.tar\.gz$|\/knowledge\//.test(file) && [...content()].some((piece) => holds(piece));
  const own = path.join(ownDirectory(directories, workspace), 'conversations');
  return (await Promise.all([workspace.home, own].map((each) => filesHolding(each, isHeld)))).flat();
}
