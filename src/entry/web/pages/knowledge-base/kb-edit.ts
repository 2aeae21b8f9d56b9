/** Writes subjects: new ones, changes with a preview, other names, removal. Nothing that somebody else wrote is lost. */

import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { lineDifference } from '../../../../base/line-difference.ts';
import { shellWord } from '../../../../base/shell-words.ts';
import { estimateTokens } from '../../../../base/text.ts';
import { planSubject, requireText } from '../../../../domain/knowledge-base/add-subject.ts';
import { requireTopic } from '../../../../domain/knowledge-base/learn/learn-from.ts';
import { knowledgeBaseFrom } from '../../../../domain/knowledge-base/topic.ts';
import { splitTarget, writableListing } from '../../../cli/commands/kb/add.ts';
import { contentOf, findSubject, moveTo } from '../../../cli/commands/kb/subject.ts';
import { type Action, type ActionEnd, page, type Visit, workspaceOf } from '../../page.ts';
import {
  address,
  changeForm,
  differenceView,
  type Html,
  hidden,
  html,
  NOTHING,
  numeral,
} from '../../parts/html.ts';
import { subjectText } from './kb.ts';

/** A form has at most two megabytes, and a browser may write three characters for one. */
const MOST_BYTES = 500_000;

export const editPage = page({
  path: '/kb/edit',
  section: 'kb',
  hasEditor: true,
  title: ({ slug }) => (slug === '' ? 'New subject' : `Edit ${slug}`),
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const { query, drafts } = visit;
    const [topic, slug, draftKey] = ['topic', 'slug', 'draft'].map((key) => query.get(key) ?? '');
    requireTopic(knowledgeBaseFrom(app.config.kb), topic ?? '');
    const draft = drafts.get(draftKey ?? '');
    const saved = slug === '' ? undefined : await savedText(app, `${topic}/${slug}`);
    const isChanged = draft !== undefined && query.get('digest') !== (saved?.digest ?? '');
    return {
      topic: topic ?? '',
      slug: slug ?? '',
      path: saved?.path ?? draft?.name ?? '',
      draft: draft === undefined ? null : (draftKey ?? null),
      name: draft?.name.slice(`${topic}/`.length) ?? slug ?? '',
      text: draft?.text ?? saved?.text ?? '',
      /** The file as it was when editing began; saving refuses to replace any other. */
      digest: (draft === undefined ? saved?.digest : query.get('digest')) ?? '',
      saved: saved ? { text: saved.text, digest: saved.digest } : null,
      /** Somebody else has written the file since editing began. */
      isChanged: slug !== '' && isChanged,
    };
  },
  view: (data, visit) => html`
    <div class="top"><div><p class="quiet"><a href="/kb">Knowledge base</a> / ${
      data.slug === ''
        ? data.topic
        : html`<a href="${address('/kb/subject', { topic: data.topic, slug: data.slug })}">${data.topic}/${data.slug}</a>`
    }</p><h1>${data.slug === '' ? 'New subject' : `Edit ${data.slug}`}</h1></div></div>
    ${data.isChanged ? conflictView(data, visit) : NOTHING}
    ${visit.canChange ? editForm(data, visit) : html`<p>This page is read only.</p>`}
    <section class="stack" id="preview" aria-label="Preview">${previewView(data)}</section>`,
});

interface Edited {
  readonly topic: string;
  readonly slug: string;
  readonly path: string;
  readonly draft: string | null;
  readonly name: string;
  readonly text: string;
  readonly digest: string;
  readonly saved: { readonly text: string; readonly digest: string } | null;
}

function editForm({ topic, slug, draft, name, text, digest }: Edited, visit: Visit): Html {
  const nameField =
    slug === ''
      ? html`<label>Name <input name="name" value="${name}" required placeholder="maintainers/ada" autocomplete="off"></label>`
      : hidden('name', slug);
  // A field's text loses its first newline, so there is always one.
  return changeForm(
    visit,
    '/kb/save',
    html`${hidden('topic', topic)}${hidden('slug', slug)}${hidden('digest', digest)}${hidden('draft', draft ?? '')}
      ${hidden('back', address('/kb/edit', { topic, slug }))}
      ${nameField}
      <label for="text">Text</label>
      <textarea id="text" name="text" class="code" required data-editor data-preview="preview" spellcheck="true">${'\n'}${text}</textarea>
      <div class="row"><button class="main">Save</button>
        <button formaction="/kb/preview">Preview</button>
        <a href="${slug === '' ? '/kb' : address('/kb/subject', { topic, slug })}">Cancel</a></div>`,
    'stack edit',
  );
}

function previewView({ path, text, saved, draft }: Edited): Html {
  if (text === '') return NOTHING;
  const isSame = saved === null || saved.text === text;
  return html`<div class="top"><h2>Preview</h2><p class="small quiet">about ${numeral(estimateTokens(text))} tokens</p></div>
    <div class="card">${subjectText(path, text)}</div>
    ${draft === null || isSame ? NOTHING : html`<h2>What changes</h2>${differenceView(lineDifference(saved.text, text))}`}`;
}

function conflictView({ topic, slug, draft, saved }: Edited, visit: Visit): Html {
  const fields = { topic, slug, name: slug, draft: draft ?? '', digest: saved?.digest ?? '' };
  return html`<div class="notice problem stack" role="alert">
    <p><strong>${saved ? 'Somebody else has changed this file since you opened it.' : 'This file has been removed since you opened it.'}</strong>
      Below, "What changes" shows your text against theirs.</p>
    <div class="row">
      ${changeForm(visit, '/kb/save', html`${Object.entries(fields).map(([key, value]) => hidden(key, value))}${hidden('back', address('/kb/edit', { topic, slug }))}<button>Save mine over theirs</button>`)}
      <a class="button" href="${address('/kb/edit', { topic, slug })}">Take theirs</a>
    </div></div>`;
}

interface SavedText {
  readonly path: string;
  readonly text: string;
  readonly digest: string;
  readonly hasReturns: boolean;
}

/** Undefined when the subject is gone. */
async function savedText(app: WorkspaceApp, name: string): Promise<SavedText | undefined> {
  let content: Uint8Array;
  let path: string;
  try {
    const found = await findSubject(app, name);
    content = contentOf(found);
    path = found.subject.path;
  } catch (error) {
    if (error instanceof Fault && error.code === 'kb/no-match') return undefined;
    throw error;
  }
  if (content.length > MOST_BYTES)
    throw new Fault('kb/unreadable', `${path} is too large to be edited here.`, {
      hint: `Run "ken kb edit ${shellWord(name)}".`,
    });
  requireText(content);
  const written = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
  const hasReturns = written.includes('\r\n');
  return { path, text: written.replaceAll('\r\n', '\n'), digest: app.hasher.sha256(written), hasReturns };
}

/** The fields of a form; a draft stands in where the form has no text. */
function typed({ drafts }: Visit, form: URLSearchParams) {
  const [topic, slug, name, key] = ['topic', 'slug', 'name', 'draft'].map((field) => form.get(field) ?? '');
  const draft = drafts.get(key ?? '');
  const text = (form.get('text') ?? draft?.text ?? '').replaceAll('\r\n', '\n');
  const draftKey = drafts.keep({ name: `${topic}/${name}`, text }, draft ? key : undefined);
  const digest = form.get('digest') ?? '';
  const to = address('/kb/edit', { topic, slug, draft: draftKey, digest });
  return { topic: topic ?? '', slug: slug ?? '', name: name ?? '', text, digest, to };
}

async function save(visit: Visit, form: URLSearchParams): Promise<ActionEnd> {
  const app = workspaceOf(visit);
  const { topic, slug, name, text, digest, to } = typed(visit, form);
  if (slug === '') return create(app, { topic, name, text });
  const saved = await savedText(app, `${topic}/${slug}`);
  if (saved?.digest !== digest || !saved)
    return { to, notice: { kind: 'problem', text: 'Nothing is saved: the file is not the one you opened.' } };
  const { directory, subject } = await findSubject(app, `${topic}/${slug}`);
  const content = new TextEncoder().encode(saved.hasReturns ? text.replaceAll('\n', '\r\n') : text);
  requireText(content);
  await app.newFiles.replace(directory, subject.path, content);
  return {
    to: address('/kb/subject', { topic, slug }),
    notice: {
      kind: 'done',
      text: `${topic}/${slug} is saved.`,
      undo: {
        path: '/kb/save',
        fields: {
          ...{ topic, slug, name: slug, text: saved.text },
          digest: app.hasher.sha256(new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)),
        },
      },
    },
  };
}

async function create(
  app: WorkspaceApp,
  { topic: id, name, text }: { readonly topic: string; readonly name: string; readonly text: string },
): Promise<ActionEnd> {
  const topic = requireTopic(knowledgeBaseFrom(app.config.kb), id);
  const { path, slug } = planSubject(await writableListing(app, topic), { name, extension: undefined });
  const content = new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`);
  requireText(content);
  // The directory must be inside the workspace, and the file inside the directory.
  if (!topic.followSymlinks) await app.newFiles.makeDirectory(app.workspace.root, topic.directory);
  await app.newFiles.create(`${app.workspace.root}/${topic.directory}`, [{ path, content }]);
  const to = address('/kb/subject', { topic: topic.id, slug });
  return { to, notice: { kind: 'done', text: `${topic.directory}/${path} is written.` } };
}

export const SUBJECT_ACTIONS: readonly Action[] = [
  {
    path: '/kb/save',
    async run(visit, form) {
      try {
        return await save(visit, form);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        // What was typed stays in the form.
        const { to } = typed(visit, form);
        return { to, notice: { kind: 'problem', text: error.message, hint: error.hint } };
      }
    },
  },
  {
    path: '/kb/preview',
    async run(visit, form) {
      workspaceOf(visit);
      return { to: typed(visit, form).to };
    },
  },
  {
    path: '/kb/rename',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const found = await findSubject(app, form.get('name') ?? '');
      const [before, after] = await moveTo(app, found, (form.get('to') ?? '').trim());
      const { topicId: topic, name: slug } = splitTarget(after);
      const undo = { path: '/kb/rename', fields: { name: after, to: before, back: '/kb' } };
      return {
        to: address('/kb/subject', { topic, slug }),
        notice: { kind: 'done', text: `${before} is ${after} now.`, undo },
      };
    },
  },
  {
    path: '/kb/remove',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const { topic, subject, directory, read } = await findSubject(app, form.get('name') ?? '');
      const content = read();
      const text = content && new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
      await app.newFiles.remove(directory, subject.path);
      const draft =
        text === undefined ? undefined : visit.drafts.keep({ name: `${topic.id}/${subject.path}`, text });
      return {
        to: '/kb',
        notice: {
          kind: 'done',
          text: `${topic.directory}/${subject.path} is removed.`,
          ...(draft !== undefined && { undo: { path: '/kb/restore', fields: { draft, back: '/kb' } } }),
        },
      };
    },
  },
  {
    path: '/kb/restore',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const draft = visit.drafts.get(form.get('draft') ?? '');
      if (!draft)
        throw new Fault('kb/no-match', 'The text is no longer held in memory.', {
          hint: 'git may have it: "git log -- FILE".',
        });
      const { topicId, name } = splitTarget(draft.name);
      return create(app, { topic: topicId, name, text: draft.text });
    },
  },
];
