import { type App, isInWorkspace } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { linesOf } from '../../../base/text.ts';
import { offeredKnowledge } from '../../../domain/knowledge-base/topic.ts';
import { requireTopic } from '../../../domain/references/topic/find-topic.ts';
import { sourceAddress } from '../../../domain/references/topic/source-address.ts';
import {
  type Citation,
  citedWith,
  formatCitation,
  requireCitation,
} from '../../../domain/search/citations/citation.ts';
import { citedBy } from '../../../domain/search/citations/cited-by.ts';
import { showCitation } from '../../../domain/search/citations/show-citation.ts';
import { page, type Visit } from '../page.ts';
import { languageOf } from '../parts/code-pieces.ts';
import { indexingView } from '../parts/going-on.ts';
import {
  address,
  ago,
  badge,
  brokenPath,
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
  async load({ app, query, place: { indexing } }: Visit) {
    const citation = citedWith(requireCitation(query.get('uri') ?? ''), query.get('sha256') ?? undefined);
    const knowledge = offeredKnowledge(app);
    const shown = await showCitation(app, knowledge, citation);
    const { lines: _, parts: ___, sha256: __, ...place } = citation;
    const whole = shown.lines ? await showCitation(app, knowledge, place) : shown;
    const uri = formatCitation(place);
    return {
      indexing: indexing.state(),
      uri: formatCitation(citation),
      kind: citation.kind,
      name: nameOf(citation, shown.path),
      lines: shown.lines ?? null,
      path: shown.path ?? null,
      changed: shown.isChanged ? (shown.change ?? 'not all of the lines are there') : null,
      text: whole.text,
      place: await placeOf(app, citation),
      parts: await partsOf(app, citation, { path: shown.path ?? '', text: whole.text }),
      citedBy: await citedByOf(app, {
        uri,
        path: citation.kind === 'subject' ? shown.path : undefined,
      }),
    };
  },
  view: (data, visit) => html`
    <div class="top"><div>
      <h1 class="${data.path === null ? '' : 'mono'}">${brokenPath(data.name)}</h1>
      ${headingOf(data)}
      <p class="row small quiet"><span class="mono">${brokenPath(data.uri)}</span> ${copyButton(data.uri, 'Copy citation')}</p>
    </div>
    <a class="button" href="${address('/cite/raw', { uri: data.uri })}" download>Download</a></div>
    <div id="indexing">${indexingView(data.indexing, visit, { part: 'indexing', text: NOT_FOUND_YET })}</div>
    ${
      data.changed === null
        ? NOTHING
        : html`<div class="notice problem"><p><strong>The content has changed since it was cited:</strong> ${data.changed}.</p></div>`
    }
    <div class="beside">
      <div class="stack">${
        data.kind === 'turn'
          ? markdown(data.text)
          : numberedLines(linesOf(data.text), {
              cited: data.lines ?? undefined,
              language: languageOf(data.path ?? ''),
              starts: new Set(data.parts.map(({ firstLine }) => firstLine)),
            })
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
        ${partsView(data.parts, data.lines?.first)}
      </aside>
    </div>`,
});

const NOT_FOUND_YET = 'Search may not find the latest words of this text yet.';

function nameOf(citation: Citation, path: string | undefined): string {
  if (citation.kind === 'entry') return citation.id;
  if (citation.kind === 'turn')
    return `Conversation ${citation.conversation}${citation.turn === undefined ? '' : `, turn ${citation.turn}`}`;
  return path ?? (citation.kind === 'subject' ? citation.slug : citation.path);
}

interface Part {
  readonly heading: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A larger file is shown without its parts. */
const MOST_CHARACTERS = 400_000;

/** The chunks that search finds, as they are cut now. */
async function partsOf(
  { chunker }: App,
  { kind }: Citation,
  file: { readonly path: string; readonly text: string },
): Promise<readonly Part[]> {
  if ((kind !== 'subject' && kind !== 'reference') || file.text.length > MOST_CHARACTERS) return [];
  const chunks = await chunker.chunk(file);
  return chunks.map(({ heading, firstLine, lastLine }) => ({ heading, firstLine, lastLine }));
}

/** The headings above the cited lines. */
function headingOf({ parts, lines }: { parts: readonly Part[]; lines: { first: number } | null }): Html {
  const part =
    lines && parts.find(({ firstLine, lastLine }) => firstLine <= lines.first && lines.first <= lastLine);
  return part && part.heading !== '' ? html`<p class="quiet">${part.heading}</p>` : NOTHING;
}

function partsView(parts: readonly Part[], cited: number | undefined): Html {
  if (parts.length < 2) return NOTHING;
  return html`<section class="stack"><h2>Chunks</h2><ol class="parts small">${parts.map(
    ({ heading, firstLine, lastLine }) => {
      const isCited = cited !== undefined && firstLine <= cited && cited <= lastLine;
      return html`<li><a href="#L${firstLine}" ${isCited ? html`aria-current="true"` : NOTHING}>${
        heading === '' ? 'Lines' : heading
      } <span class="quiet">${firstLine}\u2013${lastLine}</span></a></li>`;
    },
  )}</ol></section>`;
}

interface Place {
  readonly facts: readonly { readonly name: string; readonly text: string; readonly to?: string }[];
  readonly fetchedAt: number | null;
}

async function placeOf(app: App, citation: Citation): Promise<Place> {
  const local = (name: string, text: string, to: string): Place => ({
    fetchedAt: null,
    facts: [{ name, text, to }],
  });
  switch (citation.kind) {
    case 'subject': {
      const { topic, slug } = citation;
      return local('Subject', `${topic}/${slug}`, address('/kb/subject', { topic, slug }));
    }
    case 'entry':
      return local('Entry', citation.id, address('/ledger/entry', { id: citation.id }));
    case 'turn': {
      const { conversation: id } = citation;
      return local('Conversation', id, address('/conversations/show', { id }));
    }
    case 'reference':
      return referencePlace(app, citation);
  }
}

async function referencePlace(app: App, citation: Extract<Citation, { kind: 'reference' }>): Promise<Place> {
  const { topic, slug } = await requireTopic(app, citation.topicId);
  const file = (await app.library.lock(slug)).files.find(({ path }) => path === citation.path);
  const at = file && sourceAddress(topic, file, citation.lines);
  return {
    fetchedAt: file?.fetchedAt ?? null,
    facts: [
      { name: 'Topic', text: topic.title, to: address('/references/topic', { id: citation.topicId }) },
      { name: 'Commit', text: file?.commit?.slice(0, 12) ?? citation.version },
      ...(file ? [{ name: 'Source', text: file.source, to: file.url ?? file.source }] : []),
      ...(at === undefined ? [] : [{ name: 'There', text: 'the same lines at the source', to: at }]),
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
  return to.startsWith('/') && !to.startsWith('//')
    ? html`<a href="${to}">${text}</a>`
    : link(to, html`${text}`);
}

interface Citing {
  readonly title: string;
  readonly kind: string;
  readonly to: string;
}

async function citedByOf(app: App, place: Parameters<typeof citedBy>[1]): Promise<readonly Citing[]> {
  if (!isInWorkspace(app)) return [];
  try {
    const { entries, turns } = await citedBy(app, place);
    return [
      ...entries.map(({ id, title }) => ({ title, kind: 'entry', to: address('/ledger/entry', { id }) })),
      ...turns.map(({ conversation: { id, metadata }, turn }) => ({
        title: metadata.title ?? id,
        kind: `turn ${turn}`,
        to: `${address('/conversations/show', { id })}#turn-${turn}`,
      })),
    ];
  } catch (error) {
    // The cited text is shown also while the ledger is damaged.
    if (error instanceof Fault) return [];
    throw error;
  }
}

function citedByView(citing: readonly Citing[]): Html {
  if (citing.length === 0) return NOTHING;
  return html`<section class="stack"><h2>Cited by</h2><ul class="parts small">
    ${citing.map(({ title, kind, to }) => html`<li><a href="${to}">${title} <span class="quiet">${kind}</span></a></li>`)}
  </ul></section>`;
}
