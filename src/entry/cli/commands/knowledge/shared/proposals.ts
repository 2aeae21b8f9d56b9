import type { WorkspaceApp } from '../../../../../app.ts';
import { elapsed } from '../../../../../base/time.ts';
import { requireOperator } from '../../../../../domain/approvals/operator/operator-presence.ts';
import { stampOf } from '../../../../../domain/ledger/add-entry.ts';
import { eventJson } from '../../../../../domain/ledger/entry/entry-json.ts';
import type { SettleRequest, SharedProposal } from '../../../../../domain/ledger/shared/shared-ledger.ts';
import { command } from '../../../command.ts';
import { type ItemColumn, printTable } from '../../../render/table.ts';
import { actorOf } from '../actor.ts';

const ID = { name: 'event_id', summary: 'the proposal', required: true } as const;

export const listProposals = command({
  name: 'proposals',
  summary: 'list changes of others that wait for you',
  description:
    'With knowledge.share = "git", others send changes through the repository. A change of one of your entries ' +
    'or of a rule waits here until you accept or decline it, and so does an erasure.',
  examples: ['k proposals', 'k proposals --json'],

  async run({ terminal, open }) {
    const app = await open();
    const proposals = await app.sharedLedger.proposals();
    if (terminal.json) {
      terminal.printJson({
        proposals: proposals.map(({ event, why }) => ({ ...eventJson(event, ''), why })),
      });
      return;
    }
    if (proposals.length === 0) return terminal.note('Nothing of others waits for you.');
    printTable(terminal, columns(app.clock.now()), proposals);
  },
});

function columns(now: number): readonly ItemColumn<SharedProposal>[] {
  return [
    { title: 'proposal', cell: ({ event }) => event.eventId },
    { title: 'who', cell: ({ event }) => event.actor },
    { title: 'when', cell: ({ event }) => elapsed(event.at * 1000, now) },
    { title: 'what', cell: ({ event }) => event.type },
    { title: 'says', flexible: true, cell: said },
    { title: 'waits because', flexible: true, cell: ({ why }) => why },
  ];
}

/** The texts that it brings, or the fields that it changes. */
function said({ event }: SharedProposal): string {
  const told = event.changes.map(({ id, version: _, title, text, ...fields }) => {
    const texts = [title, text].filter((each) => typeof each === 'string');
    const shown = texts.length > 0 ? texts.join(': ') : JSON.stringify(fields);
    return `${String(id)}: ${shown}`;
  });
  return told.join('; ');
}

export const acceptProposal = command({
  name: 'accept',
  summary: 'make a proposed change as your own',
  description: 'The change becomes yours, made now, and is shared as yours. It needs you at a terminal.',
  examples: ['k accept 01K9ZC4N8QW3N5V7X9B1D3F5H7'],
  arguments: [ID],

  async run(invocation) {
    const { terminal } = invocation;
    const app = await invocation.open();
    await requireOperator(app, 'Accepting a proposal');
    const ids = await app.sharedLedger.accept(await settling(app, invocation));
    if (terminal.json) terminal.printJson({ accepted: invocation.arguments[0] ?? '', entries: ids });
    else terminal.note(`Accepted: ${ids.join(', ')}.`);
  },
});

export const declineProposal = command({
  name: 'decline',
  summary: 'leave a proposed change out for good',
  description: 'Others are not told. Needs you at a terminal.',
  examples: ['k decline 01K9ZC4N8QW3N5V7X9B1D3F5H7'],
  arguments: [ID],

  async run(invocation) {
    const { terminal } = invocation;
    const app = await invocation.open();
    await requireOperator(app, 'Declining a proposal');
    const request = await settling(app, invocation);
    await app.sharedLedger.decline(request);
    if (terminal.json) terminal.printJson({ declined: request.eventId });
    else terminal.note('Declined.');
  },
});

async function settling(
  app: WorkspaceApp,
  invocation: Parameters<typeof actorOf>[0] & { readonly arguments: readonly string[] },
): Promise<SettleRequest> {
  return { eventId: invocation.arguments[0] ?? '', stamp: stampOf(app, await actorOf(invocation, app)) };
}
