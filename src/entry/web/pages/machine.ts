/** Pages about ken itself: tools, jobs, settings, doctor. */

import path from 'node:path';
import type { Json } from '../../../base/json.ts';
import { assign } from '../../../config/assignment.ts';
import { formatKeyPath, parseKeyPath } from '../../../config/key-path.ts';
import { maskSecrets } from '../../../config/mask-secrets.ts';
import { leaves, originsOf } from '../../../config/origins.ts';
import { setKey } from '../../../config/set-key.ts';
import { tomlValue } from '../../../config/toml/format-toml.ts';
import type { Tree } from '../../../config/tree.ts';
import { cancelJob, findJob } from '../../../domain/approvals/find-job.ts';
import { type JobProgress, jobStatus } from '../../../domain/approvals/job.ts';
import { keepTrust } from '../../../domain/approvals/operator/keep-trust.ts';
import { assistantKnowledge } from '../../../domain/turns/assistant-knowledge.ts';
import { assistantTools, openKnowledge } from '../../../domain/turns/tools/assistant-tools.ts';
import { CHECKS } from '../../cli/checks/checks.ts';
import { runChecks } from '../../cli/commands/doctor.ts';
import { jobAsJson, messageOf, progressText } from '../../cli/commands/jobs/job-json.ts';
import { turnPorts } from '../../turn-ports.ts';
import { type Action, page, type Visit, workspaceOf } from '../page.ts';
import {
  ago,
  badge,
  changeForm,
  choices,
  emptyState,
  type Html,
  hidden,
  html,
  NOTHING,
} from '../parts/html.ts';

export const toolsPage = page({
  path: '/tools',
  section: 'tools',
  title: () => 'Tools',
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const known = await openKnowledge(app, assistantKnowledge(app.config));
    const { tools, leftOut } = await assistantTools(turnPorts(app), known);
    return {
      tools: tools.map(({ name, description, reach, run, access, parameters }) => ({
        name,
        description,
        reach,
        run,
        access: access ?? null,
        parameters,
      })),
      left_out: leftOut.map(({ name, fault }) => ({ name, problem: fault.message, hint: fault.hint ?? '' })),
    };
  },
  view: ({ tools, left_out }) => html`
    <div class="top"><h1>Tools</h1><p class="quiet">what your assistant may call</p></div>
    ${tools.length === 0 ? emptyState('There are no tools.') : NOTHING}
    ${left_out.map(
      ({ name, problem, hint }) =>
        html`<p>${badge('cannot be used', 'alert')} <strong class="mono">${name}</strong> ${problem} ${hint}</p>`,
    )}
    <ul class="list" data-items>${tools.map(
      ({ name, description, reach, run, access, parameters }) => html`<li>
        <span class="row"><strong class="mono">${name}</strong> ${badge(reach, reach === 'read' ? 'plain' : 'alert')} ${badge(run === 'ask' ? 'asks you' : run, run === 'unattended' ? 'plain' : 'accent')}</span>
        <span class="quiet">${description.split('\n')[0]}</span>
        ${access === null ? NOTHING : html`<span class="small quiet">${access}</span>`}
        <details class="small"><summary>Parameters</summary><pre tabindex="0">${JSON.stringify(parameters, null, 2)}</pre></details>
      </li>`,
    )}</ul>`,
});

const SHOWN_JOBS = 100;

export const jobsPage = page({
  path: '/jobs',
  section: 'jobs',
  title: () => 'Jobs',
  async load({ app, query }: Visit) {
    const isAll = query.get('all') === '1';
    const found = await app.jobs.list({ limit: SHOWN_JOBS, ...(!isAll && { isRunning: true }) });
    const jobs = await Promise.all(
      found.map(async (job) => {
        const status = await jobStatus(app.processWatch, job);
        const { started, progress } = job;
        return {
          ...jobAsJson(job, status),
          id: job.id,
          title: job.title,
          status,
          startedAt: started,
          running: progress ?? null,
          end: messageOf(job) ?? '',
        };
      }),
    );
    return { isAll, jobs };
  },
  view: ({ isAll, jobs }, visit) => html`
    <div class="top"><h1>Jobs</h1>${choices('Which jobs', [
      { text: 'Running', to: '/jobs', isChosen: !isAll },
      { text: 'All', to: '/jobs?all=1', isChosen: isAll },
    ])}</div>
    <div id="live" data-live-part class="stack">${
      jobs.length === 0
        ? emptyState(
            isAll ? 'There were no jobs yet.' : 'No job is running.',
            'Fetching a reference topic is one.',
          )
        : html`<ul class="list">${jobs.map(
            ({ id, title, status, startedAt, running, end }) => html`<li>
              <span class="name">${title}</span>
              <span class="row small quiet">${badge(status, status === 'running' || status === 'done' ? 'accent' : 'alert')} begun ${ago(startedAt, visit.now)} ${end}</span>
              ${running !== null && status === 'running' ? progressView(running) : NOTHING}
              ${status === 'running' || status === 'interrupted' ? changeForm(visit, '/jobs/cancel', html`${hidden('id', id)}${hidden('back', '/jobs')}<button>Cancel</button>`) : NOTHING}
            </li>`,
          )}</ul>`
    }</div>`,
});

function progressView(progress: JobProgress): Html {
  const { done, total } = progress;
  const text = progressText(progress);
  const bar =
    total === undefined
      ? html`<progress aria-label="${text}"></progress>`
      : html`<progress value="${done}" max="${total}" aria-label="${text}"></progress>`;
  return html`${bar}<span class="small quiet">${text}</span>`;
}

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
    ${data.trust === 'untrusted' || data.trust === 'changed' ? html`<div class="notice problem"><p>This workspace is not trusted, so some of what it sets is left out.</p><p class="quiet">Run "ken trust" in a terminal to look at it.</p></div>` : NOTHING}
    ${data.problems.map((message) => html`<div class="notice problem"><p>${message}</p></div>`)}
    ${
      data.settings.length === 0
        ? emptyState('Everything has its default.', html`<a href="/settings?all=1">See all settings</a>`)
        : html`<div class="wide" tabindex="0"><table><thead><tr><th>Key</th><th>Value</th><th>From</th></tr></thead><tbody>${data.settings.map(
            ({ key, value, origin }) =>
              html`<tr><td><code>${key}</code></td><td><code>${tomlValue(value)}</code></td><td class="quiet">${origin}</td></tr>`,
          )}</tbody></table></div>`
    }
    ${
      visit.app.workspace
        ? changeForm(
            visit,
            '/settings/set',
            html`<h2>Change a value of this workspace</h2>${hidden('back', '/settings')}
      <label>Key <input name="key" required placeholder="kb.topic.project.introduction" autocomplete="off"></label>
      <label>Value <input name="value" required autocomplete="off"></label>
      <div class="row"><button class="main">Write to .ken/config.toml</button><span class="small quiet">It counts from the next start of the page on.</span></div>`,
            'stack',
          )
        : NOTHING
    }`,
});

export const doctorPage = page({
  path: '/doctor',
  section: 'doctor',
  title: () => 'Doctor',
  async load({ app, place, signal }: Visit) {
    const context = {
      app,
      environment: place.request.environment,
      usesNetwork: false,
      configFault: undefined,
    };
    const reports = await Promise.all(runChecks(CHECKS, context, { signal, timeoutMs: 15_000 }));
    return {
      checks: reports.map(({ check, finding }) => ({
        id: check.id,
        title: check.title,
        hint: null,
        ...finding,
      })),
    };
  },
  view: ({ checks }) => {
    const wrong = checks.filter(({ status }) => status === 'problem' || status === 'warning').length;
    return html`
    <div class="top"><h1>Doctor</h1><p class="quiet">${wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${checks.length} checks found something.`}</p></div>
    <ul class="list">${checks.map(
      ({ title, status, message, hint }) => html`<li>
        <span class="row">${badge(status, status === 'ok' ? 'accent' : status === 'skipped' ? 'plain' : 'alert')} <strong>${title}</strong> <span class="quiet">${message}</span></span>
        ${hint === null ? NOTHING : html`<span>${hint}</span>`}
      </li>`,
    )}</ul>`;
  },
});

export const MACHINE_ACTIONS: readonly Action[] = [
  {
    path: '/jobs/cancel',
    async run({ app }, form) {
      const job = await cancelJob(app, await findJob(app.jobs, form.get('id') ?? ''));
      return { to: '/jobs', notice: { kind: 'done', text: `Job ${job.id} is being cancelled.` } };
    },
  },
  {
    path: '/settings/set',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const change = assign({
        path: parseKeyPath(form.get('key') ?? ''),
        value: form.get('value') ?? '',
        isJson: false,
        isAppend: false,
      });
      const file = path.join(app.workspace.home, 'config.toml');
      const root = app.workspace.root;
      const written = await keepTrust(app, { workspace: root, file: path.relative(root, file) }, () =>
        setKey(app.configFiles, { file, standing: 'workspace', change }),
      );
      const text = `${formatKeyPath(change.path)} = ${tomlValue(maskSecrets(written, change.path))} is in .ken/config.toml.`;
      return { to: '/settings', notice: { kind: 'done', text, hint: 'Start the page again to use it.' } };
    },
  },
];
