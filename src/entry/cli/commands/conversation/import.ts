import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { ImportEnd } from '../../../../domain/conversations/import/import-conversation.ts';
import type { ImportedConversation } from '../../../../domain/conversations/import/imported-conversation.ts';
import { type LabelDirective, parseLabelDirective } from '../../../../domain/labels/label-directive.ts';
import { resolveLabelsFor } from '../../../conversation-settings.ts';
import { command, type ExitCode, type Invocation } from '../../command.ts';
import { LABEL } from '../../options.ts';
import { readContent } from '../../read-content.ts';
import { claudeMemRows, PROJECT } from '../foreign-data.ts';
import { conversationJson, shownTitle } from './conversation-json.ts';

export const importConversations = command({
  name: 'import',
  summary: 'read transcripts of other assistants into conversations',
  description:
    'Reads transcripts of Claude Code and Codex (.jsonl), the output of "opencode export", exports of ken, and the ' +
    'database of claude-mem: what was asked, and its summaries. ' +
    'Lines that it does not understand are kept. A transcript that was imported before is updated, never ' +
    'duplicated. Exit 1 when a file could not be imported; the others are.',
  examples: [
    'c import ~/.claude/projects/-home-ada-garden/*.jsonl',
    'c import - < ses_1.json',
    'c import talk.jsonl --label team=platform',
    'c import ~/.claude-mem/claude-mem.db --project garden --dry-run',
  ],
  arguments: [
    {
      name: 'file',
      summary: 'transcripts; - for standard input',
      required: true,
      variadic: true,
      complete: 'files',
    },
  ],
  options: [
    LABEL,
    { flags: '--local', summary: 'store them outside the workspace' },
    { flags: '--dry-run', summary: 'show what would happen without changing anything' },
    PROJECT,
  ],

  async run(invocation) {
    const { arguments: files, terminal, options, open } = invocation;
    const app = await open({ makesPersonal: true });
    if (options.has('dry-run')) return preview(invocation, app);
    const ends: ImportEnd[] = [];
    let failures = 0;
    for (const file of files) {
      try {
        const imported = await importFile(invocation, app, file, {
          isLocal: options.has('local') || app.config.conversation.start_local,
          directives: options.texts('label').map(parseLabelDirective),
          project: options.text('project'),
        });
        ends.push(...imported);
        if (!terminal.json) for (const end of imported) terminal.print(lineFor(end));
      } catch (error) {
        if (!(error instanceof Fault) || files.length === 1) throw error;
        terminal.warn(`${file} was not imported: ${error.message}`);
        failures += 1;
      }
    }
    if (!terminal.json && ends.some(({ what, conversation }) => what === 'imported' && !conversation.isLocal))
      terminal.note(keptWhere(app));
    if (terminal.json)
      terminal.printJson({
        conversations: ends.map(({ what, conversation }) => ({ what, ...conversationJson(conversation) })),
      });
    return failures > 0 ? 1 : 0;
  },
});

function keptWhere({ config }: WorkspaceApp): string {
  return config.conversation.share
    ? 'They are in .ken/conversations, which git commits, since conversation.share is true.'
    : 'They are in .ken/conversations, which git ignores.';
}

/** V8 strings are limited to about 512 MiB; no transcript is half as long. */
const MOST_BYTES = 256 * 1024 * 1024;

interface ImportOptions {
  readonly isLocal: boolean;
  readonly directives: readonly LabelDirective[];
  readonly project?: string | undefined;
}

export async function importFile(
  invocation: Pick<Invocation, 'directory' | 'terminal' | 'signal' | 'environment'>,
  app: WorkspaceApp,
  file: string,
  { isLocal, directives, project }: ImportOptions,
): Promise<readonly ImportEnd[]> {
  const { importConversation } = await import(
    '../../../../domain/conversations/import/import-conversation.ts'
  );
  const ends: ImportEnd[] = [];
  for (const imported of await conversationsIn(invocation, app, file, project)) {
    const { labels, decisions } = await resolveLabelsFor(invocation, app, {
      event: 'existing',
      conversation: undefined,
      before: imported.metadata.labels,
      directives,
    });
    ends.push(await importConversation(app, imported, { isLocal, labels, decisions }));
  }
  return ends;
}

async function conversationsIn(
  invocation: Pick<Invocation, 'directory' | 'terminal'>,
  app: WorkspaceApp,
  file: string,
  project: string | undefined,
): Promise<readonly ImportedConversation[]> {
  const now = app.clock.now();
  const rows =
    file === '-' ? undefined : await claudeMemRows(app, path.resolve(invocation.directory, file), project);
  if (rows) {
    const { conversationsOfClaudeMem } = await import(
      '../../../../domain/conversations/import/claude-mem.ts'
    );
    return conversationsOfClaudeMem(rows, now);
  }
  const content = await readContent(file, invocation);
  if (content.byteLength > MOST_BYTES)
    throw new Fault('conversations/invalid', `${file} is larger than 256 MiB.`);
  const text = new TextDecoder().decode(content);
  const fallbackId = file === '-' ? app.hasher.sha256(text).slice(0, 16) : path.parse(file).name;
  const { readTranscript } = await import('../../../../domain/conversations/import/read-transcript.ts');
  return [readTranscript({ text, fallbackId, now })];
}

/** Lists the conversations of all files, and whether they are here already. */
async function preview(
  { arguments: files, terminal, options, directory }: PreviewInvocation,
  app: WorkspaceApp,
): Promise<ExitCode> {
  const { isImported } = await import('../../../../domain/conversations/import/import-conversation.ts');
  const found: {
    readonly what: 'new' | 'known';
    readonly title: string | null;
    readonly source_id: string;
  }[] = [];
  for (const file of files) {
    for (const imported of await conversationsIn(
      { directory, terminal },
      app,
      file,
      options.text('project'),
    )) {
      const what = (await isImported(app, imported)) ? 'known' : 'new';
      found.push({ what, title: imported.metadata.title ?? null, source_id: imported.sourceId });
    }
  }
  if (terminal.json) terminal.printJson({ dry_run: true, conversations: found });
  else {
    for (const { what, title, source_id } of found)
      terminal.print(`${what === 'new' ? 'would be imported' : 'imported before'}: ${title ?? source_id}`);
  }
  return 0;
}

type PreviewInvocation = Pick<Invocation<'project'>, 'arguments' | 'terminal' | 'options' | 'directory'>;

const SAID: Record<ImportEnd['what'], string> = {
  imported: 'imported',
  grown: 'updated',
  unchanged: 'unchanged',
  kept: 'left as it is, since it continued here',
};

function lineFor({ what, conversation: { id, metadata } }: ImportEnd): string {
  return `${id}  ${SAID[what]}: ${shownTitle(metadata)}`;
}
