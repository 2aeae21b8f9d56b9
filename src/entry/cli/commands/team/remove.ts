import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { counted } from '../../../../base/text.ts';
import { requireOperator } from '../../../../domain/approvals/operator/operator-presence.ts';
import { isConversationId } from '../../../../domain/conversations/conversation-id.ts';
import { slugOfId } from '../../../../domain/references/topic/topic.ts';
import { command } from '../../command.ts';
import { named } from './move.ts';

export const remove = command({
  name: 'remove',
  summary: 'take topics and conversations back from the team',
  description:
    'The team no longer has them; what others have pulled stays with them, and so does your own. Entries of the ledger ' +
    'are not taken back: deprecate them and push. Asks first, and needs you at a terminal.',
  examples: ['team remove topic-signals', 'team remove project 1m7ezjkjqnxq --yes'],
  arguments: [
    {
      name: 'id',
      summary: 'of a topic or a conversation, as "ken team status" shows it',
      required: true,
      variadic: true,
    },
  ],
  options: [{ flags: '-y, --yes', summary: 'do not ask' }],

  async run({ arguments: given, options, terminal, open, signal }) {
    const app = await open();
    const place = await app.team.describe();
    const ids = [...new Set(given)];
    const found = new Map<string, () => Promise<boolean>>();
    for (const id of ids) found.set(id, await removalOf(app, id));
    await requireOperator(app, 'Taking something back from the team');
    const text = `Remove ${counted(ids.length, 'thing')} from ${named(place)}: ${ids.join(', ')}?`;
    const question = { id: 'team', text, answerType: 'boolean', default: false } as const;
    if (!options.has('yes') && (await app.questioner.ask('ken', question, signal)) !== true) {
      terminal.note('Nothing was removed.');
      return;
    }
    const removed: string[] = [];
    for (const [id, run] of found) if (await run()) removed.push(id);
    if (terminal.json) terminal.printJson({ team: place, removed });
    else terminal.note(`Removed ${removed.join(', ')}.`);
  },
});

/** A Fault for what the team does not have. */
async function removalOf(app: WorkspaceApp, id: string): Promise<() => Promise<boolean>> {
  const { teamTopics, teamLibrary, teamConversations } = app;
  const slug = slugOfId(id);
  if (isConversationId(id) && (await teamConversations.get(id))) return () => teamConversations.remove(id);
  if ((await teamTopics.get(id)) !== undefined) return () => teamTopics.remove(id);
  if (slug !== undefined && (await teamLibrary.get(slug))) return () => teamLibrary.remove(slug);
  throw new Fault('team/not-found', `The team has no topic or conversation "${id}".`, {
    hint: 'See "ken team status".',
  });
}
