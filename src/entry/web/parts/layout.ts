/** The frame around every page, and the pages that have none of it: login, error. */

import { html } from 'hono/html';
import { SECTIONS, type Section } from '../page.ts';
import type { Notice } from '../sign-ins.ts';
import { type Html, NOTHING } from './html.ts';

export interface Frame {
  readonly title: string;
  readonly section: Section | undefined;
  readonly nonce: string;
  readonly assets: { readonly style: string; readonly script: string; readonly editor?: string };
  /** The script of the worker that tabs share. */
  readonly worker: string;
  /** Number of requests that wait for the operator. */
  readonly waiting: number;
  readonly workspace: string | undefined;
  readonly notice: Notice | undefined;
  /** Undefined on a read-only page. */
  readonly formToken: string | undefined;
  readonly jsonTwin: string | undefined;
  /** A browser without scripts loads it again and again. */
  readonly isGoingOn?: boolean;
  /** The pages that there are; all of them if absent. */
  readonly sections?: readonly Section[];
  /** Signs out this browser alone, where others are of other people. */
  readonly signsOut?: string;
}

export function framed(frame: Frame, content: Html): Html {
  const { title, waiting, section } = frame;
  return html`${head(frame, waiting > 0 ? `(${waiting}) ${title}` : title)}
    <body data-waiting="${waiting}" data-worker="${frame.worker}">
      <a class="skip" href="#content">Skip to the content</a>
      <header class="rail">
        <a class="brand" href="/"><img src="/favicon.svg" alt="" width="28" height="28">ken</a>
        <nav aria-label="Pages"><ul>
          ${SECTIONS.filter(({ id }) => frame.sections?.includes(id) ?? true).map(
            ({ id, title: name, path }) =>
              html`<li><a href="${path}" ${id === section ? html`aria-current="page"` : NOTHING}>${name}${
                id === 'approvals' ? waitingMark(waiting) : NOTHING
              }</a></li>`,
          )}
        </ul></nav>
        ${section === 'home' || section === 'search' ? NOTHING : quickSearch()}
        ${railFoot(frame)}
      </header>
      <main id="content" tabindex="-1">
        ${noticeView(frame.notice, frame.formToken)}
        ${content}
      </main>
      ${keysDialog()}
    </body>
    </html>`;
}

function head(
  { nonce, assets, isGoingOn = false }: Pick<Frame, 'nonce' | 'assets' | 'isGoingOn'>,
  title: string,
): Html {
  return html`<!doctype html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>${title} &middot; ken</title>
      ${isGoingOn ? html`<noscript><meta http-equiv="refresh" content="2"></noscript>` : NOTHING}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="${assets.style}">
      <script nonce="${nonce}" src="${assets.script}" defer></script>
      ${assets.editor === undefined ? NOTHING : html`<script nonce="${nonce}" src="${assets.editor}" defer></script>`}
    </head>`;
}

/** Home and Search have a larger field of their own. */
function quickSearch(): Html {
  return html`<form class="quick" action="/search" role="search">
    <label class="unseen" for="quick">Search everything</label>
    <input id="quick" name="q" type="search" placeholder="Search" autocomplete="off" data-key="/">
  </form>`;
}

function waitingMark(count: number): Html {
  return html` <span class="count" data-waiting-mark ${count === 0 ? html`hidden` : NOTHING}>${count}</span>`;
}

function railFoot({ workspace, formToken, jsonTwin, signsOut = 'Sign out everywhere' }: Frame): Html {
  const out =
    formToken === undefined
      ? html`<p>Read only</p>`
      : html`<form method="post" action="/sign-out"><input type="hidden" name="form_token" value="${formToken}">
          <button class="plain">${signsOut}</button></form>`;
  return html`<div class="foot">
    <p class="path" title="${workspace ?? ''}">${workspace?.split('/').at(-1) ?? 'No workspace'}</p>
    ${out}
    <p>${jsonTwin === undefined ? NOTHING : html`<a href="${jsonTwin}">This page as JSON</a>`}</p>
    <p class="keys-hint">Press <kbd>?</kbd> for keys</p>
  </div>`;
}

function noticeView(notice: Notice | undefined, formToken: string | undefined): Html {
  if (!notice) return NOTHING;
  const { kind, text, hint, undo } = notice;
  const fields = Object.entries({ ...undo?.fields, form_token: formToken ?? '' });
  return html`<div class="notice ${kind}" role="status"><p>${text}</p>
    ${hint === undefined ? NOTHING : html`<p class="quiet">${hint}</p>`}
    ${
      undo === undefined
        ? NOTHING
        : html`<form method="post" action="${undo.path}">${fields.map(
            ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
          )}<button>${undo.label ?? 'Undo'}</button></form>`
    }</div>`;
}

const KEYS = [
  ['/', 'search'],
  ['?', 'show these keys'],
  ['j, k or arrows', 'next and previous item of a list'],
  ['Enter', 'open the item'],
  ['a, d, e', 'approve, deny, edit: moves to the button'],
  ['Ctrl Enter', 'ask'],
  ['g, then', 'h home, s search, a approvals, k knowledge base, r references, l ledger'],
  ['', 'c conversations, t tools, j jobs, e settings, d doctor'],
] as const;

function keysDialog(): Html {
  return html`<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <dl class="facts">${KEYS.map(([key, what]) => html`<div><dt>${key === '' ? NOTHING : html`<kbd>${key}</kbd>`}</dt><dd>${what}</dd></div>`)}</dl>
    <form method="dialog"><button>Close</button></form>
  </dialog>`;
}

/** A page for a browser that has not signed in, or for a failure. */
export function bare(frame: Pick<Frame, 'title' | 'nonce' | 'assets'>, content: Html, more = NOTHING): Html {
  return html`${head(frame, frame.title)}
    <body class="bare">${more}<main id="content">
      <p class="brand"><img src="/favicon.svg" alt="" width="28" height="28">ken</p>
      ${content}
    </main></body></html>`;
}
