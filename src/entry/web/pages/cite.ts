import type { App } from '../../../app.ts';
import { isInWorkspace } from '../../../app.ts';
import { linesOf } from '../../../base/text.ts';
import { knowledgeBaseFrom } from '../../../domain/knowledge-base/topic.ts';
import { requireTopic } from '../../../domain/references/topic/find-topic.ts';
import {
  type Citation,
  citedWith,
  formatCitation,
  requireCitation,
} from '../../../domain/search/citations/citation.ts';
import { showCitation } from '../../../domain/search/citations/show-citation.ts';
import { page, type Visit } from '../page.ts';
import { languageOf } from '../parts/code.ts';
import {
  address,
  ago,
  badge,
  copyButton,
  type Fact,
  facts,
  type Html,
  html,
  NOTHING,
} from '../parts/html.ts';
import { link, markdown, numberedLines } from '../parts/text.ts';

export const citePage = page({
  path: '/cite',
  section: 'search',
  title: ({ name }) => name,
  async load({ app, query }: Visit) {
    const citation = citedWith(requireCitation(query.get('uri') ?? ''), query.get('sha256') ?? undefined);
    const knowledge = knowledgeBaseFrom(app.config.kb);
    const shown = await showCitation(app, knowledge, citation);
    const { lines: _, sha256: __, ...place } = citation;
    const whole = citation.lines ? await showCitation(app, knowledge, place) : shown;
    return {
      uri: formatCitation(citation),
      kind: citation.kind,
      name: nameOf(citation, shown.path),
      lines: citation.lines ?? null,
      path: shown.path ?? null,
      changed: shown.isChanged ? (shown.change ?? 'not all of the lines are there') : null,
      text: whole.text,
      place: await placeOf(app, citation),
      citedBy: await citedBy(app, formatCitation(place)),
    };
  },
  view: (data, visit) => html`
    <div class="top"><div>
      <h1>${data.name}</h1>
      <p class="row small quiet"><span class="mono">${data.uri}</span> ${copyButton(data.uri, 'Copy citation')}</p>
    </div>
    <a class="button" href="${address('/cite/raw', { uri: data.uri })}" download>Download</a></div>
    ${
      data.changed === null
        ? NOTHING
        : html`<div class="notice problem"><p><strong>The content has changed since it was cited:</strong> ${data.changed}.</p></div>`
    }
    <div class="beside">
      <div class="stack">${
        data.kind === 'turn'
          ? markdown(data.text)
          : numberedLines(linesOf(data.text), data.lines ?? undefined, languageOf(data.path ?? ''))
      }</div>
      <aside class="stack" aria-label="About this place">
        ${facts([
          {
            name: 'Holds',
            value: data.changed === null ? badge('unchanged', 'accent') : badge('changed', 'alert'),
          },
          ...placeFacts(data.place, visit.now),
        ])}
        ${citedByView(data.citedBy)}
      </aside>
    </div>`,
});

function nameOf(citation: Citation, path: string | undefined): string {
  if (citation.kind === 'entry') return citation.id;
  if (citation.kind === 'turn')
    return `Conversation ${citation.conversation}${citation.turn === undefined ? '' : `, turn ${citation.turn}`}`;
  return path ?? (citation.kind === 'subject' ? citation.slug : citation.path);
}

interface Place {
  readonly facts: readonly { readonly name: string; readonly text: string; readonly to?: string }[];
  readonly fetchedAt: number | null;
}

async function placeOf(app: App, citation: Citation): Promise<Place> {
  switch (citation.kind) {
    case 'subject':
      return {
        fetchedAt: null,
        facts: [
          {
            name: 'Subject',
            text: `${citation.topic}/${citation.slug}`,
            to: address('/kb/subject', { topic: citation.topic, slug: citation.slug }),
          },
        ],
      };
    case 'entry':
      return {
        fetchedAt: null,
        facts: [{ name: 'Entry', text: citation.id, to: address('/ledger/entry', { id: citation.id }) }],
      };
    case 'turn':
      return {
        fetchedAt: null,
        facts: [
          {
            name: 'Conversation',
            text: citation.conversation,
            to: address('/conversations/show', { id: citation.conversation }),
          },
        ],
      };
    case 'reference':
      return referencePlace(app, citation);
  }
}

async function referencePlace(app: App, citation: Extract<Citation, { kind: 'reference' }>): Promise<Place> {
  const { topic, slug } = await requireTopic(app, citation.topicId);
  const file = (await app.library.lock(slug)).files.find(({ path }) => path === citation.path);
  return {
    fetchedAt: file?.fetchedAt ?? null,
    facts: [
      { name: 'Topic', text: topic.title, to: address('/references/topic', { id: citation.topicId }) },
      { name: 'Version', text: citation.version },
      ...(file ? [{ name: 'Source', text: file.source, to: file.url ?? file.source }] : []),
      ...(topic.approvedBy ? [{ name: 'Approved by', text: topic.approvedBy.operator }] : []),
    ],
  };
}

function placeFacts({ facts: known, fetchedAt }: Place, now: number): Fact[] {
  return [
    ...known.map(({ name, text, to }) => ({ name, value: to === undefined ? text : linked(to, text) })),
    { name: 'Fetched', value: fetchedAt === null ? undefined : ago(fetchedAt, now) },
  ];
}

function linked(to: string, text: string): Html {
  return to.startsWith('/') ? html`<a href="${to}">${text}</a>` : link(to, html`${text}`);
}

const MOST_ENTRIES = 500;

/** Entries whose evidence names this place, among the newest ones. */
async function citedBy(
  app: App,
  uri: string,
): Promise<readonly { readonly id: string; readonly title: string }[]> {
  if (!isInWorkspace(app)) return [];
  const entries = await app.ledger.list({ limit: MOST_ENTRIES });
  return entries
    .filter(({ citations }) => citations.some(({ provenance }) => provenance.startsWith(`ref:${uri}`)))
    .map(({ id, title }) => ({ id, title }));
}

function citedByView(entries: Awaited<ReturnType<typeof citedBy>>): Html {
  if (entries.length === 0) return NOTHING;
  return html`<section class="stack"><h2>Cited by</h2><ul class="list">
    ${entries.map(({ id, title }) => html`<li><a href="${address('/ledger/entry', { id })}">${title}</a></li>`)}
  </ul></section>`;
}
