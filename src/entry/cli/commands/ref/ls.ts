import { parseSelectors } from '../../../../domain/labels/parse-selector.ts';
import { brokenTopic } from '../../../../domain/references/topic/check-library.ts';
import { isGood } from '../../../../domain/references/topic/library.ts';
import { listTopics, type TopicSummary } from '../../../../domain/references/topic/list-topics.ts';
import { command } from '../../command.ts';
import { type Column, table } from '../../render/table.ts';

export const listReferences = command({
  name: 'ls',
  summary: 'list reference topics, the most recently fetched first',
  examples: ['ref ls', 'ref ls --stale --json'],
  options: [
    { flags: '--all', summary: 'obsolete ones too' },
    { flags: '--stale', summary: 'only those that are stale or obsolete' },
    {
      flags: '--label <selector>',
      summary: 'only items with these labels',
      repeatable: true,
      complete: 'labels',
    },
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
    else terminal.printStyled(table(terminal, COLUMNS, topics.map(row)));
    for (const { topic_id, problem } of broken) terminal.warn(`${topic_id} is left out: ${problem}.`);
    return undefined;
  },
});

const NONE = 'No reference topics. "ken ref create" fetches one.';
const NONE_LIKE_THAT = 'No reference topic matches.';

const COLUMNS: readonly Column[] = [
  { title: 'topic' },
  { title: 'title', flexible: true },
  { title: 'status' },
  { title: 'fetched' },
  { title: 'files', align: 'right' },
  { title: 'tags', flexible: true },
];

function row({ topic_id, title, status, fetched_at, file_count, tags }: TopicSummary): string[] {
  return [
    topic_id,
    title,
    status,
    fetched_at?.slice(0, 10) ?? 'unknown',
    String(file_count),
    tags.join(', '),
  ];
}
