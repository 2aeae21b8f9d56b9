import { Fault } from '../../../base/fault.ts';
import { counted } from '../../../base/text.ts';
import type { Repair } from '../../../domain/backup/repair.ts';
import { CHECKS } from '../../cli/checks/checks.ts';
import { runChecks } from '../../cli/commands/doctor.ts';
import { mendAll } from '../../cli/commands/repair.ts';
import { type Action, page, type Visit } from '../page.ts';
import { badge, changeForm, type Html, hidden, html, NOTHING } from '../parts/html.ts';

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
    const plan = await app.repairs.find('quick', signal);
    return {
      checks: reports.map(({ check, finding }) => ({
        id: check.id,
        title: check.title,
        hint: null,
        ...finding,
      })),
      repairs: plan.map((each) => ({
        id: repairId(each),
        path: each.path,
        problem: each.problem,
        action: each.action,
      })),
    };
  },
  view: ({ checks, repairs }, visit) => {
    const bad = checks.filter(({ status }) => status === 'problem' || status === 'warning');
    const good = checks.filter((each) => !bad.includes(each));
    return html`
    <div class="top"><h1>Doctor</h1><p class="quiet">${bad.length === 0 ? 'Nothing is wrong.' : `${bad.length} of ${checks.length} checks found something.`}</p></div>
    ${repairsView(repairs, visit)}
    <ul class="list checks">${[...bad, ...good].map(
      ({ title, status, message, hint }) => html`<li>
        <span>${badge(status, status === 'ok' ? 'accent' : status === 'skipped' ? 'plain' : 'alert')}</span> <strong>${title}</strong>
        <span><span class="quiet">${message}</span>${hint === null ? NOTHING : html`<br>${hint}`}</span>
      </li>`,
    )}</ul>
    ${changeForm(visit, '/doctor/look', html`<button>Look at everything</button> <span class="small quiet">Also reads every conversation and every file of the library, which may take a while.</span>`, 'row')}`;
  },
});

interface ShownRepair {
  readonly id: string;
  readonly path: string;
  readonly problem: string;
  readonly action: string;
}

function repairsView(repairs: readonly ShownRepair[], visit: Visit): Html {
  if (repairs.length === 0) return NOTHING;
  const mend = (ids: readonly string[], text: string) =>
    changeForm(
      visit,
      '/doctor/mend',
      html`${ids.map((id) => hidden('id', id))}${hidden('back', '/doctor')}<button class="main">${text}</button>`,
    );
  return html`<section class="stack" aria-labelledby="mend"><div class="top"><h2 id="mend">Can be mended</h2>
      ${
        repairs.length > 1
          ? mend(
              repairs.map(({ id }) => id),
              `Mend all ${repairs.length}`,
            )
          : NOTHING
      }</div>
    <p class="quiet">What is replaced is kept below .ken/repair/.</p>
    <ul class="list">${repairs.map(
      ({ id, path, problem, action }) =>
        html`<li class="line"><span><code>${path}</code> ${problem}: ${action}</span>${mend([id], 'Mend')}</li>`,
    )}</ul></section>`;
}

/** Names a repair in a form; one that is no longer needed is then not done. */
function repairId({ path, problem, action }: Repair): string {
  return JSON.stringify([path, problem, action]);
}

export const DOCTOR_ACTIONS: readonly Action[] = [
  {
    path: '/doctor/look',
    async run({ app, signal }) {
      const found = await app.repairs.find('whole', signal);
      if (found.length === 0)
        return {
          to: '/doctor',
          notice: { kind: 'done', text: 'Everything was read, and nothing is damaged.' },
        };
      const text = `${counted(found.length, 'thing')} can be mended.`;
      const hint = found.map(({ path, problem, action }) => `${path} ${problem}: ${action}`).join('; ');
      const fields = { id: 'whole', back: '/doctor' };
      const offer = { path: '/doctor/mend', fields, label: 'Mend all of it' };
      return { to: '/doctor', notice: { kind: 'problem', text, hint, undo: offer } };
    },
  },
  {
    path: '/doctor/mend',
    decides: true,
    async run({ app, signal }, form) {
      const wanted = form.getAll('id');
      const found = await app.repairs.find('whole', signal);
      const plan = found.filter((each) => wanted.includes('whole') || wanted.includes(repairId(each)));
      if (plan.length === 0)
        throw new Fault('approvals/decided', 'This is mended already, or has changed since it was shown.', {
          hint: 'Load the page again.',
        });
      const mended = await mendAll(app, plan, signal);
      const isWhole = mended.every(({ isDone }) => isDone);
      const text = mended
        .map(({ path, result, isDone }) => `${isDone ? '' : 'not done: '}${path}: ${result}`)
        .join('; ');
      return { to: '/doctor', notice: { kind: isWhole ? 'done' : 'problem', text } };
    },
  },
];
