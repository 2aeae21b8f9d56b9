/** Makes a topic from local files. It is the operator's own act, so no approval is asked for. */

import { Fault } from '../../../base/fault.ts';
import type { ReportProgress } from '../../approvals/job.ts';
import type { ExportedTopic, TopicTransfer } from '../topic/library.ts';
import type { LockedFile } from '../topic/lock.ts';
import { fileListOf, type TopicSource, topicId } from '../topic/topic.ts';
import { freeSlug, topicExists } from '../topic/topic-slug.ts';
import { type FetchedTopic, type FetchPorts, storeTopic } from './fetch-topic.ts';
import { makeSearchable } from './make-searchable.ts';
import { type NewTopic, topicDescription } from './topic-request.ts';

export interface ImportPorts extends FetchPorts {
  readonly topicTransfer: TopicTransfer;
}

export interface ImportInput {
  readonly directory: string;
  /** Description for plain files; an exported topic brings its own, and only the title is taken from here. */
  readonly topic: Omit<NewTopic, 'sources' | 'title'> & { readonly title?: string | undefined };
  /** Title for a directory whose topic has none: the directory's name. */
  readonly name: string;
}

export async function importTopic(
  ports: ImportPorts,
  { directory, topic, name }: ImportInput,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<FetchedTopic> {
  const exported = await ports.topicTransfer.readExported(directory);
  if (exported) return takeIn(ports, exported, topic.title, report, signal);
  const described = topicDescription({ ...topic, title: topic.title ?? name });
  const sources: TopicSource[] = [{ type: 'local', path: directory, unknown: {} }];
  return storeTopic(ports, { described, sources, limits: topic.limits }, report, signal);
}

/** Imports only files that the lock lists. Nothing in it counts as typed or approved by this operator. */
async function takeIn(
  ports: ImportPorts,
  { topic, lock, readFile }: ExportedTopic,
  title: string | undefined,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<FetchedTopic> {
  const slug = await freeSlug(ports, title ?? topic.title);
  const staged = await ports.library.stage();
  try {
    const files: LockedFile[] = [];
    for (const file of lock.files) {
      signal.throwIfAborted();
      const content = await readFile(file.path);
      const isWhole = content !== undefined && ports.hasher.sha256(content) === file.sha256;
      if (isWhole && (await staged.write(file.path, content)) === 'written') files.push(file);
      await report({ phase: 'files', done: files.length, total: lock.files.length });
    }
    if (files.length === 0)
      throw new Fault('references/failed', 'No file of it matches its lock.', { hint: 'Export it again.' });
    const { approvedBy: _, ...described } = topic;
    const sources = topic.sources.map(unapproved);
    const list = fileListOf(files.map(({ path }) => path));
    const taken = { ...described, slug, title: title ?? topic.title, sources, files: list };
    // Missing files stay in the lock: the doctor names them and a refresh fetches them.
    if (!(await staged.publish(taken, lock))) throw await topicExists(ports, slug);
    const { chunkCount, warning } = await makeSearchable(ports, taken, report, signal);
    const lost = lock.files.length - files.length;
    return {
      topic_id: topicId(taken),
      file_count: files.length,
      chunk_count: chunkCount,
      skipped: {},
      warnings: [
        ...(lost > 0 ? [`${lost} of its files are missing or do not match its lock`] : []),
        ...warning,
      ],
    };
  } finally {
    await staged.discard();
  }
}

function unapproved({ approved: _, ...source }: TopicSource): TopicSource {
  return source.type === 'git' && source.isTyped ? { ...source, isTyped: false } : source;
}
