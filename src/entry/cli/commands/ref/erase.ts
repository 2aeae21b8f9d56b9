import { findKept } from '../../../../domain/references/topic/find-topic.ts';
import { isGood } from '../../../../domain/references/topic/library.ts';
import { command } from '../../command.ts';
import { ERASURE, ERASURE_DESCRIPTION, eraseTarget } from '../erase.ts';
import { TOPIC, topicName } from './named-topic.ts';

export const eraseReference = command({
  name: 'erase',
  summary: 'erase a topic with all its files, everywhere, for good',
  description: ERASURE_DESCRIPTION,
  examples: ['ref erase dioxus --dry-run', 'ref erase topic-dioxus'],
  arguments: [TOPIC],
  options: ERASURE,

  async run(invocation) {
    const app = await invocation.openAnywhere();
    const kept = await findKept(app, topicName(invocation.arguments[0] ?? ''));
    const texts: string[] = isGood(kept) ? [kept.topic.title, kept.topic.body] : [];
    for (const file of await app.library.filePaths(kept.slug)) {
      const bytes = await app.library.readFile(kept.slug, file);
      if (bytes) texts.push(new TextDecoder().decode(bytes));
    }
    return eraseTarget(invocation, app, { kind: 'topic', id: kept.slug, texts });
  },
});
