import { counted } from '../../../../base/text.ts';
import { isoTime } from '../../../../base/time.ts';
import { formatLabel } from '../../../../domain/labels/label.ts';
import { tableOfSaid } from '../../../../domain/references/topic/change-fields.ts';
import { requireTopic } from '../../../../domain/references/topic/find-topic.ts';
import { topicSummary } from '../../../../domain/references/topic/list-topics.ts';
import type { LockedFile } from '../../../../domain/references/topic/lock.ts';
import {
  addressOf,
  freshnessAt,
  type ReferenceTopic,
  type TopicSource,
} from '../../../../domain/references/topic/topic.ts';
import type { Actor, TopicChange } from '../../../../domain/references/topic/topic-change.ts';
import { command } from '../../command.ts';
import { TOPIC, topicName } from './named-topic.ts';

export const showReference = command({
  name: 'show',
  summary: 'show a reference topic and its sources',
  examples: ['ref show dioxus', 'ref show topic-dioxus --files --json'],
  arguments: [TOPIC],
  options: [{ flags: '--files', summary: 'list every file with its freshness' }],

  async run({ arguments: [name = ''], options, terminal, openAnywhere }) {
    const app = await openAnywhere();
    const { topic, slug } = await requireTopic(app, topicName(name));
    const now = app.clock.now();
    const { files } = await app.library.lock(slug);
    const listed = options.has('files') ? files.map((file) => fileJson(topic, file, now)) : undefined;
    if (terminal.json) {
      terminal.printJson({
        ...topicSummary(topic, now),
        body: topic.body,
        created_by: { ghost: topic.createdBy.ghost, model: topic.createdBy.model ?? null },
        approved_by: topic.approvedBy?.operator ?? null,
        sources: topic.sources.map(sourceJson),
        changes: topic.changes.map(changeJson),
        ...(listed && { files: listed }),
      });
      return;
    }
    terminal.print(lines(topic, now).join('\n'));
    for (const { path, bytes, is_stale } of listed ?? [])
      terminal.print(`${path}  ${bytes} bytes${is_stale ? '  stale' : ''}`);
    if (!listed && topic.body !== '') terminal.print(`\n${topic.body}`);
  },
});

function lines(topic: ReferenceTopic, now: number): string[] {
  const { topic_id, title, status, stale_since, fetched_at, file_count } = topicSummary(topic, now);
  const since = stale_since === undefined ? '' : ` since ${stale_since.slice(0, 10)}`;
  const { createdBy, approvedBy, labels, tags } = topic;
  return [
    `${title}  (${topic_id})`,
    `status    ${status}${since}; fetched ${fetched_at ?? 'at an unknown time'}, good for ${ageText(topic.maxAgeDays)}`,
    `files     ${file_count}`,
    `trust     ${topic.trustScore} of 10`,
    `made by   ${actorText(createdBy)}`,
    ...(approvedBy ? [`approved  by ${approvedBy.operator}`] : []),
    ...(tags.length > 0 ? [`tags      ${tags.join(', ')}`] : []),
    ...(labels.size > 0
      ? [`labels    ${[...labels].map(([key, value]) => formatLabel(key, value)).join(' ')}`]
      : []),
    ...topic.sources.map((source) => `source    ${sourceText(source)}`),
    ...topic.changes.map((change) => `changed   ${changeText(change)}`),
  ];
}

function actorText({ ghost, model }: Actor): string {
  return model === undefined ? `a command, in the name of ${ghost}` : `${ghost}, with ${model}`;
}

function changeText({ at, by, before, undone }: TopicChange): string {
  const { obsolete_since: _, ...said } = tableOfSaid(before);
  const what = Object.keys(said).join(', ').replaceAll('_', ' ');
  const back = undone ? `; undone ${isoTime(undone.at)} by ${actorText(undone.by)}` : '';
  return `${isoTime(at)} by ${actorText(by)}: ${what}${back}`;
}

function changeJson({ at, by, before, undone }: TopicChange) {
  return {
    at: isoTime(at),
    by: { ghost: by.ghost, model: by.model ?? null },
    before: tableOfSaid(before),
    ...(undone && {
      undone: { at: isoTime(undone.at), by: { ghost: undone.by.ghost, model: undone.by.model ?? null } },
    }),
  };
}

function ageText(days: number): string {
  return days === 0 ? 'ever' : counted(days, 'day');
}

function sourceText(source: TopicSource): string {
  if (source.type !== 'git') return `${source.type} ${addressOf(source)}`;
  const ref = source.ref === undefined ? '' : ` at ${source.ref}`;
  const commit = source.commit === undefined ? ', not fetched yet' : `, commit ${source.commit}`;
  const paths = source.paths.length > 0 ? `, only ${source.paths.join(' ')}` : '';
  return `git ${source.url}${ref}${commit}${paths}`;
}

function sourceJson(source: TopicSource) {
  const { unknown: _, fetchedAt, ...fields } = source;
  const fetched_at = fetchedAt === undefined ? null : isoTime(fetchedAt);
  if (fields.type !== 'git') return { ...fields, fetched_at };
  const { isTyped, ...git } = fields;
  return { ...git, ...(isTyped && { typed: true }), fetched_at };
}

/** The topic's status with the file's own age. */
function fileJson(topic: ReferenceTopic, file: LockedFile, now: number) {
  const source = topic.sources.find((each) => addressOf(each) === file.source);
  const fetchedAt = Math.max(file.fetchedAt, source?.fetchedAt ?? 0);
  const { status, isStale, staleSince } = freshnessAt({ ...topic, fetchedAt }, now);
  return {
    path: file.path,
    source: file.source,
    commit: file.commit ?? null,
    sha256: file.sha256,
    bytes: file.bytes,
    fetched_at: isoTime(fetchedAt),
    status,
    is_stale: isStale,
    ...(staleSince !== undefined && { stale_since: isoTime(staleSince) }),
  };
}
