import { parseSelectors } from '../../../../domain/labels/parse-selector.ts';
import { searchReferences } from '../../../../domain/references/search/search-references.ts';
import { type FoundTopic, searchTopics } from '../../../../domain/references/search/search-topics.ts';
import { excludedPaths } from '../../../../domain/search/engine/excluded-paths.ts';
import { command, type Invocation } from '../../command.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { EXCLUDE, printEnvelope } from '../search.ts';
import { topicName } from './named-topic.ts';

export const searchReferenceLibrary = command({
  name: 'search',
  summary: 'search the files of reference topics, or the topics themselves',
  description:
    'Each hit says which commit and which lines it is from; "ken show" prints them. Obsolete topics are left out. ' +
    'When nothing answers, the nearest is printed, and the exit code is 1.',
  examples: [
    'ref search "component lifecycle hooks" --topic dioxus',
    'ref search --topics "Rust GUI framework with React-like syntax"',
  ],
  arguments: [{ name: 'question', summary: 'words or a question', required: true, variadic: true }],
  options: [
    {
      flags: '--topic <topic>',
      summary: 'only in this topic: its id, its title or words for it',
      complete: 'reference-topics',
    },
    { flags: '--label <selector>', summary: 'only in topics with matching labels', repeatable: true },
    { flags: '--topics', summary: 'rank topics instead of chunks' },
    { flags: '--path <path>', summary: 'only this file, or files below this directory/', repeatable: true },
    EXCLUDE,
    { flags: '--kind <kind>', summary: 'only documentation, or only code', choices: ['docs', 'code'] },
    { flags: '--limit <n>', summary: 'the maximum number of hits (8)' },
    { flags: '--uri', summary: 'print the citation of each hit, which "ken show" opens' },
  ],

  async run(invocation) {
    const { arguments: words, options, terminal, signal, openAnywhere } = invocation;
    if (options.has('topics')) return rankTopics(invocation);
    const kind = options.text('kind');
    const topic = options.text('topic');
    const limit = options.count('limit', 1);
    const exclude = options.texts('exclude');
    const labels = parseSelectors(options.texts('label'));
    const app = await openAnywhere();
    const found = await searchReferences(
      app,
      {
        question: words.join(' '),
        topic: topic === undefined ? undefined : topicName(topic),
        limit,
        labels,
        paths: options.texts('path'),
        excluded: exclude.length > 0 ? excludedPaths(exclude) : undefined,
        kind: kind === 'docs' || kind === 'code' ? kind : undefined,
      },
      signal,
    );
    if (terminal.json) terminal.printJson(found);
    else {
      const shortened = (hits: typeof found.hits) => hits.map(({ text: _, ...hit }) => hit);
      const [hits, near] = [shortened(found.hits), shortened(found.near_misses)];
      const uris = options.has('uri') || terminal.verbose;
      const printed = { question: words.join(' '), uris };
      await printEnvelope(terminal, app, { ...found, hits, near_misses: near }, printed);
    }
    return found.outcome === 'answers' ? 0 : 1;
  },
});

async function rankTopics({
  arguments: words,
  options,
  terminal,
  signal,
  openAnywhere,
}: Invocation<'limit' | 'label'>): Promise<0 | 1> {
  const labels = parseSelectors(options.texts('label'));
  const limit = options.count('limit', 1);
  const query = words.join(' ');
  const topics = await searchTopics(await openAnywhere(), { query, labels, ...(limit && { limit }) }, signal);
  if (terminal.json) terminal.printJson({ topics });
  else if (topics.length === 0) terminal.note('No reference topic matches.');
  else printTable(terminal, COLUMNS, topics);
  return topics.length > 0 ? 0 : 1;
}

const COLUMNS: readonly ItemColumn<FoundTopic>[] = [
  { title: 'topic', cell: ({ topic_id }) => topic_id },
  { title: 'title', flexible: true, cell: ({ title }) => title },
  { title: 'status', cell: ({ status }) => status },
  { title: 'score', align: 'right', cell: ({ score }) => score.toFixed(2) },
  { title: 'about', flexible: true, cell: ({ snippet }) => snippet.replace(/\s+/g, ' ') },
];
