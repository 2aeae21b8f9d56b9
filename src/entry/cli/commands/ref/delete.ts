import type { App } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { counted } from '../../../../base/text.ts';
import { findKept } from '../../../../domain/references/topic/find-topic.ts';
import { isGood, type KeptTopic } from '../../../../domain/references/topic/library.ts';
import { topicId } from '../../../../domain/references/topic/topic.ts';
import type { ToolQuestion } from '../../../../domain/tools/tool.ts';
import { command } from '../../command.ts';
import { TOPIC, topicName } from './named-topic.ts';

export const deleteReference = command({
  name: 'delete',
  aliases: ['rm'],
  summary: 'delete topics with all their files, for good',
  description:
    'Asks first on a terminal; elsewhere it needs --yes. "ken ref update --status obsolete" only hides them.',
  examples: ['ref delete dioxus', 'ref delete topic-dioxus --yes'],
  arguments: [{ ...TOPIC, variadic: true }],
  options: [
    { flags: '-y, --yes', summary: 'do not ask' },
    { flags: '--dry-run', summary: 'only show what would be deleted' },
  ],

  async run({ arguments: names, options, terminal, signal, openAnywhere }) {
    const app = await openAnywhere();
    const found: KeptTopic[] = [];
    for (const name of names) found.push(await findKept(app, topicName(name)));
    const lines = found.map(describe);
    if (options.has('dry-run')) {
      if (terminal.json) terminal.printJson({ would_remove: found.map(topicId) });
      else for (const line of lines) terminal.print(`would delete ${line}`);
      return undefined;
    }
    if (!options.has('yes') && !(await agrees(app, lines, signal))) {
      terminal.note('Nothing was deleted.');
      return undefined;
    }
    for (const { slug } of found) await app.library.remove(slug);
    await app.referenceIndex.sync({}, signal);
    if (terminal.json) terminal.printJson({ removed: found.map(topicId) });
    else for (const kept of found) terminal.note(`deleted ${topicId(kept)}`);
    return undefined;
  },
});

function describe(kept: KeptTopic): string {
  if (!isGood(kept)) return `${topicId(kept)}  (broken: ${kept.problem})`;
  const { title, files } = kept.topic;
  return `${topicId(kept)}  ${title}, ${counted(files.count, 'file')}`;
}

async function agrees({ questioner }: App, lines: readonly string[], signal: AbortSignal): Promise<boolean> {
  const what = lines.length === 1 ? 'this topic' : `these ${lines.length} topics`;
  if (!(await questioner.isThere()))
    throw new Fault('cli/usage', `Nobody can be asked whether to delete ${what}: ${lines.join('; ')}.`, {
      hint: 'Give --yes to delete.',
    });
  const text = `${lines.join('\n')}\n\nDelete ${what} for good?`;
  const question: ToolQuestion = { id: 'delete', text, answerType: 'boolean', default: false };
  return (await questioner.ask('ken', question, signal)) === true;
}
