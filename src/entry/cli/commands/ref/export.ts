import path from 'node:path';
import { requireTopic } from '../../../../domain/references/topic/find-topic.ts';
import { topicId } from '../../../../domain/references/topic/topic.ts';
import { command } from '../../command.ts';
import { TOPIC, topicName } from './named-topic.ts';

export const exportReference = command({
  name: 'export',
  summary: 'write a topic into a new directory, for another machine',
  description: '"ken ref import" takes it in there, with its sources, its lock and its times.',
  examples: ['ref export dioxus ./dioxus-topic'],
  arguments: [
    TOPIC,
    { name: 'directory', summary: 'one that does not exist yet', required: true, complete: 'directories' },
  ],

  async run({ arguments: [name = '', target = ''], directory, terminal, openAnywhere }) {
    const app = await openAnywhere();
    const kept = await requireTopic(app, topicName(name));
    const place = path.resolve(directory, target);
    await app.topicTransfer.exportTo(kept.slug, place);
    const { count } = kept.topic.files;
    if (terminal.json) terminal.printJson({ topic_id: topicId(kept), directory: place, file_count: count });
    else terminal.print(place);
    return undefined;
  },
});
