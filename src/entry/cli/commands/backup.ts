import path from 'node:path';
import type { WorkspaceApp } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { VERSION } from '../../../base/package-files.ts';
import { counted } from '../../../base/text.ts';
import { isoTime, minuteTime, parseIsoTime } from '../../../base/time.ts';
import { copyName, parseCopyName } from '../../../domain/backup/kept-copies.ts';
import { BACKUP_PARTS } from '../../../domain/backup/manifest.ts';
import { writeBackup } from '../../../domain/backup/write-backup.ts';
import { command } from '../command.ts';
import { table } from '../render/table.ts';
import type { Terminal } from '../terminal.ts';

export const backup = command({
  name: 'backup',
  summary: 'write a backup of what this workspace knows',
  description:
    'The archive holds the configuration, the subjects, all conversations, the ledger, and the requests and locks of ' +
    'reference topics, all as of one moment, even while other processes write. It holds no approvals and no trust. ' +
    'Without a file it is written to your data directory. "ken restore" reads it.',
  examples: ['backup', 'backup ~/knowledge.ken.tar.gz', 'backup --since 2026-11-01', 'backup --list'],
  arguments: [{ name: 'file', summary: 'the archive to write; it must not exist', complete: 'files' }],
  options: [
    { flags: '--since <date>', summary: 'only files that changed after this date or time' },
    { flags: '--with-files', summary: 'also the fetched files of reference topics' },
    { flags: '--list', summary: 'list the backups in your data directory' },
  ],

  async run({ arguments: [name], options, terminal, directory, signal, open }) {
    const since = sinceOf(options.text('since'));
    const app = await open();
    if (options.has('list')) return listCopies(app, terminal);
    const file = name
      ? path.resolve(directory, name)
      : path.join(app.copiesDirectory, copyName(app.clock.now(), 'backup'));
    const progress = await terminal.progress(app.clock, signal);
    progress.phase({ title: 'Backing up', unit: 'files' });
    const request = {
      file,
      since,
      parts: BACKUP_PARTS,
      withFiles: options.has('with-files'),
      ...copyRequest(app),
    };
    const { files, leftOut } = await writeBackup(app, request, progress.update, signal).finally(progress.end);
    for (const each of leftOut)
      terminal.warn(`${each} is left out: backups hold plain files without hidden names or large holes.`);
    const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
    if (terminal.json) terminal.printJson({ path: file, files: files.length, bytes, left_out: leftOut });
    else {
      terminal.print(file);
      terminal.note(`${counted(files.length, 'file')}, ${bytes} bytes before compression`);
    }
    return undefined;
  },
});

/** Says in the manifest who wrote it, and of which workspace. */
export function copyRequest({ workspace }: WorkspaceApp) {
  return { ken: VERSION, workspace: path.basename(workspace.root) };
}

function sinceOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = parseIsoTime(text);
  if (time !== undefined) return time;
  throw new Fault('cli/usage', `"${text}" is not a date.`, {
    hint: 'Write 2026-01-31 or 2026-01-31T12:00:00Z.',
  });
}

async function listCopies(
  { archives, copiesDirectory }: WorkspaceApp,
  terminal: Terminal,
): Promise<undefined> {
  const copies = (await archives.list(copiesDirectory))
    .flatMap((name) => parseCopyName(name) ?? [])
    .reverse();
  const at = (name: string) => path.join(copiesDirectory, name);
  if (terminal.json) {
    const listed = copies.map(({ name, madeAt, occasion }) => ({
      path: at(name),
      created_at: isoTime(madeAt),
      occasion,
    }));
    terminal.printJson({ backups: listed });
  } else if (copies.length === 0)
    terminal.note('There are no backups of this workspace in your data directory.');
  else {
    const columns = [{ title: 'made' }, { title: 'for' }, { title: 'file', flexible: true }];
    const rows = copies.map(({ name, madeAt, occasion }) => [minuteTime(madeAt), occasion, at(name)]);
    terminal.printStyled(table(terminal, columns, rows));
  }
  return undefined;
}
