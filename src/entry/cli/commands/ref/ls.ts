import { parseSelectors } from '../../../../domain/labels/parse-selector.ts';
import { brokenTopic } from '../../../../domain/references/topic/check-library.ts';
import { isGood } from '../../../../domain/references/topic/library.ts';
import { listTopics, type TopicSummary } from '../../../../domain/references/topic/list-topics.ts';
import { command } from '../../command.ts';
import { LABEL_SELECTOR } from '../../options.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';

export const listReferences = command({
  name: 'ls',
  summary: 'list reference topics, the most recently fetched first',
  examples: ['ref ls', 'ref ls --stale --json'],
  options: [
    { flags: '--all', summary: 'obsolete ones too' },
    { flags: '--stale', summary: 'only those that are stale or obsolete' },
    LABEL_SELECTOR,
  ],

  async run({ options, terminal, openAnywhere }) {
    const labels = parseSelectors(options.texts('label'));
    const app = await openAnywhere();
    const onlyStale = options.has('stale');
    const topics = await listTopics(app, {
      includeObsolete: options.has('all') || onlyStale,
      onlyStale,
      labels,
    });
    const broken = (await app.library.list()).flatMap((kept) => (isGood(kept) ? [] : [brokenTopic(kept)]));
    if (terminal.json) terminal.printJson({ topics, broken });
    else if (topics.length === 0) terminal.note(onlyStale || labels.length > 0 ? NONE_LIKE_THAT : NONE);
    else printTable(terminal, COLUMNS, topics);
    for (const { topic_id, problem } of broken) terminal.warn(`${topic_id} is left out: ${problem}.`);
  },
});

const NONE = 'No reference topics. "ken ref create" fetches one.';
const NONE_LIKE_THAT = 'No reference topic matches.';

const COLUMNS: readonly ItemColumn<TopicSummary>[] = [
  { title: 'topic', cell: ({ topic_id }) => topic_id },
  { title: 'title', flexible: true, cell: ({ title }) => title },
  { title: 'status', cell: ({ status }) => status },
  { title: 'fetched', cell: ({ fetched_at }) => fetched_at?.slice(0, 10) ?? 'unknown' },
  { title: 'files', align: 'right', cell: ({ file_count }) => String(file_count) },
  { title: 'tags', flexible: true, cell: ({ tags }) => tags.join(', ') },
];
