import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { shellWord } from '../../../../base/shell-words.ts';
import { didYouMean } from '../../../../base/similar.ts';
import { planSubject, requireText } from '../../../../domain/knowledge-base/add-subject.ts';
import type { Subject } from '../../../../domain/knowledge-base/catalog.ts';
import { requireTopic } from '../../../../domain/knowledge-base/learn/learn-from.ts';
import { openTopic } from '../../../../domain/knowledge-base/open-topics.ts';
import { extensionOf } from '../../../../domain/knowledge-base/slugs.ts';
import { knowledgeBaseFrom, type Topic } from '../../../../domain/knowledge-base/topic.ts';
import { command } from '../../command.ts';
import { confirmsDeletion, DELETION } from '../confirm-deletion.ts';
import { splitTarget, writableListing } from './add.ts';

const SUBJECT = {
  name: 'topic/subject',
  summary: 'the subject',
  required: true,
  complete: 'topic-subjects',
} as const;

export const removeSubject = command({
  name: 'rm',
  summary: 'delete a subject',
  description: 'Asks first, since the file is deleted for good unless git has it.',
  examples: ['kb rm project/old-notes', 'kb rm project/old-notes --dry-run'],
  arguments: [SUBJECT],
  options: DELETION,

  async run(invocation) {
    const {
      arguments: [target = ''],
      terminal,
      open,
    } = invocation;
    const app = await open();
    const { topic, subject, directory } = await findSubject(app, target);
    const file = path.posix.join(topic.directory, subject.path);
    const deletion = {
      ids: [`${topic.id}/${subject.slug}`],
      names: [`${topic.id}/${subject.slug} (${file})`],
      noun: 'subject',
      hint: 'Add --yes to delete it, or move it with "ken kb mv".',
    };
    if (!(await confirmsDeletion(invocation, app, deletion))) return;
    await app.newFiles.remove(directory, subject.path);
    if (terminal.json) terminal.printJson({ removed: deletion.ids });
    else terminal.note(`${file} was deleted.`);
  },
});

export const moveSubject = command({
  name: 'mv',
  summary: 'rename a subject, or move it to another topic',
  description:
    'The subject keeps its extension unless the new name has one. Nothing that exists is overwritten.',
  examples: ['kb mv project/notes project/release-notes', 'kb mv project/ast-grep skills/ast-grep'],
  arguments: [SUBJECT, { name: 'new-name', summary: 'TOPIC/SUBJECT', required: true }],

  async run({ arguments: [from = '', to = ''], terminal, open }) {
    const app = await open();
    const [before, after] = await moveTo(app, await findSubject(app, from), to);
    if (terminal.json) terminal.printJson({ from: before, to: after });
    else terminal.note(`${before} is ${after} now. Undo: ken kb mv ${shellWord(after)} ${shellWord(before)}`);
  },
});

export const editSubject = command({
  name: 'edit',
  summary: 'edit a subject in your editor',
  description: 'Only text in UTF-8 is saved.',
  examples: ['kb edit project/deploy'],
  arguments: [SUBJECT],

  async run({ arguments: [target = ''], terminal, open }) {
    const app = await open();
    const found = await findSubject(app, target);
    const before = new TextDecoder().decode(contentOf(found));
    const after = await app.editor.edit(before, path.posix.basename(found.subject.path));
    if (after === undefined)
      throw new Fault('process/failed', 'The editor ended with an error; nothing was changed.');
    const content = new TextEncoder().encode(after);
    requireText(content);
    if (after !== before) await app.newFiles.replace(found.directory, found.subject.path, content);
    const file = path.posix.join(found.topic.directory, found.subject.path);
    if (terminal.json) terminal.printJson({ file, changed: after !== before });
    else terminal.note(after === before ? 'Nothing was changed.' : `${file} was changed.`);
  },
});

/** Returns the old name and the new one, each with its topic. */
export async function moveTo(
  app: WorkspaceApp,
  old: FoundSubject,
  to: string,
): Promise<readonly [before: string, after: string]> {
  const { topicId, name } = splitTarget(to);
  const topic = requireTopic(knowledgeBaseFrom(app.config.kb), topicId);
  const planned = planSubject(await writableListing(app, topic), {
    name,
    extension: extensionOf(old.subject.path),
  });
  const content = contentOf(old);
  await app.newFiles.create(path.join(app.workspace.root, topic.directory), [
    { path: planned.path, content },
  ]);
  await app.newFiles.remove(old.directory, old.subject.path);
  return [`${old.topic.id}/${old.subject.slug}`, `${topic.id}/${planned.slug}`];
}

export interface FoundSubject {
  readonly topic: Topic;
  readonly subject: Subject;
  /** The topic's directory, as an absolute path. */
  readonly directory: string;
  read(): Uint8Array | undefined;
}

/** Finds disabled and hidden subjects too. A Fault when there is no such subject. */
export async function findSubject(app: WorkspaceApp, target: string): Promise<FoundSubject> {
  const { topicId, name } = splitTarget(target);
  const topic = requireTopic(knowledgeBaseFrom(app.config.kb), topicId);
  await writableListing(app, topic);
  const { catalog, files } = await openTopic(app, topic);
  const subject = catalog.subjects.find(({ slug, path: file }) => slug === name || file === name);
  if (!subject) {
    const slugs = catalog.subjects.map(({ slug }) => slug);
    throw new Fault('kb/no-match', `The topic ${topic.id} has no subject "${name}".`, {
      hint: didYouMean(name, slugs) ?? `"ken kb ls ${topic.id}" lists them.`,
    });
  }
  const read = () => {
    const found = files.read(subject.path, MAX_BYTES);
    return found.ok && found.size <= MAX_BYTES ? found.bytes : undefined;
  };
  return { topic, subject, directory: path.join(app.workspace.root, topic.directory), read };
}

const MAX_BYTES = 64 * 1024 * 1024;

export function contentOf({ read, subject }: FoundSubject): Uint8Array {
  const content = read();
  if (content) return content;
  throw new Fault('kb/unreadable', `${subject.path} cannot be read, or is larger than 64 MiB.`);
}
