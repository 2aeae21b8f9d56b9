import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { planSubject, requireText } from '../../../../domain/knowledge-base/add-subject.ts';
import { requireTopic } from '../../../../domain/knowledge-base/learn/learn-from.ts';
import { openTopic } from '../../../../domain/knowledge-base/open-topics.ts';
import type { Listing } from '../../../../domain/knowledge-base/subject-files.ts';
import { knowledgeBaseFrom, type Topic } from '../../../../domain/knowledge-base/topic.ts';
import { command } from '../../command.ts';
import { readContent } from '../../read-content.ts';

export const addSubject = command({
  name: 'add',
  summary: 'add a subject to a topic from a file or standard input',
  description:
    'The subject keeps the extension of the file; from standard input it is Markdown, unless the name has an extension. ' +
    'A name with a leading dot is hidden. Nothing that exists is overwritten.',
  examples: [
    'kb add project/maintainers/ada ada.md',
    'kb add skills/ast-grep/.rules rules.md',
    'kb add project/limits.toml - < limits.toml',
  ],
  arguments: [
    { name: 'topic/subject', summary: 'the new subject', required: true, complete: 'topic-subjects' },
    { name: 'file', summary: 'the content; - for standard input', complete: 'files' },
  ],

  async run(invocation) {
    const { terminal, open } = invocation;
    const [target = '', source] = invocation.arguments;
    splitTarget(target);
    const app = await open({ makesPersonal: true });
    const extension = source === undefined || source === '-' ? undefined : path.extname(source).slice(1);
    // Before anything is read.
    await plannedSubject(app, target, extension);
    const content = await readContent(source, invocation);
    if (content.length === 0 && (source === undefined || source === '-')) {
      throw new Fault('cli/usage', 'There is nothing to read: standard input is empty.', {
        hint: 'Name a file, or pipe the content in.',
      });
    }
    const { topic, slug, file } = await createSubject(app, target, { content, extension });
    if (terminal.json) terminal.printJson({ topic: topic.id, slug, file, bytes: content.length });
    else terminal.note(`${file} is the subject ${topic.id}/${slug}.`);
  },
});

interface NewSubject {
  readonly content: Uint8Array;
  readonly extension: string | undefined;
}

/** Overwrites nothing. */
export async function createSubject(app: WorkspaceApp, target: string, { content, extension }: NewSubject) {
  const { topic, planned } = await plannedSubject(app, target, extension);
  requireText(content);
  // The directory must be inside the workspace, and the file inside the directory.
  if (!topic.followSymlinks) await app.newFiles.makeDirectory(app.workspace.root, topic.directory);
  const directory = path.join(app.workspace.root, topic.directory);
  await app.newFiles.create(directory, [{ path: planned.path, content }]);
  return { topic, slug: planned.slug, file: path.posix.join(topic.directory, planned.path) };
}

async function plannedSubject(app: WorkspaceApp, target: string, extension: string | undefined) {
  const { topicId, name } = splitTarget(target);
  const topic = requireTopic(knowledgeBaseFrom(app.config.kb), topicId);
  return { topic, planned: planSubject(await writableListing(app, topic), { name, extension }) };
}

/** A Fault for a topic that cannot be changed. */
export async function writableListing(app: WorkspaceApp, topic: Topic): Promise<Listing> {
  if (topic.isShipped) {
    const message = `The topic ${topic.id} ships with ken; it cannot be changed.`;
    throw new Fault('files/unwritable', message, { hint: '"ken kb new" makes a topic of your own.' });
  }
  const { listing } = (await openTopic(app, topic)).catalog;
  if (listing.problem && listing.problem !== 'missing') {
    throw new Fault('files/unwritable', `${topic.directory} cannot be used: ${listing.problem}.`, {
      hint: 'See "ken kb check".',
    });
  }
  return listing;
}

export function splitTarget(target: string): { readonly topicId: string; readonly name: string } {
  const slash = target.indexOf('/');
  if (slash > 0 && slash < target.length - 1) {
    return { topicId: target.slice(0, slash), name: target.slice(slash + 1) };
  }
  throw new Fault('cli/usage', `"${target}" does not name a subject.`, { hint: 'Write TOPIC/SUBJECT.' });
}
