import type { App } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { type RefreshedTopic, refreshTopic } from '../../../../domain/references/lifecycle/refresh-topic.ts';
import { fetchLimits } from '../../../../domain/references/tools/reference-tools.ts';
import { requireTopic } from '../../../../domain/references/topic/find-topic.ts';
import { listTopics } from '../../../../domain/references/topic/list-topics.ts';
import { topicId } from '../../../../domain/references/topic/topic.ts';
import { command } from '../../command.ts';
import { jobProgress } from '../../render/job-progress.ts';
import type { Terminal } from '../../terminal.ts';
import { TOPIC, topicName } from './named-topic.ts';

export const refreshReferences = command({
  name: 'refresh',
  summary: 'fetch the changes of topics',
  description:
    'Nothing is fetched if the commit or the page is the same, unless a file of it is missing or was changed here. ' +
    'A topic that fails keeps its old content; the other topics are refreshed, and the exit code is 1.',
  examples: ['ref refresh dioxus', 'ref refresh --stale', 'ref refresh dioxus --dry-run'],
  arguments: [{ ...TOPIC, required: false, variadic: true }],
  options: [
    { flags: '--stale', summary: 'refresh every topic that is stale' },
    { flags: '--dry-run', summary: 'only show what would change' },
  ],

  async run({ arguments: names, options, terminal, signal, openAnywhere }) {
    if (names.length === 0 && !options.has('stale'))
      throw new Fault('cli/usage', 'No topic is named.', { hint: 'Name topics, or give --stale.' });
    const app = await openAnywhere();
    const topics = await wantedTopics(app, names, options.has('stale'));
    const refreshed: RefreshedTopic[] = [];
    const failed: { topic_id: string; code: string; message: string }[] = [];
    const progress = await jobProgress(terminal, app.clock, signal);
    try {
      for (const topic of topics) {
        const input = { topic, limits: fetchLimits(app.config.references), dryRun: options.has('dry-run') };
        const report = async (step: Parameters<typeof progress.show>[0]) => progress.show(step);
        try {
          const result = await refreshTopic(app, input, report, signal);
          refreshed.push(result);
          progress.end();
          if (!terminal.json) printRefreshed(terminal, result);
        } catch (error) {
          if (signal.aborted || !(error instanceof Fault)) throw error;
          failed.push({ topic_id: topic, code: error.code, message: error.message });
          if (!terminal.json) terminal.warn(`${topic} is unchanged: ${error.message}`);
        }
      }
    } finally {
      progress.end();
    }
    if (terminal.json) terminal.printJson({ topics: refreshed, failed });
    else if (topics.length === 0) terminal.note('No topic is stale.');
    return failed.length > 0 ? 1 : 0;
  },
});

async function wantedTopics(app: App, names: readonly string[], stale: boolean): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push(topicId(await requireTopic(app, topicName(name))));
  if (stale) {
    const found = await listTopics(app, { includeObsolete: false, onlyStale: true });
    ids.push(...found.map(({ topic_id }) => topic_id));
  }
  return [...new Set(ids)];
}

function printRefreshed(terminal: Terminal, { topic_id, ...more }: RefreshedTopic): void {
  const { added, changed, removed, renamed, warnings } = more;
  const counts = [
    [added.length, 'added'],
    [changed.length, 'changed'],
    [renamed.length, 'renamed'],
    [removed.length, 'removed'],
  ] as const;
  const said = counts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ');
  terminal.print(`${topic_id}: ${said || 'unchanged'}`);
  for (const path of added) terminal.print(`  + ${path}`);
  for (const path of changed) terminal.print(`  ~ ${path}`);
  for (const { from, to } of renamed) terminal.print(`  > ${from} to ${to}`);
  for (const path of removed) terminal.print(`  - ${path}`);
  for (const warning of warnings) terminal.warn(`${topic_id}: ${warning}.`);
}
