import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { counted } from '../../../../base/text.ts';
import { reviseEntry } from '../../../../domain/ledger/add-entry.ts';
import { isProcedural } from '../../../../domain/ledger/entry/entry.ts';
import { confirmedPerson, isTold } from '../../../../domain/ledger/entry/provenance.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command, type Invocation } from '../../command.ts';
import { actorOf } from './actor.ts';
import { meantEntry, requireEntry } from './require-entry.ts';

const ID = { name: 'id', summary: 'the entry', required: true, complete: 'entries' } as const;

export const editKnowledge = command({
  name: 'edit',
  summary: 'edit the title and the text of an entry in your editor',
  description:
    'The first line is the title; the text follows after an empty line. What you save is the next version of the entry; ' +
    'the one before stays in its history. A rule cannot be edited: promote another entry.',
  examples: ['k edit 01K9ZC4N8Q', 'k history 01K9ZC4N8Q'],
  arguments: [ID],
  options: [{ flags: '--allow-secret', summary: 'keep it even if it looks like a secret' }],

  async run(invocation) {
    const {
      arguments: [given = ''],
      options,
      terminal,
      open,
    } = invocation;
    const app = await open();
    const { id, title, text, version } = await requireEntry(
      app.ledger,
      (await meantEntry(app.ledger, given)).id,
    );
    const before = `${title}\n\n${text}\n`;
    const after = await app.editor.edit(before, 'entry.md');
    if (after === undefined)
      throw new Fault('process/failed', 'The editor ended with an error; nothing was changed.');
    const changed = after !== before;
    if (changed) {
      const [first = '', ...rest] = after.replace(/\r\n/g, '\n').split('\n');
      const actor = await actorOf(invocation, app);
      const revision = {
        id,
        title: first,
        text: rest.join('\n').trim(),
        allowSecret: options.has('allow-secret'),
        actor,
      };
      await reviseEntry({ ...app, isCitationUri }, revision);
    }
    if (terminal.json) terminal.printJson({ id, version: changed ? version + 1 : version, changed });
    else
      terminal.note(
        changed
          ? `${id} is at version ${version + 1}. "ken k diff ${id}" shows the change.`
          : 'Nothing was changed.',
      );
  },
});

export const confirmKnowledge = command({
  name: 'confirm',
  summary: 'confirm an entry of somebody else, or what an assistant was told',
  description:
    'An entry that came with the ledger and was not written by you is a claim; confirming makes it yours. If an ' +
    'assistant says that a person told it something, the source is "person:NAME (told by ASSISTANT)"; ' +
    'confirming makes it "person:NAME". Search trusts both less than other entries. It needs you at a terminal.',
  examples: ['k confirm 01K9ZC4N8Q', 'k confirm --all'],
  arguments: [{ ...ID, required: false }],
  options: [{ flags: '--all', summary: 'every active entry that came with the ledger' }],

  async run(invocation) {
    const {
      arguments: [given],
      options,
      terminal,
      open,
    } = invocation;
    if ((given === undefined) !== options.has('all'))
      throw new Fault('cli/usage', 'Name an entry, or give --all.');
    const app = await open();
    if (given === undefined) return confirmAll(invocation, app);
    const { id, provenance, isClaim } = await requireEntry(
      app.ledger,
      (await meantEntry(app.ledger, given)).id,
    );
    if (!isTold(provenance) && !isClaim) {
      throw new Fault('ledger/invalid', `There is nothing to confirm: ${id} comes from ${provenance}.`);
    }
    const { requireOperator } = await import('../../../../domain/approvals/operator/operator-presence.ts');
    await requireOperator(app, `Confirming ${id}`);
    const actor = await actorOf(invocation, app);
    const confirmed = isTold(provenance) ? confirmedPerson(provenance) : provenance;
    await reviseEntry({ ...app, isCitationUri }, { id, provenance: confirmed, actor });
    if (terminal.json) terminal.printJson({ id, provenance: confirmed });
    else terminal.note(isClaim ? `${id} is confirmed.` : `${id} comes from ${confirmed}.`);
    return undefined;
  },
});

async function confirmAll(invocation: Invocation<'all', never>, app: WorkspaceApp): Promise<undefined> {
  const { terminal } = invocation;
  const { requireOperator } = await import('../../../../domain/approvals/operator/operator-presence.ts');
  await requireOperator(app, 'Confirming all claims');
  const actor = await actorOf(invocation, app);
  const limit = Number.MAX_SAFE_INTEGER;
  const claims = (await app.ledger.list({ statuses: ['active'], limit })).filter(
    ({ id, isClaim }) => isClaim && !isProcedural(id),
  );
  for (const { id } of claims) await reviseEntry({ ...app, isCitationUri }, { id, allowSecret: true, actor });
  const ids = claims.map(({ id }) => id);
  if (terminal.json) terminal.printJson({ confirmed: ids });
  else terminal.note(`${counted(ids.length, 'claim')} confirmed.`);
  return undefined;
}
