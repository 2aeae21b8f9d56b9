import { Fault } from '../../../../base/fault.ts';
import { reviseEntry } from '../../../../domain/ledger/add-entry.ts';
import { entryId } from '../../../../domain/ledger/entry/entry.ts';
import { confirmedPerson, isTold } from '../../../../domain/ledger/entry/provenance.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command } from '../../command.ts';
import { actorOf } from './actor.ts';
import { requireEntry } from './require-entry.ts';

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
    const { id, title, text, version } = await requireEntry(app.ledger, entryId(given));
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
  summary: 'confirm what an assistant says that a person told it',
  description:
    'An assistant records such a fact as "person:NAME (told by ASSISTANT)", and search trusts it less than other entries. ' +
    'Confirming makes it "person:NAME". It needs you at a terminal.',
  examples: ['k confirm 01K9ZC4N8Q'],
  arguments: [ID],

  async run(invocation) {
    const {
      arguments: [given = ''],
      terminal,
      open,
    } = invocation;
    const app = await open();
    const { id, provenance } = await requireEntry(app.ledger, entryId(given));
    if (!isTold(provenance)) {
      throw new Fault('ledger/invalid', `There is nothing to confirm: ${id} comes from ${provenance}.`);
    }
    const { requireOperator } = await import('../../../../domain/approvals/operator/operator-presence.ts');
    await requireOperator(app, `Confirming ${id}`);
    const actor = await actorOf(invocation, app);
    const confirmed = confirmedPerson(provenance);
    await reviseEntry({ ...app, isCitationUri }, { id, provenance: confirmed, actor });
    if (terminal.json) terminal.printJson({ id, provenance: confirmed });
    else terminal.note(`${id} comes from ${confirmed}.`);
  },
});
