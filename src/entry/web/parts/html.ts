/** Small pieces that every page uses. Everything that is put into a template is escaped. */

import { html } from 'hono/html';
import { elapsed, isoTime } from '../../../base/time.ts';
import type { Visit } from '../page.ts';

export { html };

export type Html = ReturnType<typeof html>;

export const NOTHING = html``;

/** `3 hours ago`, with the exact time on hover. */
export function ago(milliseconds: number, now: number): Html {
  const exact = isoTime(milliseconds);
  return html`<time datetime="${exact}" title="${exact}">${elapsed(milliseconds, now)}</time>`;
}

/** `1,247` */
export function numeral(count: number): string {
  return count.toLocaleString('en');
}

/** A path with a query; a value that is undefined or empty is left out. */
export function address(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

export function citationAddress(uri: string, sha256?: string): string {
  return address('/cite', { uri, sha256 });
}

export type Tone = 'plain' | 'accent' | 'alert' | 'quiet';

export function badge(text: string, tone: Tone = 'plain'): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** Says what is missing and what to do first. */
export function emptyState(text: string, todo: Html | string = ''): Html {
  return html`<div class="empty"><p class="missing">${text}</p>${todo === '' ? NOTHING : html`<p>${todo}</p>`}</div>`;
}

/** A path that may break after each of its directories. */
export function brokenPath(path: string): Html {
  return html`${path.split('/').map((part, at) => (at === 0 ? html`${part}` : html`/<wbr>${part}`))}`;
}

/** A command to type. */
export function shell(command: string): Html {
  return html`<code class="shell">${command}</code>`;
}

/** Shown where scripts run. */
export function copyButton(text: string, label = 'Copy'): Html {
  return html`<button type="button" class="plain copy" data-copy="${text}">${label}</button>`;
}

/** A form with the token that the server asks for; nothing on a read-only page. */
export function changeForm(visit: Visit, path: string, content: Html, kind = ''): Html {
  if (!visit.canChange) return NOTHING;
  return html`<form method="post" action="${path}" class="${kind}">
    <input type="hidden" name="form_token" value="${visit.formToken}">${content}
  </form>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** Lines that begin with `+ `, `- ` or two spaces, as `lineDifference` writes them. */
export function differenceView(text: string): Html {
  const lines = text.split('\n').map((line) => {
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'gone' : 'same';
    return html`<span class="${kind}">${line}${'\n'}</span>`;
  });
  return html`<pre class="difference" tabindex="0" aria-label="Difference">${lines}</pre>`;
}

export interface Fact {
  readonly name: string;
  readonly value: Html | string | undefined;
}

/** Names with their values, without those that have none. */
export function facts(rows: readonly Fact[]): Html {
  const known = rows.filter(({ value }) => value !== undefined && value !== '');
  return html`<dl class="facts">
    ${known.map(({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** Links to other values of one parameter; the chosen one is marked. */
export function choices(
  label: string,
  options: readonly { readonly text: string; readonly to: string; readonly isChosen: boolean }[],
): Html {
  return html`<ul class="choices" aria-label="${label}">
    ${options.map(
      ({ text, to, isChosen }) =>
        html`<li><a href="${to}" ${isChosen ? html`aria-current="true"` : NOTHING}>${text}</a></li>`,
    )}
  </ul>`;
}
