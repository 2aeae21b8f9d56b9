/** Lists what `ken doctor --repair` can mend, in every part that keeps files. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { sqliteWriterLocks } from '../adapters/sqlite/seam/writer-locks.ts';
import { systemClock } from '../adapters/system/primitives.ts';
import type { App } from '../app.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import type { Workspace } from '../base/places.ts';
import { isoTime } from '../base/time.ts';
import { parseCopyName } from '../domain/backup/kept-copies.ts';
import type { Repair, Repairs } from '../domain/backup/repair.ts';
import { knowledgeBaseFrom } from '../domain/knowledge-base/topic.ts';
import { LEDGER_FILES, type LedgerFile } from '../domain/ledger/entry/ledger-event.ts';
import { ledgerDirectory, ledgerOpener } from './ledger.ts';
import { ownDirectory, type Surroundings } from './part.ts';

export function openRepairs(surroundings: Surroundings, app: App): Repairs {
  const { workspace, directories } = surroundings;
  return {
    async find(how, signal) {
      const { fileRepairs } = await import('../adapters/files/repair-files.ts');
      const time = isoTime(systemClock.now()).replaceAll(':', '');
      const own = workspace && ownDirectory(directories, workspace);
      const topics = knowledgeBaseFrom(app.config.kb).topics.map(({ directory }) => directory);
      const found: Repair[] = [];
      const files = fileRepairs({
        written: [
          ...[
            directories.config,
            directories.data,
            directories.state,
            path.join(directories.state, 'inspected'),
          ],
          ...(own ? [own, path.join(own, 'backups')] : []),
          ...(workspace
            ? [
                workspace.root,
                workspace.home,
                ledgerDirectory(workspace),
                path.join(workspace.home, 'conversations'),
              ]
            : []),
          ...(workspace ? topics.map((topic) => path.resolve(workspace.root, topic)) : []),
        ],
        own: [directories.data, directories.state, directories.cache],
        believed: [directories.config],
        conversations:
          workspace && own
            ? [path.join(workspace.home, 'conversations'), path.join(own, 'conversations')]
            : [],
        areLogsRead: how === 'whole',
        kept: path.join(workspace?.home ?? directories.data, 'repair', time),
        locks: sqliteWriterLocks(systemClock),
      });
      for (const repair of files) {
        signal.throwIfAborted();
        found.push(repair);
      }
      if (workspace && own) found.push(...(await ledgerRepairs(surroundings, app, { workspace, own, time })));
      if (workspace) found.push(...oldIndex(workspace));
      const { ownRepairs, referenceRepairs } = await import('./own-repairs.ts');
      found.push(...(await ownRepairs(surroundings, app, time)));
      if (how === 'whole') found.push(...(await referenceRepairs(app, signal)));
      return found;
    },
  };
}

interface LedgerPlace {
  readonly workspace: Workspace;
  readonly own: string;
  readonly time: string;
}

async function ledgerRepairs(surroundings: Surroundings, app: App, place: LedgerPlace): Promise<Repair[]> {
  const { workspace, time } = place;
  const directory = ledgerDirectory(workspace);
  const kept = path.join(workspace.home, 'repair', time, 'ledger');
  const { setAside } = await import('../adapters/files/repair-files.ts');
  const { ledgerFilesIn } = await import('../adapters/files/ledger-files.ts');
  const { lines } = ledgerFilesIn(directory);
  const names = [...new Set(Object.values(LEDGER_FILES))];
  const torn = names.filter((name) =>
    lines(name).some((line) => line !== '' && !isJsonObject(parseJson(line))),
  );
  const file = path.join(directory, 'knowledge.db');
  const open = () => ledgerOpener(surroundings, workspace, app)(file);
  const { ledgerHealth } = await import('../adapters/sqlite/ledger/ledger-health.ts');
  const isThere = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const wasThere = async () =>
    names.some((name) => existsSync(path.join(directory, name))) || (await hasLedgerCopy(app, place.own));
  const health = isThere ? await ledgerHealth(open, lines) : (await wasThere()) ? 'absent' : 'good';
  return [
    ...torn.map((name) =>
      setAside(path.join(directory, name), path.join(kept, name), (_, visit) =>
        goodLedgerLines(lines(name), visit),
      ),
    ),
    ...(health === 'damaged' || health === 'absent'
      ? [salvageRepair(surroundings, app, place, { file, lines, isThere })]
      : []),
    ...(health === 'lines-missing' ? [linesRepair(file, open, lines)] : []),
  ];
}

function goodLedgerLines(lines: readonly string[], visit: (lines: Buffer) => void): number {
  const filled = lines.filter((line) => line !== '');
  const good = filled.filter((line) => isJsonObject(parseJson(line)));
  if (good.length > 0) visit(Buffer.from(`${good.join('\n')}\n`));
  return filled.length - good.length;
}

type Lines = (file: LedgerFile) => readonly string[];

function linesRepair(
  file: string,
  open: () => ReturnType<ReturnType<typeof ledgerOpener>>,
  lines: Lines,
): Repair {
  return {
    path: file,
    problem: 'has events that its line files lack',
    action: 'write those lines again',
    isDamage: true,
    async mend() {
      const { rewriteLines } = await import('../adapters/sqlite/ledger/ledger-health.ts');
      const count = await rewriteLines(open, lines);
      return `${count} written by the next command that uses the ledger`;
    },
  };
}

function salvageRepair(
  surroundings: Surroundings,
  app: App,
  place: LedgerPlace,
  { file, lines, isThere }: { readonly file: string; readonly lines: Lines; readonly isThere: boolean },
): Repair {
  const { workspace, own, time } = place;
  return {
    path: file,
    problem: isThere
      ? 'is damaged, or lacks events that its line files have'
      : 'is missing, although there are lines or copies of it',
    action: 'build it from what can still be read, from its line files and from the newest copies',
    isDamage: true,
    async mend() {
      const { keepCopy } = await import('../adapters/files/repair-files.ts');
      const { salvageLedger } = await import('../adapters/sqlite/ledger/salvage-ledger.ts');
      const { putInPlace } = await import('../adapters/sqlite/seam/damaged-database.ts');
      const repairs = path.join(workspace.home, 'repair');
      const kept = path.join(repairs, time, 'ledger');
      for (const ending of ['', '-wal', '-shm'])
        keepCopy(`${file}${ending}`, path.join(kept, `knowledge.db${ending}`));
      const earlier = (existsSync(repairs) ? readdirSync(repairs) : [])
        .sort()
        .reverse()
        .map((each) => path.join(repairs, each, 'ledger', 'knowledge.db'))
        .filter((each) => existsSync(each));
      const scratch = path.join(repairs, time, 'new');
      const copies = await extractedCopies(app, own, scratch);
      const fresh = path.join(scratch, 'knowledge.db');
      const database = await ledgerOpener(surroundings, workspace, app)(fresh);
      const salvaged = await salvageLedger(database, { databases: [...earlier, ...copies], lines });
      await database.close();
      putInPlace(fresh, file, scratch);
      const { entries, versions, events, leftOut } = salvaged;
      const lost = leftOut > 0 ? `; ${leftOut} rows do not fit and are left out` : '';
      return `${entries} entries, ${versions} versions and ${events} events recovered${lost}; the damaged file is in ${kept}`;
    },
  };
}

function copiesIn(own: string): string[] {
  const directory = path.join(own, 'backups');
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => parseCopyName(name));
  return names
    .sort()
    .reverse()
    .map((name) => path.join(directory, name));
}

/** The ledgers of the newest copies, as files of their own. A copy that cannot be read is passed over. */
async function extractedCopies({ archives }: App, own: string, scratch: string): Promise<string[]> {
  const { writeExtracted } = await import('../adapters/files/repair-files.ts');
  const files: string[] = [];
  for (const [at, archive] of copiesIn(own).slice(0, NEWEST_COPIES).entries()) {
    const target = path.join(scratch, `copy-${at}.db`);
    try {
      for await (const entry of await archives.read(archive, new AbortController().signal))
        if (entry.path === 'ledger/knowledge.db') await writeExtracted(target, entry.content);
    } catch {
      continue;
    }
    if (existsSync(target)) files.push(target);
  }
  return files;
}

const NEWEST_COPIES = 5;

/** Whether the newest copy holds a ledger; a workspace without facts has copies without one. */
async function hasLedgerCopy({ archives }: App, own: string): Promise<boolean> {
  const [newest] = copiesIn(own);
  if (newest === undefined) return false;
  try {
    for await (const entry of await archives.read(newest, new AbortController().signal))
      if (entry.path === 'ledger/knowledge.db') return true;
  } catch {
    return true;
  }
  return false;
}

/** ken keeps the index in the cache directory; one in the workspace is never opened. */
function oldIndex({ home }: Workspace): Repair[] {
  const file = path.join(home, 'index.db');
  if (!existsSync(file)) return [];
  return [
    {
      path: file,
      problem: 'is an index that ken no longer uses',
      action: 'delete it',
      isDamage: false,
      async mend() {
        const { remove } = await import('../adapters/paths/change-directory.ts');
        for (const ending of ['', '-wal', '-shm']) remove(`${file}${ending}`);
        return 'deleted';
      },
    },
  ];
}
