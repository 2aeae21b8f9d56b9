/** Shows work that goes on beside the page. The browser loads the part again when the work has changed. */

import { counted } from '../../../base/text.ts';
import type { Job } from '../../../domain/approvals/job.ts';
import type { IndexingState } from '../indexing.ts';
import type { Visit } from '../page.ts';
import { type Html, html, NOTHING, numeral } from './html.ts';

export interface Followed {
  /** A state as the stream of events names it. */
  readonly follows: string;
  readonly seen: string;
}

export function followedIndexing({ place: { indexing } }: Visit): Followed {
  return { follows: 'indexing', seen: indexing.revision() };
}

/** The client makes the same text of what the stream says. */
export function followedJob({ id, state, progress }: Pick<Job, 'id' | 'state' | 'progress'>): Followed {
  return {
    follows: id,
    seen: state.status === 'running' ? JSON.stringify(progress ?? null) : '',
  };
}

/** Content that changes by itself; `part` is the id of the element that is loaded again. */
export function goingOn({ follows, seen }: Followed, part: string, content: Html): Html {
  return html`<div class="notice stack going-on" role="status" data-follows="${follows}" data-seen="${seen}" data-part="${part}">${content}</div>`;
}

/** Says that the index is being brought up to date, and what that means for what is shown. */
export function indexingView(
  state: IndexingState | null,
  visit: Visit,
  { part, text }: { readonly part: string; readonly text: string },
): Html {
  if (state === null) return NOTHING;
  const { done, total } = state;
  const what =
    total === 0
      ? 'ken is looking for what has changed.'
      : `ken is reading ${counted(total, 'item')} into the index; ${numeral(done)} ${done === 1 ? 'is' : 'are'} done.`;
  const bar =
    total === 0
      ? html`<progress aria-label="${what}"></progress>`
      : html`<progress value="${done}" max="${total}" aria-label="${what}"></progress>`;
  const again = html`<p class="small without-scripts"><a href="?${visit.query}">Load the page again</a></p>`;
  return goingOn(
    followedIndexing(visit),
    part,
    html`<p>${what} <span class="quiet">${text}</span></p>${bar}${again}`,
  );
}
