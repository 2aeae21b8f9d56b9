import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import type { Json } from '../../../base/json.ts';
import { lineDifference } from '../../../base/line-difference.ts';
import { assign } from '../../../config/assignment.ts';
import { formatKeyPath, parseKeyPath } from '../../../config/key-path.ts';
import { maskSecrets } from '../../../config/mask-secrets.ts';
import { leaves, originsOf } from '../../../config/origins.ts';
import { type KeyWrite, previewKey, setKey } from '../../../config/set-key.ts';
import { tomlValue } from '../../../config/toml/format-toml.ts';
import type { Tree } from '../../../config/tree.ts';
import { keepTrust } from '../../../domain/approvals/operator/keep-trust.ts';
import { type Action, page, type Visit, workspaceOf } from '../page.ts';
import {
  address,
  changeForm,
  choices,
  differenceView,
  emptyState,
  type Html,
  hidden,
  html,
  NOTHING,
} from '../parts/html.ts';

const DEFAULT = 'default';

export const settingsPage = page({
  path: '/settings',
  section: 'settings',
  title: () => 'Settings',
  async load({ app, query }: Visit) {
    const origins = originsOf(app.settings.layers, app.settings.isTrusted);
    const isAll = query.get('all') === '1';
    const rows = leaves(maskSecrets(app.config as Tree, []), []).map(({ path: key, value }) => {
      const name = formatKeyPath(key);
      const origin = origins.get(name);
      const names = origin === undefined ? [] : [origin].flat().map((each) => each.name);
      return { key: name, value: value as Json, origin: [...new Set(names)].join(', ') || DEFAULT };
    });
    return {
      isAll,
      root: app.workspace?.root ?? null,
      trust: app.settings.trust,
      files: app.settings.files.map(({ file }) => file),
      problems: app.settings.problems.map(({ message }) => message),
      settings: isAll ? rows : rows.filter(({ origin }) => origin !== DEFAULT),
    };
  },
  view: (data, visit) => html`
    <div class="top"><h1>Settings</h1>${choices('Which settings', [
      { text: 'Set by you', to: '/settings', isChosen: !data.isAll },
      { text: 'All', to: '/settings?all=1', isChosen: data.isAll },
    ])}</div>
    ${data.trust === 'untrusted' || data.trust === 'changed' ? html`<div class="notice problem"><p>This workspace is not trusted, so some of what it sets is left out. <a href="/approvals/trust">Look at it</a></p></div>` : NOTHING}
    ${data.problems.map((message) => html`<div class="notice problem"><p>${message}</p></div>`)}
    ${
      data.settings.length === 0
        ? emptyState('Everything has its default.', html`<a href="/settings?all=1">See all settings</a>`)
        : tableView(data.settings, data.root, visit)
    }
    ${visit.canChange && visit.app.workspace ? keyForm() : NOTHING}`,
});

interface Row {
  readonly key: string;
  readonly value: Json;
  readonly origin: string;
}

function tableView(rows: readonly Row[], root: string | null, visit: Visit): Html {
  const isEditable = visit.canChange && root !== null;
  return html`<div class="wide" tabindex="0"><table class="settings"><thead><tr><th>Key</th><th>Value</th><th>From</th></tr></thead><tbody>${rows.map(
    ({ key, value, origin }) =>
      html`<tr><td>${isEditable ? html`<a href="${address('/settings/change', { key })}"><code>${key}</code></a>` : html`<code>${key}</code>`}</td>
        <td><code>${tomlValue(value)}</code></td><td class="quiet">${root === null ? origin : origin.replaceAll(`${root}/`, '')}</td></tr>`,
  )}</tbody></table></div>`;
}

function keyForm(): Html {
  return html`<form class="filters" action="/settings/change">
    <label>Change a key <input name="key" required placeholder="kb.topic.project.introduction" autocomplete="off"></label>
    <button>Continue</button></form>`;
}

const FILES = {
  shared: { file: 'config.toml', text: '.ken/config.toml, shared through the repository' },
  local: { file: 'config.local.toml', text: '.ken/config.local.toml, on this machine alone' },
} as const;

/** One key: its new value, and what would change in which file. */
export const changePage = page({
  path: '/settings/change',
  section: 'settings',
  title: ({ key }) => key,
  async load(visit: Visit) {
    const { query } = visit;
    const app = workspaceOf(visit);
    const [given = '', value] = [query.get('key') ?? '', query.get('value')];
    const key = formatKeyPath(parseKeyPath(given));
    const [current] = leaves(maskSecrets(app.config as Tree, []), []).filter(
      ({ path: each }) => formatKeyPath(each) === key,
    );
    const place: Given['place'] = query.get('in') === 'local' ? 'local' : 'shared';
    return {
      key,
      place,
      current: current ? tomlValue(current.value as Json) : null,
      value,
      ...(await preview(visit, { key, value, place })),
    };
  },
  view: (data, visit) => html`
    <div class="top"><div><p class="quiet"><a href="/settings">Settings</a></p><h1 class="mono">${data.key}</h1></div></div>
    <p>${data.current === null ? 'It is not set.' : html`It is <code>${data.current}</code> now.`}</p>
    <form class="stack" action="/settings/change">${hidden('key', data.key)}
      <label>New value <input name="value" value="${data.value ?? ''}" required autocomplete="off"></label>
      <fieldset class="card"><legend>Where</legend>${Object.entries(FILES).map(
        ([place, { text }]) =>
          html`<label class="row"><input type="radio" name="in" value="${place}" ${place === data.place ? html`checked` : NOTHING}> ${text}</label>`,
      )}</fieldset>
      <div><button>Show the change</button></div></form>
    ${data.problem === null ? NOTHING : html`<div class="notice problem"><p>${data.problem.message}</p><p class="quiet">${data.problem.hint}</p></div>`}
    ${data.difference === null ? NOTHING : writeForm({ ...data, difference: data.difference }, visit)}`,
});

interface Given {
  readonly key: string;
  readonly value: string | null;
  readonly place: 'shared' | 'local';
}

async function preview(visit: Visit, given: Given) {
  const nothing = { difference: null, problem: null };
  if (given.value === null) return nothing;
  try {
    const { before, after } = await previewKey(visit.app.configFiles, keyWrite(visit, given));
    // Other lines may hold secrets.
    const changed = lineDifference(before, after)
      .split('\n')
      .filter((line) => !line.startsWith('  '));
    return { ...nothing, difference: changed.join('\n') };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...nothing, problem: { message: error.message, hint: error.hint ?? '' } };
  }
}

function keyWrite(visit: Visit, { key, value, place }: Given): KeyWrite {
  const change = assign({ path: parseKeyPath(key), value: value ?? '', isJson: false, isAppend: false });
  const file = path.join(workspaceOf(visit).workspace.home, FILES[place].file);
  return { file, standing: 'workspace', change };
}

function writeForm(
  { key, value, place, difference }: Given & { readonly difference: string },
  visit: Visit,
): Html {
  if (difference === '') return html`<p>The file has this value already.</p>`;
  const fields = html`${hidden('key', key)}${hidden('value', value ?? '')}${hidden('in', place)}${hidden('back', address('/settings/change', { key }))}`;
  return html`<section class="stack"><h2>What changes in .ken/${FILES[place].file}</h2>${differenceView(difference)}
    ${changeForm(visit, '/settings/set', html`${fields}<button class="main">Write it</button> <span class="small quiet">It counts from the next start of the page on.</span>`, 'row')}</section>`;
}

export const SETTINGS_ACTIONS: readonly Action[] = [
  {
    path: '/settings/set',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const place = form.get('in') === 'local' ? 'local' : 'shared';
      const write = keyWrite(visit, { key: form.get('key') ?? '', value: form.get('value'), place });
      const { root } = app.workspace;
      const written = await keepTrust(app, { workspace: root, file: path.relative(root, write.file) }, () =>
        setKey(app.configFiles, write),
      );
      const key = formatKeyPath(write.change.path);
      const text = `${key} = ${tomlValue(maskSecrets(written, write.change.path))} is in .ken/${FILES[place].file}.`;
      return { to: '/settings', notice: { kind: 'done', text, hint: 'Start the page again to use it.' } };
    },
  },
];
