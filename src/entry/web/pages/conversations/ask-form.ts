import { OFFLINE_MODEL } from '../../../../domain/conversations/event-text.ts';
import type { Visit } from '../../page.ts';
import { address, type Html, hidden, html, NOTHING } from '../../parts/html.ts';

export interface Asked {
  /** The model that answers by default. */
  readonly model: string;
  readonly conversation?: string;
}

/** A question, with files and another model where they are wanted. */
export function askForm(visit: Visit, { model, conversation }: Asked): Html {
  if (!visit.canChange) return NOTHING;
  const isNew = conversation === undefined;
  const back = isNew ? '/conversations' : address('/conversations/show', { id: conversation });
  return html`<form method="post" action="/conversations/ask" enctype="multipart/form-data" class="stack ask">
    ${hidden('form_token', visit.formToken)}${isNew ? NOTHING : hidden('conversation', conversation)}${hidden('back', back)}
    <label>${isNew ? 'Ask' : 'Ask on'}
      <textarea name="question" required placeholder="How do we deploy?" data-ask></textarea></label>
    <div class="row"><button class="main">Ask</button>
      <label class="row small">Files <input type="file" name="files" multiple></label>
      <details class="small"><summary>${model === OFFLINE_MODEL ? 'Answered without a language model' : model}</summary>
        <label class="unfolded">Model of this question <input name="model" list="models" placeholder="${model}" autocomplete="off"></label>
        <datalist id="models"><option value="${model}"></option><option value="${OFFLINE_MODEL}"></option></datalist></details>
      <span class="small quiet copy">Drop or paste files here; Ctrl-Enter asks.</span></div></form>`;
}
