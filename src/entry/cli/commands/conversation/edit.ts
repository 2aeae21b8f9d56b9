import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { isoTime } from '../../../../base/time.ts';
import { baseConfigProblems } from '../../../../config/conversation-config.ts';
import { putLabels } from '../../../../domain/conversations/change-labels.ts';
import {
  type Conversation,
  givenTitle,
  type Metadata,
} from '../../../../domain/conversations/conversation.ts';
import { editedConfig, editedEvents, editedMetadata } from '../../../../domain/conversations/edited-file.ts';
import { eventLine } from '../../../../domain/conversations/event-line.ts';
import { asWriter } from '../../../../domain/conversations/find-conversation.ts';
import { metadataToJson } from '../../../../domain/conversations/metadata-file.ts';
import type { ConversationWriter } from '../../../../domain/conversations/store.ts';
import { parseLabelDirective } from '../../../../domain/labels/label-directive.ts';
import { resolveLabelsFor } from '../../../conversation-settings.ts';
import { command, type Invocation } from '../../command.ts';
import type { Options } from '../../options.ts';
import { LABEL } from '../../options.ts';
import { targetsOf, waitFor } from './change-each.ts';
import { conversationJson } from './conversation-json.ts';

export const editConversation = command({
  name: 'edit',
  summary: 'change the title, labels or files of a conversation',
  description:
    'With --metadata, --events or --base-config your editor opens that file; a mistake in it changes nothing.',
  examples: [
    "c edit @last --title 'Deploying on Fridays'",
    'c edit 01k9 --label wip- --pin',
    'c edit 01k9 --events',
  ],
  arguments: [{ name: 'id', summary: 'an id or a part of it', required: true, complete: 'conversations' }],
  options: [
    { flags: '--title <title>', summary: 'set the title; an empty text removes it' },
    LABEL,
    { flags: '--pin', summary: 'pin it to the top of the list' },
    { flags: '--unpin', summary: 'remove the pin' },
    { flags: '--metadata', summary: 'edit metadata.json' },
    { flags: '--events', summary: 'edit events.jsonl' },
    { flags: '--base-config', summary: 'edit base_config.json' },
  ],

  async run(invocation) {
    const { arguments: targets, options, terminal, open } = invocation;
    const directives = options.texts('label').map(parseLabelDirective);
    if (!CHANGES.some((name) => options.has(name))) {
      throw new Fault('cli/usage', 'Nothing to change is given.', {
        hint: `Give one of --${CHANGES.join(', --')}.`,
      });
    }
    const app = await open();
    for (const target of await targetsOf(app, targets, terminal)) {
      const changed = await asWriter(app, target, waitFor(invocation), async (writer, current) => {
        const before = current.metadata.labels;
        const resolved = await resolveLabelsFor(invocation, app, {
          event: 'existing',
          conversation: current,
          before,
          directives,
        });
        const metadata = withOptions(current.metadata, options, app.clock.now());
        if (options.has('title') || options.has('pin') || options.has('unpin'))
          await writer.putMetadata(metadata);
        await putLabels(writer, { ...current, metadata }, resolved, isoTime(app.clock.now()));
        await editFiles(invocation, app, writer, current);
        return app.conversations.get(current.id);
      });
      if (terminal.json && changed) terminal.printJson({ conversation: conversationJson(changed) });
      else terminal.note(`changed ${target.id}`);
    }
  },
});

const CHANGES = ['title', 'label', 'pin', 'unpin', 'metadata', 'events', 'base-config'] as const;

function withOptions(
  metadata: Metadata,
  options: Options<'title' | 'pin' | 'unpin', 'title'>,
  now: number,
): Metadata {
  const title = options.has('title') ? givenTitle(options.text('title')) : metadata.title;
  const { title: _, pinnedAt, ...rest } = metadata;
  const pinned = options.has('unpin') ? undefined : options.has('pin') ? (pinnedAt ?? now) : pinnedAt;
  return {
    ...rest,
    ...(title !== undefined && { title }),
    ...(pinned !== undefined && { pinnedAt: pinned }),
  };
}

async function editFiles(
  { options }: Invocation<'metadata' | 'base-config' | 'events', never>,
  app: WorkspaceApp,
  writer: ConversationWriter,
  { id }: Conversation,
): Promise<void> {
  if (options.has('metadata')) {
    const current = await app.conversations.get(id);
    const text = current ? indented(metadataToJson(current.metadata)) : '';
    await edited(app, text, 'metadata.json', async (changed) => writer.putMetadata(editedMetadata(changed)));
  }
  if (options.has('base-config')) {
    const config = (await app.conversations.baseConfig(id)) ?? {};
    await edited(app, indented(config), 'base_config.json', async (changed) =>
      writer.replaceBaseConfig(await given(app, await editedConfig(changed, config, baseConfigProblems))),
    );
  }
  if (options.has('events')) {
    const events = (await app.conversations.log(id))?.events ?? [];
    const text = events.map((event) => `${eventLine(event)}\n`).join('');
    await edited(app, text, 'events.jsonl', async (changed) =>
      writer.replaceEvents(editedEvents(changed, text)),
    );
  }
}

/** Where the operator is not present, what was edited may only narrow. */
async function given(app: WorkspaceApp, settings: JsonObject): Promise<JsonObject> {
  if ((await app.operator.presence()).isPresent) await app.givenSettings.add(settings);
  return settings;
}

async function edited(
  app: WorkspaceApp,
  text: string,
  name: string,
  keep: (changed: string) => Promise<void>,
): Promise<void> {
  const changed = await app.editor.edit(text, name);
  if (changed === undefined)
    throw new Fault('conversations/invalid', 'The editor ended with an error; nothing was changed.');
  if (changed !== text) await keep(changed);
}

function indented(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
