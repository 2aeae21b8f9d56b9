import { counted } from '../../../../base/text.ts';
import { fileText } from '../../../../domain/references/topic/file-text.ts';
import { findKept } from '../../../../domain/references/topic/find-topic.ts';
import { isGood, type KeptTopic } from '../../../../domain/references/topic/library.ts';
import { topicId } from '../../../../domain/references/topic/topic.ts';
import { command } from '../../command.ts';
import { confirmsDeletion, DELETION, ERASURE, ERASURE_DESCRIPTION } from '../confirm-deletion.ts';
import { TOPIC, topicName } from './named-topic.ts';

export const deleteReference = command({
  name: 'delete',
  aliases: ['rm'],
  summary: 'delete topics with all their files, for good',
  description:
    'Asks first on a terminal; elsewhere it needs --yes. "ken ref update --status obsolete" only hides them.',
  examples: ['ref delete dioxus', 'ref delete topic-dioxus --yes'],
  arguments: [{ ...TOPIC, variadic: true }],
  options: DELETION,

  async run(invocation) {
    const { terminal, signal } = invocation;
    const app = await invocation.openAnywhere();
    const found: KeptTopic[] = [];
    for (const name of invocation.arguments) found.push(await findKept(app, topicName(name)));
    const ids = found.map(topicId);
    const deletion = {
      ids,
      names: found.map(describe),
      noun: 'topic',
      hint: 'Give --yes to delete without being asked.',
    };
    if (!(await confirmsDeletion(invocation, app, deletion))) return;
    for (const { slug } of found) await app.library.remove(slug);
    await app.referenceIndex.sync({}, signal);
    if (terminal.json) terminal.printJson({ removed: ids });
    else for (const id of ids) terminal.note(`deleted ${id}`);
  },
});

function describe(kept: KeptTopic): string {
  if (!isGood(kept)) return `${topicId(kept)}  (broken: ${kept.problem})`;
  const { title, files } = kept.topic;
  return `${topicId(kept)}  ${title}, ${counted(files.count, 'file')}`;
}

export const eraseReference = command({
  name: 'erase',
  summary: 'erase a topic with all its files, everywhere, for good',
  description: ERASURE_DESCRIPTION,
  examples: ['ref erase dioxus --dry-run', 'ref erase topic-dioxus'],
  arguments: [TOPIC],
  options: ERASURE,

  async run(invocation) {
    const { eraseTarget } = await import('../../erase-target.ts');
    const app = await invocation.openAnywhere();
    const kept = await findKept(app, topicName(invocation.arguments[0] ?? ''));
    const texts: string[] = isGood(kept) ? [kept.topic.title, kept.topic.body] : [];
    for (const file of await app.library.filePaths(kept.slug)) {
      const bytes = await app.library.readFile(kept.slug, file);
      const read = bytes && (await fileText(app, file, bytes));
      if (read?.ok) texts.push(read.text);
    }
    return eraseTarget(invocation, app, { kind: 'topic', id: kept.slug, texts });
  },
});
