/** The document that clients load for every card. It is the same for all; the card comes with the result of a call. */

import type { ReadResourceResult } from '@modelcontextprotocol/server';
import { VERSION } from '../../../base/package-files.ts';
import { readAssets } from '../../web/assets.ts';

export const CARD_URI = 'ui://ken/card';
export const CARD_TYPE = 'text/html;profile=mcp-app';

/** Members of `_meta` in the result of a call: the card, and the address of the page that runs. */
export const CARD_KEY = 'ken/card';
export const PAGE_KEY = 'ken/page';
/** In the result of a call that waits: the address of its card, below `CARD_URI`, which the frame reads. */
export const REQUEST_KEY = 'ken/request';

/** Tools whose answers have a card. */
export const WITH_CARDS: readonly string[] = [
  'search',
  'show',
  'knowledge_promote',
  'kb_propose',
  'reference_topic_create',
];

export function cardResource(): ReadResourceResult {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>ken</title>
<style>${readAssets().style.content}
body { padding: .75rem; min-height: 0 }</style>
<main id="card" class="stack" aria-live="polite"></main>
<script>${SCRIPT.replaceAll('VERSION', JSON.stringify(VERSION))}</script></html>`;
  return {
    contents: [{ uri: CARD_URI, mimeType: CARD_TYPE, text, _meta: { ui: { prefersBorder: true, csp: {} } } }],
  };
}

/**
 * Runs in the frame of the client. The card is parsed without running anything, and only known elements and attributes are
 * taken over: the second wall behind the escaping of the server.
 */
const SCRIPT = `(() => {
const known = new Set('A ARTICLE B BLOCKQUOTE CODE DD DIV DL DT EM H2 H3 H4 H5 H6 HR LI OL P PRE SECTION SPAN STRONG TABLE TBODY TD TH THEAD TIME TR UL'.split(' '));
const attributes = new Set(['class', 'title', 'datetime', 'aria-label', 'aria-hidden']);
let next = 1;
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const request = (method, params) => send({ id: next++, method, params });
function copied(node, page) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || !known.has(node.tagName)) return document.createTextNode('');
  const link = node.getAttribute('href');
  const own = document.createElement(node.tagName === 'A' ? (page && link && link.startsWith('/') ? 'a' : 'span') : node.tagName);
  for (const { name, value } of node.attributes) if (attributes.has(name)) own.setAttribute(name, value);
  if (own.tagName === 'A') {
    const url = new URL(link, page).href;
    own.setAttribute('href', url);
    own.addEventListener('click', (event) => { event.preventDefault(); request('ui/open-link', { url }); });
  }
  for (const child of node.childNodes) own.append(copied(child, page));
  return own;
}
const reading = new Set();
function told(result) {
  const uri = result && result._meta && result._meta['ken/request'];
  if (typeof uri !== 'string') return show(result && result._meta || {});
  reading.add(next);
  request('resources/read', { uri });
}
function show(meta) {
  const html = meta['ken/card'];
  const page = typeof meta['ken/page'] === 'string' ? meta['ken/page'] : undefined;
  const card = document.getElementById('card');
  if (typeof html !== 'string') return card.replaceChildren();
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  card.replaceChildren(...[...parsed.body.childNodes].map((node) => copied(node, page)));
  if (!page) for (const end of card.querySelectorAll('.page')) end.textContent = 'Run "ken web" to open it on the page.';
  const { scrollWidth: width, scrollHeight: height } = document.documentElement;
  send({ method: 'ui/notifications/size-changed', params: { width, height } });
}
addEventListener('message', ({ source, data }) => {
  if (source !== parent || !data || data.jsonrpc !== '2.0') return;
  if (data.id === 1 && data.result) send({ method: 'ui/notifications/initialized', params: {} });
  if (data.method === 'ui/notifications/tool-result') told(data.params);
  if (reading.delete(data.id) && data.result) show((data.result.contents || [])[0]?._meta || {});
  if (data.method === 'ui/resource-teardown' || data.method === 'ping') send({ id: data.id, result: {} });
});
request('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'ken', version: VERSION }, appCapabilities: {} });
})();`;
