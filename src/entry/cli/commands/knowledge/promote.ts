import type { WorkspaceApp } from '../../../../app.ts';
import { granted } from '../../../../domain/approvals/approval-fault.ts';
import { seekApproval } from '../../../../domain/approvals/seek-approval.ts';
import { stampOf } from '../../../../domain/ledger/add-entry.ts';
import { promoteAsApproved, proposal } from '../../../../domain/ledger/promotion/promote-entry.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command } from '../../command.ts';
import { requiredText } from '../../options.ts';
import { actorOf } from './actor.ts';
import { meantEntry } from './require-entry.ts';

export const promoteKnowledge = command({
  name: 'promote',
  summary: 'propose an entry as a rule; a person decides',
  description:
    'The person who approves sees the whole text, and the approval covers exactly that text, once. With --as ken ' +
    'creates the rule at once; without it, add the rule later with --provenance event:ID.',
  examples: [
    'k promote 01K9ZC4N8Q --evidence-ref commit:abc123 --reason "agreed in review" --as procedural/release',
  ],
  arguments: [{ name: 'source_entry_id', summary: 'the entry', required: true, complete: 'entries' }],
  options: [
    { flags: '--evidence-ref <ref>', summary: 'evidence for it', required: true, repeatable: true },
    { flags: '--reason <text>', summary: 'why it should be a rule', required: true },
    { flags: '--as <id>', summary: 'its procedural id: procedural/…' },
    { flags: '--approved-by <name>', summary: 'the person who is said to have approved it; kept as a claim' },
  ],

  async run(invocation) {
    const { options, terminal, open, signal } = invocation;
    const app = await open();
    const { id: sourceId } = await meantEntry(app.ledger, invocation.arguments[0] ?? '');
    const actor = await actorOf(invocation, app);
    const request = await proposal(app, {
      sourceId,
      evidence: options.texts('evidence-ref'),
      reason: options.text('reason') ?? '',
      as: options.text('as'),
      approvedBy: options.text('approved-by'),
      actor,
      workspace: app.workspace.root,
    });
    const approval = granted(await seekApproval(app, request, signal));
    const { message, data } = await promoteAsApproved({ ...app, isCitationUri }, approval);
    if (terminal.json) terminal.printJson({ promotion: await promotionJson(app, String(data.event_id)) });
    else terminal.note(message);
  },
});

async function promotionJson({ ledger }: Pick<WorkspaceApp, 'ledger'>, eventId: string) {
  const [promotion] = await ledger.promotions([eventId]);
  return {
    event_id: eventId,
    source_entry_id: promotion?.sourceId ?? null,
    target_class: promotion?.targetClass ?? null,
    target_id: promotion?.consumedBy ?? null,
    evidence_refs: promotion?.evidence ?? [],
    approved_by: promotion?.approver ?? null,
    reason: promotion?.reason ?? null,
    text_sha256: promotion?.textSha256 ?? null,
    approval_id: promotion?.approvalId ?? null,
  };
}

export const revokePromotion = command({
  name: 'revoke',
  summary: 'revoke a promotion, and deprecate the rule it made',
  examples: ['k revoke procedural/release --reason "it no longer holds"'],
  arguments: [
    { name: 'id', summary: 'the rule, or its promotion event', required: true, complete: 'entries' },
  ],
  options: [{ flags: '--reason <text>', summary: 'why', required: true }],

  async run(invocation) {
    const { options, terminal, open } = invocation;
    const reason = requiredText(options, 'reason');
    const app = await open();
    const eventId = await promotionOf(app.ledger, invocation.arguments[0] ?? '');
    const stamp = stampOf(app, await actorOf(invocation, app));
    const demotedIds = await app.ledger.revoke({ eventId, reason, stamp });
    if (terminal.json)
      terminal.printJson({ event_id: stamp.eventId, revokes: eventId, demoted_ids: demotedIds });
    else
      terminal.note(
        demotedIds.length > 0 ? `${demotedIds.join(', ')} is deprecated.` : 'No entry depends on it.',
      );
  },
});

/** A rule comes from the event that promoted it. */
async function promotionOf(ledger: WorkspaceApp['ledger'], text: string): Promise<string> {
  const [entry] = await ledger.entries([text]);
  return /^event:(.+)$/.exec(entry?.provenance ?? '')?.[1] ?? text;
}
