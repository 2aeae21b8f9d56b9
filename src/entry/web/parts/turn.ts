/** An answer as it comes; the stream sends this part anew whenever it changes, so that nothing is lost or doubled. */

import { neutralise } from '../../../base/terminal-text.ts';
import type { Approval } from '../../../domain/approvals/approval.ts';
import { describeApproval } from '../../../domain/approvals/describe-reason.ts';
import type { Visit } from '../page.ts';
import type { AskedQuestion } from '../turn-people.ts';
import type { TurnCall, TurnOutcome } from '../turns.ts';
import { address, badge, changeForm, type Html, hidden, html, NOTHING, numeral } from './html.ts';
import { markdown } from './text.ts';

export interface ShownTurn {
  readonly key: string;
  readonly conversation: string | null;
  readonly text: string;
  readonly calls: readonly TurnCall[];
  readonly waiting: readonly Approval[];
  readonly questions: readonly AskedQuestion[];
  readonly end: TurnOutcome | null;
  readonly indexing: { readonly done: number; readonly total: number } | null;
}

export function turnView(turn: ShownTurn, visit: Visit): Html {
  const { key, text, calls, waiting, questions, end } = turn;
  return html`
    ${calls.length === 0 ? NOTHING : html`<ul class="list">${calls.map(callView)}</ul>`}
    ${waiting.map((approval) => waitingView(approval, key, visit))}
    ${questions.map((asked) => questionView(asked, key, visit))}
    ${text === '' ? NOTHING : html`<article class="said">${markdown(text)}</article>`}
    ${end === null ? runningView(turn, visit) : endView(turn, end)}`;
}

function callView({ shown, state, progress }: TurnCall): Html {
  return html`<li class="line"><code>${shown}</code> <span class="row small quiet">${state === 'running' ? (progress ?? '') : ''} ${badge(state, state === 'failed' ? 'alert' : state === 'done' ? 'plain' : 'accent')}</span></li>`;
}

/** The form has the fields that the kind of answer needs. */
function questionView({ key: questionKey, asker, question }: AskedQuestion, key: string, visit: Visit): Html {
  const { text, answerType } = question;
  const options =
    answerType === 'boolean' ? ['yes', 'no'] : answerType === 'text' ? [] : answerType.select.options;
  const named = html`${hidden('key', key)}${hidden('question', questionKey)}`;
  const field =
    answerType === 'text'
      ? html`<label class="row">Answer <input name="answer" autocomplete="off" value="${typeof question.default === 'string' ? question.default : ''}"></label><button class="main">Answer</button>`
      : html`${options.map((each) => html`<button name="answer" value="${each}">${each}</button>`)}`;
  return html`<section class="card" aria-label="A tool asks"><h2>${neutralise(asker)} asks</h2>
    <pre class="request" tabindex="0">${neutralise(text)}</pre>
    ${changeForm(visit, '/conversations/answer', html`${named}${field}`, 'row')}</section>`;
}

function waitingView(approval: Approval, key: string, visit: Visit): Html {
  const { question, parts } = describeApproval(approval);
  const back = address('/conversations/turn', { key });
  const named = html`${hidden('id', approval.id)}${hidden('digest', approval.digest)}${hidden('back', back)}`;
  return html`<section class="card" aria-label="An approval is needed"><h2>${neutralise(question)}</h2>
    ${parts.map(({ label, text }) => html`<h3>${label}</h3><pre class="request" tabindex="0">${neutralise(text)}</pre>`)}
    <div class="row">${changeForm(visit, '/approvals/approve', html`${named}<button class="main">Approve</button>`)}
      ${changeForm(visit, '/approvals/deny', html`${named}<label class="row">Why <input name="note" maxlength="500" autocomplete="off"></label><button class="danger">Deny</button>`, 'row')}</div>
  </section>`;
}

function runningView({ key, text, waiting, questions, indexing }: ShownTurn, visit: Visit): Html {
  const what =
    waiting.length + questions.length > 0
      ? 'Waits for you.'
      : indexing !== null
        ? `Reading new and changed files first: ${numeral(indexing.done)} of ${numeral(indexing.total)}.`
        : text === ''
          ? 'Waiting for the answer.'
          : 'Answering.';
  return html`<div class="row"><span class="quiet" role="status">${what}</span>
    ${changeForm(visit, '/conversations/stop', html`${hidden('key', key)}<button>Stop</button>`)}</div>`;
}

function endView({ conversation }: ShownTurn, end: TurnOutcome): Html {
  const link =
    conversation === null
      ? NOTHING
      : html`<p><a class="button" href="${address('/conversations/show', { id: conversation })}">Open the conversation</a></p>`;
  if (end.kind === 'failed')
    return html`<div class="notice problem"><p>${end.message}</p><p class="quiet">${end.hint ?? ''}</p></div>${link}`;
  return html`${end.reason === 'answered' ? NOTHING : html`<p class="quiet">The answer ended early: ${end.reason}.</p>`}${link}`;
}
