/** Writes entries: new ones, next versions, replacements, rules, and what changes their standing. */

import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { seekApproval } from '../../../../domain/approvals/seek-approval.ts';
import { parseLabelChanges } from '../../../../domain/labels/label-directive.ts';
import { type Actor, addEntry, reviseEntry, stampOf } from '../../../../domain/ledger/add-entry.ts';
import { checkedChoice } from '../../../../domain/ledger/entry/checked-input.ts';
import { type Entry, entryId, TTL_POLICIES } from '../../../../domain/ledger/entry/entry.ts';
import { confirmedPerson, isTold } from '../../../../domain/ledger/entry/provenance.ts';
import { verifyEntries } from '../../../../domain/ledger/evidence/verify-entries.ts';
import { noEntry } from '../../../../domain/ledger/plans/plan-status.ts';
import { proposal } from '../../../../domain/ledger/promotion/promote-entry.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { type Action, page, type Visit, workspaceOf } from '../../page.ts';
import { address, changeForm, type Html, hidden, html, NOTHING } from '../../parts/html.ts';

export const entryFormPage = page({
  path: '/ledger/new',
  section: 'ledger',
  title: ({ kind }) => TITLES[kind],
  async load(visit: Visit) {
    const { query } = visit;
    const app = workspaceOf(visit);
    const kind: Kind = query.has('edit') ? 'edit' : query.has('replace') ? 'replace' : 'new';
    const id = query.get(kind);
    const entry = id === null ? undefined : await requireEntry(app, id);
    if (kind === 'replace' && entry?.visibility !== undefined)
      throw new Fault('ledger/conflict', 'Only an entry of the workspace is replaced here; edit this one.');
    return {
      kind,
      id: entry?.id ?? '',
      title: entry?.title ?? '',
      text: entry?.text ?? '',
      provenance: kind === 'new' ? '' : (entry?.citations.map((each) => each.provenance).join('\n') ?? ''),
      tags: entry?.tags.join(', ') ?? '',
      mergeKey: entry?.mergeKey ?? '',
      ttl: entry?.ttlPolicy ?? 'persistent',
      hasVisibility: kind === 'new' && app.entriesBeside !== undefined,
    };
  },
  view: (data, visit) => html`
    <div class="top"><div><p class="quiet"><a href="/ledger">Ledger</a></p><h1>${TITLES[data.kind]}</h1></div></div>
    <p class="lead">${LEADS[data.kind]}</p>
    ${changeForm(visit, data.kind === 'edit' ? '/ledger/revise' : '/ledger/add', formFields(data), 'stack')}
    ${visit.canChange ? NOTHING : html`<p>This page is read only.</p>`}`,
});

type Kind = 'new' | 'edit' | 'replace';

const TITLES: Readonly<Record<Kind, string>> = {
  new: 'New entry',
  edit: 'Edit the entry',
  replace: 'Replace the entry',
};

const LEADS: Readonly<Record<Kind, string>> = {
  new: 'One fact, with the source that shows it.',
  edit: 'What you save is its next version; the one before stays in its history.',
  replace: 'The new entry takes its place; the old one stays readable as superseded.',
};

interface Fields {
  readonly kind: Kind;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly provenance: string;
  readonly tags: string;
  readonly mergeKey: string;
  readonly ttl: string;
  readonly hasVisibility: boolean;
}

function formFields(fields: Fields): Html {
  const { kind, id, title, text, provenance, tags, mergeKey, ttl, hasVisibility } = fields;
  const back = address('/ledger/new', kind === 'new' ? {} : { [kind]: id });
  const more = html`
    <label>Sources, one a line <textarea name="provenance" class="few" required placeholder="file:docs/ports.md#L3-L9">${'\n'}${provenance}</textarea></label>
    <p class="small quiet">file:PATH#L3-L9, url:, commit:, ref:ken://..., person:NAME, meeting:TITLE@DATE</p>
    <label>Tags, with commas <input name="tags" value="${tags}" autocomplete="off"></label>
    <label>Merge key: what it is about, so that a newer entry replaces it <input name="key" value="${mergeKey}" ${kind === 'replace' ? html`readonly` : NOTHING} autocomplete="off"></label>
    <label>How long it holds <select name="ttl">${TTL_POLICIES.map(
      (each) => html`<option ${each === ttl ? html`selected` : NOTHING}>${each}</option>`,
    )}</select></label>
    ${hasVisibility ? visibilityField : NOTHING}`;
  return html`${hidden('back', back)}${hidden('id', id)}${hidden('kind', kind)}
    <label>Title <input name="title" value="${title}" required maxlength="300" autocomplete="off"></label>
    <label>Text <textarea name="text" required>${'\n'}${text}</textarea></label>
    ${kind === 'edit' ? NOTHING : more}
    <div class="row"><button class="main">Save</button>
      <a href="${id === '' ? '/ledger' : address('/ledger/entry', { id })}">Cancel</a></div>`;
}

const visibilityField = html`<label>Who sees it <select name="visibility">
  <option value="workspace">The workspace</option><option value="me">Only me</option></select></label>`;

async function requireEntry({ ledger }: WorkspaceApp, given: string): Promise<Entry> {
  const id = entryId(given);
  const [entry] = await ledger.entries([id]);
  if (!entry) throw noEntry(id);
  return entry;
}

export const promotePage = page({
  path: '/ledger/promote',
  section: 'ledger',
  title: () => 'Make it a rule',
  async load(visit: Visit) {
    const { id, title, text, citations } = await requireEntry(
      workspaceOf(visit),
      visit.query.get('id') ?? '',
    );
    return { id, title, text, evidence: citations.map(({ provenance }) => provenance) };
  },
  view: ({ id, title, text, evidence }, visit) => html`
    <div class="top"><div><p class="quiet"><a href="/ledger">Ledger</a> / <a href="${address('/ledger/entry', { id })}">${title}</a></p><h1>Make it a rule</h1></div></div>
    <p class="lead">Rules stand in every system prompt. You see the whole text once more before you approve it.</p>
    <pre class="request" tabindex="0">${text}</pre>
    ${changeForm(
      visit,
      '/ledger/promote',
      html`${hidden('id', id)}${hidden('back', address('/ledger/promote', { id }))}
      <label>Name of the rule <input name="as" required value="procedural/" pattern="procedural/.+" autocomplete="off"></label>
      <label>Why it should be a rule <input name="reason" required autocomplete="off"></label>
      <label>Evidence, one a line <textarea name="evidence" class="few" required>${'\n'}${evidence.join('\n')}</textarea></label>
      <div class="row"><button class="main">Propose</button></div>`,
      'stack',
    )}`,
});

async function actorOf({ operator, ids }: WorkspaceApp): Promise<Actor> {
  return { name: await operator.name(), run: ids.ulid() };
}

function linesIn(form: URLSearchParams, name: string): string[] {
  return (form.get(name) ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

function shown(id: string, text: string, kind: 'done' | 'problem' = 'done') {
  return { to: address('/ledger/entry', { id }), notice: { kind, text } } as const;
}

function plainText(form: URLSearchParams): string {
  return (form.get('text') ?? '').replace(/\r\n/g, '\n').trim();
}

/** Never that of the workspace for what only its author is to see. */
function ledgerFor(app: WorkspaceApp, form: URLSearchParams): WorkspaceApp['ledger'] {
  const visibility = checkedChoice('visibility', form.get('visibility') ?? undefined, ['workspace', 'me']);
  if (visibility !== 'me') return app.entriesBeside?.workspace ?? app.ledger;
  if (app.entriesBeside) return app.entriesBeside.own;
  throw new Fault(
    'team/unset',
    'There is no team here. Everybody who can open this workspace sees all its entries.',
  );
}

export const LEDGER_ACTIONS: readonly Action[] = [
  {
    path: '/ledger/add',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const given = (name: string) => (form.get(name) ?? '').trim() || undefined;
      const { id, supersededIds, unfound } = await addEntry(
        { ...app, ledger: ledgerFor(app, form), isCitationUri },
        {
          title: given('title') ?? '',
          text: plainText(form),
          provenance: linesIn(form, 'provenance'),
          mergeKey: given('key'),
          onConflict: form.get('kind') === 'replace' ? 'supersede' : 'merge',
          ttlPolicy: given('ttl'),
          tags: (given('tags') ?? '')
            .split(',')
            .map((tag) => tag.trim())
            .filter(Boolean),
          labels: parseLabelChanges([], 'An entry'),
          actor: await actorOf(app),
        },
      );
      if (unfound.length > 0)
        return shown(
          id,
          `Kept. ${unfound.join(', ')} does not exist now, so a change of it will not be noticed.`,
          'problem',
        );
      return shown(id, supersededIds.length > 0 ? `Kept. It replaces ${supersededIds.join(', ')}.` : 'Kept.');
    },
  },
  {
    path: '/ledger/revise',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const { id } = await requireEntry(app, form.get('id') ?? '');
      const title = (form.get('title') ?? '').trim();
      await reviseEntry(
        { ...app, isCitationUri },
        { id, title, text: plainText(form), actor: await actorOf(app) },
      );
      return shown(id, 'The next version is kept.');
    },
  },
  {
    path: '/ledger/confirm',
    decides: true,
    async run(visit, form) {
      const app = workspaceOf(visit);
      const { id, provenance } = await requireEntry(app, form.get('id') ?? '');
      const confirmed = isTold(provenance) ? confirmedPerson(provenance) : provenance;
      await reviseEntry({ ...app, isCitationUri }, { id, provenance: confirmed, actor: await actorOf(app) });
      return shown(id, 'Confirmed: it is yours.');
    },
  },
  {
    path: '/ledger/promote',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const request = await proposal(app, {
        sourceId: form.get('id') ?? '',
        evidence: linesIn(form, 'evidence'),
        reason: form.get('reason') ?? '',
        as: form.get('as') ?? '',
        actor: await actorOf(app),
        workspace: app.workspace.root,
      });
      const { approval } = await seekApproval(app, request, visit.signal);
      return { to: address('/approvals/show', { id: approval.id }) };
    },
  },
  {
    path: '/ledger/verify',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const { id } = await requireEntry(app, form.get('id') ?? '');
      const actor = await actorOf(app);
      const pages = verifyEntries({ ...app, isCitationUri }, { ids: [id], fix: false, actor });
      const checked = (await Array.fromAsync(pages)).flat();
      const text = checked.map(({ provenance, verdict }) => `${provenance}: ${verdict}`).join('; ');
      const isGood = checked.every(({ verdict }) => verdict === 'ok' || verdict === 'unchecked');
      return shown(id, text || 'There is no evidence to check.', isGood ? 'done' : 'problem');
    },
  },
  {
    path: '/ledger/status',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const { id } = await requireEntry(app, form.get('id') ?? '');
      const stamp = stampOf(app, await actorOf(app));
      const action = form.get('action') === 'restore' ? 'restore' : 'deprecate';
      const reason = (form.get('reason') ?? '').trim() || 'on the page';
      const { status } = await app.ledger.changeStatus({
        ...{ id, action, reason, stamp },
        lifetimes: app.config.knowledge,
      });
      const undo = {
        path: '/ledger/status',
        fields: { id, action: action === 'restore' ? 'deprecate' : 'restore', back: '/ledger' },
      };
      return {
        to: address('/ledger/entry', { id }),
        notice: { kind: 'done', text: `The entry is ${status}.`, undo },
      };
    },
  },
];
