/** The apps extension: cards that a client shows its user beside an answer. They only show; nothing in them decides. */

import type { CallToolResult, ReadResourceResult } from '@modelcontextprotocol/server';
import {
  asText,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
} from '../../../base/json.ts';
import { neutralise } from '../../../base/terminal-text.ts';
import { describeApproval } from '../../../domain/approvals/describe-reason.ts';
import { parseCitation } from '../../../domain/search/citations/citation.ts';
import { differenceOf } from '../../web/pages/approvals/approvals.ts';
import { evidenceView } from '../../web/pages/ledger/entry.ts';
import { evidenceOf } from '../../web/pages/ledger/entry-evidence.ts';
import {
  address,
  badge,
  citationAddress,
  differenceView,
  type Html,
  html,
  NOTHING,
} from '../../web/parts/html.ts';
import { markdown } from '../../web/parts/text.ts';
import { askRunningPage, pageFiles } from '../../web/running-page.ts';
import type { ServedWorkspace } from '../served-workspace.ts';
import { CARD_KEY, CARD_URI, PAGE_KEY, REQUEST_KEY } from './card-resource.ts';

export interface ShownCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/**
 * The answer with a card for what it is about, where there is one. Some clients hand everything in an answer that is an error
 * to their model, so that one has only the address of its card.
 */
export async function withCard(
  served: ServedWorkspace,
  call: ShownCall,
  result: CallToolResult,
): Promise<CallToolResult> {
  const data = result.structuredContent as Json | undefined;
  const approval = asText(memberOf(data, 'approval_id'));
  if (approval !== undefined)
    return { ...result, _meta: { ...result._meta, [REQUEST_KEY]: `${CARD_URI}/${approval}` } };
  const card = await cardOf(served, call, data).catch((error) => {
    // The answer counts, with or without its card.
    served.report(error);
    return undefined;
  });
  const shown = card === undefined ? undefined : await shownCard(served, card);
  return shown === undefined ? result : { ...result, _meta: { ...result._meta, ...shown } };
}

/** The card of a request that waits in this workspace; undefined when there is none of that address. */
export async function requestCard(
  served: ServedWorkspace,
  uri: string,
): Promise<ReadResourceResult | undefined> {
  const id = uri.slice(CARD_URI.length + 1);
  const card = await approvalCard(served, id);
  const shown = card === undefined ? undefined : await shownCard(served, card);
  return shown && { contents: [{ uri, mimeType: 'text/plain', text: `Request ${id}`, _meta: shown }] };
}

/** Undefined when it is too long. */
async function shownCard({ app }: ServedWorkspace, card: Html): Promise<Record<string, string> | undefined> {
  const shown = `${await card}`;
  if (shown.length > MOST_CHARACTERS) return undefined;
  const page = await askRunningPage(pageFiles(app.directories.state, app.workspace.root), 'address');
  return { [CARD_KEY]: shown, ...(page !== undefined && { [PAGE_KEY]: page }) };
}

const MOST_CHARACTERS = 256 * 1024;

async function cardOf(
  served: ServedWorkspace,
  { name, arguments: given }: ShownCall,
  data: Json | undefined,
): Promise<Html | undefined> {
  if (name === 'show') return entryCard(served, asText(given.uri) ?? '');
  const hits = memberOf(data, 'hits');
  if (name !== 'search' || !isJsonList(hits)) return undefined;
  const question = asText(given.question) ?? '';
  const items = await Promise.all(hits.filter(isJsonObject).map((hit) => hitView(served, hit)));
  return html`<ol class="list">${items}</ol>${pageLink(address('/search', { q: question }), 'All hits on the page')}`;
}

/** Ends every card. Without a page that runs, the client shows how to start it. */
function pageLink(path: string, text: string): Html {
  return html`<p class="page"><a href="${path}">${text}</a></p>`;
}

async function hitView(served: ServedWorkspace, hit: JsonObject): Promise<Html> {
  const uri = asText(hit.uri) ?? '';
  const marks = [asText(hit.freshness), hit.superseded_by === undefined ? undefined : 'superseded'];
  return html`<li><a class="name" href="${citationAddress(uri)}">${uri}</a>
    <pre class="snippet">${unfenced(asText(hit.text) ?? '')}</pre>
    <div class="row small">${badge(asText(hit.strength) ?? '', 'accent')} <span class="quiet">${asText(hit.trust) ?? ''}</span>
      ${marks.map((mark) => (mark === undefined ? NOTHING : badge(mark, 'alert')))}</div>
    ${await evidenceList(served, uri)}</li>`;
}

/** A person needs no fence: the card shows it as text. */
function unfenced(text: string): string {
  return neutralise(text.replace(/^<<<data [0-9a-f]+\n/, '').replace(/\n[0-9a-f]+ data>>>$/, ''));
}

async function evidenceList({ app }: ServedWorkspace, uri: string): Promise<Html> {
  const citation = parseCitation(uri);
  if (citation?.kind !== 'entry') return NOTHING;
  const [entry] = await app.ledger.entries([citation.id]);
  if (!entry) return NOTHING;
  const evidence = await evidenceOf(app, entry);
  const now = app.clock.now();
  return html`<ul class="list" aria-label="Evidence">${evidence.map((each) => evidenceView(each, now))}</ul>`;
}

/** A fact with the verdict on each of its sources. */
async function entryCard(served: ServedWorkspace, uri: string): Promise<Html | undefined> {
  const citation = parseCitation(uri);
  if (citation?.kind !== 'entry') return undefined;
  const [entry] = await served.app.ledger.entries([citation.id]);
  if (!entry) return undefined;
  return html`<h2>${neutralise(entry.title)}</h2>${markdown(entry.text)}${await evidenceList(served, uri)}
    ${pageLink(address('/ledger/entry', { id: entry.id }), 'The fact on the page')}`;
}

async function approvalCard({ app }: ServedWorkspace, id: string): Promise<Html | undefined> {
  const approval = await app.approvals.get(id, app.clock.now());
  if (approval?.workspace !== app.workspace.root || approval.state.status !== 'pending') return undefined;
  const { question, parts } = describeApproval(approval);
  const difference = await differenceOf({ app }, approval);
  return html`<h2>${neutralise(question)}</h2>${badge('waits for you', 'alert')}
    ${parts.map(
      ({ label, text }) =>
        html`<section class="said"><h3>${label}</h3><pre class="request">${neutralise(text)}</pre></section>`,
    )}
    ${difference === null ? NOTHING : html`<section class="said"><h3>${difference.title}</h3>${differenceView(neutralise(difference.text))}</section>`}
    <p class="quiet">Decide on the page, or with <code>ken approvals approve ${id}</code> in a terminal of your own.</p>
    ${pageLink(address('/approvals/show', { id }), 'The request on the page')}`;
}
