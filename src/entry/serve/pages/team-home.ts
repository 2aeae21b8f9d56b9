import { secondsOf } from '../../../base/time.ts';
import { page, type Visit, workspaceOf } from '../../web/page.ts';
import { address, ago, badge, emptyState, html, NOTHING, numeral } from '../../web/parts/html.ts';

const SHOWN = 12;

export const teamHomePage = page({
  path: '/',
  section: 'home',
  title: () => 'Home',
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const now = secondsOf(visit.now);
    const pending = await app.approvals.list({ statuses: ['pending'], limit: SHOWN }, visit.now);
    const entries = await app.ledger.list({ limit: SHOWN });
    return {
      counts: await app.ledger.count(now),
      topics: Object.keys(app.config.kb.topic).length,
      references: (await app.library.list()).length,
      pending: pending.map(({ id, summary, created }) => ({ id, summary, created })),
      entries: entries.map(({ id, title, status, updatedAt }) => ({ id, title, status, updatedAt })),
    };
  },
  view: ({ counts, topics, references, pending, entries }, { now }) => html`
    <h1 class="unseen">Home</h1>
    <form class="seek" action="/search" role="search">
      <label class="unseen" for="question">Search what the team knows</label>
      <input id="question" name="q" type="search" placeholder="Search what the team knows" autofocus autocomplete="off" data-key="/">
      <button class="main">Search</button>
    </form>
    <ul class="numbers" aria-label="What the team knows">
      <li><a href="/ledger"><strong>${numeral(counts.active)}</strong><span class="quiet">entries</span></a></li>
      <li><a href="/kb"><strong>${numeral(topics)}</strong><span class="quiet">topics</span></a></li>
      <li><a href="/references"><strong>${numeral(references)}</strong><span class="quiet">references</span></a></li>
    </ul>
    <div class="columns">
      <section class="stack" aria-labelledby="waits"><h2 id="waits">Waits for you</h2><div id="live" data-live-part>
        ${
          pending.length === 0
            ? emptyState('Nothing waits.', 'Proposals of the team and its assistants appear here.')
            : html`<ul class="list" data-items>${pending.map(
                ({ id, summary, created }) => html`<li>
                <a class="name" href="${address('/approvals/show', { id })}">${summary}</a>
                <span class="row">${badge('approval', 'alert')} ${ago(created, now)}</span></li>`,
              )}</ul>`
        }</div></section>
      <section class="stack" aria-labelledby="lately"><h2 id="lately">Changed lately</h2>
        ${
          entries.length === 0
            ? emptyState(
                'There are no entries.',
                'An assistant adds one, or "ken team push" brings those of a workspace.',
              )
            : html`<ul class="list">${entries.map(
                ({ id, title, status, updatedAt }) => html`<li>
                <a href="${address('/ledger/entry', { id })}">${title}</a>
                <span class="row">${status === 'active' ? NOTHING : badge(status)} ${ago(updatedAt * 1000, now)}</span></li>`,
              )}</ul>`
        }</section>
    </div>`,
});
