import { Fault } from '../../../../base/fault.ts';
import { page, type Visit } from '../../page.ts';
import { html, NOTHING } from '../../parts/html.ts';
import { markdown } from '../../parts/text.ts';
import { turnView } from '../../parts/turn.ts';
import type { Turn } from '../../turns.ts';

export const turnPage = page({
  path: '/conversations/turn',
  section: 'conversations',
  title: ({ turn }) => turn.question,
  async load({ place, query }: Visit) {
    const turn = place.turns.get(query.get('key') ?? '');
    if (!turn)
      throw new Fault('conversations/not-found', 'This answer is no longer held in memory.', {
        hint: 'Conversations lists what was kept of it.',
      });
    const { conversation, end, indexing, ...known } = turn;
    return {
      turn: {
        ...shownFields(known),
        conversation: conversation ?? null,
        end: end ?? null,
        indexing: indexing ?? null,
      },
    };
  },
  // What is being typed into a form of it stays.
  isGoingOn: ({ turn }) => turn.end === null && turn.waiting.length + turn.questions.length === 0,
  view: ({ turn }, visit) => html`
    <div class="top"><div><p class="quiet"><a href="/conversations">Conversations</a></p><h1>Answer</h1></div></div>
    <article class="said person">${markdown(turn.question)}</article>
    <div id="turn" class="stack" ${turn.end === null ? html`data-turn="${turn.key}"` : NOTHING} aria-live="polite">${turnView(turn, visit)}</div>`,
});

function shownFields({
  key,
  question,
  text,
  calls,
  waiting,
  questions,
}: Omit<Turn, 'conversation' | 'end' | 'indexing'>) {
  return { key, question, text, calls, waiting, questions };
}
