import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { ImportEnd } from '../../../../domain/conversations/import/import-conversation.ts';
import { type LabelDirective, parseLabelDirective } from '../../../../domain/labels/label-directive.ts';
import { resolveLabelsFor } from '../../../conversation-settings.ts';
import { command, type Invocation } from '../../command.ts';
import { LABEL } from '../../options.ts';
import { readContent } from '../../read-content.ts';
import { conversationJson, shownTitle } from './conversation-json.ts';

export const importConversations = command({
  name: 'import',
  summary: 'read transcripts of other assistants into conversations',
  description:
    'Reads transcripts of Claude Code and Codex (.jsonl), the output of "opencode export", and exports of ken. ' +
    'Lines that it does not understand are kept. A transcript that was imported before is updated, never ' +
    'duplicated. Exit 1 when a file could not be imported; the others are.',
  examples: [
    'c import ~/.claude/projects/-home-ada-garden/*.jsonl',
    'c import - < ses_1.json',
    'c import talk.jsonl --label team=platform',
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
  options: [LABEL, { flags: '--local', summary: 'store them outside the workspace' }],

  async run(invocation) {
    const { arguments: files, terminal, options, open } = invocation;
    const app = await open({ makesPersonal: true });
    const ends: ImportEnd[] = [];
    let failures = 0;
    for (const file of files) {
      try {
        const end = await importFile(invocation, app, file, {
          isLocal: options.has('local') || app.config.conversation.start_local,
          directives: options.texts('label').map(parseLabelDirective),
        });
        ends.push(end);
        if (!terminal.json) terminal.print(lineFor(end));
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
}

export async function importFile(
  invocation: Pick<Invocation, 'directory' | 'terminal' | 'signal' | 'environment'>,
  app: WorkspaceApp,
  file: string,
  { isLocal, directives }: ImportOptions,
): Promise<ImportEnd> {
  const content = await readContent(file, invocation);
  if (content.byteLength > MOST_BYTES)
    throw new Fault('conversations/invalid', `${file} is larger than 256 MiB.`);
  const text = new TextDecoder().decode(content);
  const fallbackId = file === '-' ? app.hasher.sha256(text).slice(0, 16) : path.parse(file).name;
  const { readTranscript } = await import('../../../../domain/conversations/import/read-transcript.ts');
  const { importConversation } = await import(
    '../../../../domain/conversations/import/import-conversation.ts'
  );
  const imported = readTranscript({ text, fallbackId, now: app.clock.now() });
  const { labels, decisions } = await resolveLabelsFor(invocation, app, {
    event: 'existing',
    conversation: undefined,
    before: imported.metadata.labels,
    directives,
  });
  return importConversation(app, imported, { isLocal, labels, decisions });
}

const SAID: Record<ImportEnd['what'], string> = {
  imported: 'imported',
  grown: 'updated',
  unchanged: 'unchanged',
  kept: 'left as it is, since it continued here',
};

function lineFor({ what, conversation: { id, metadata } }: ImportEnd): string {
  return `${id}  ${SAID[what]}: ${shownTitle(metadata)}`;
}
