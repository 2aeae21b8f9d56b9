import { parseLabelChanges } from '../../../../domain/labels/label-directive.ts';
import { addEntry } from '../../../../domain/ledger/add-entry.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command } from '../../command.ts';

import { requiredText } from '../../options.ts';
import { readText } from '../../read-content.ts';
import { actorOf } from './actor.ts';

export const addKnowledge = command({
  name: 'add',
  summary: 'add an entry, or a newer version of one',
  description:
    'The first --provenance is the source of the entry; all of them are its citations. If an active entry has ' +
    'the same merge key, --on-conflict decides: merge adds a version to that entry, supersede retires it, ' +
    'reject ends with an error.',
  examples: [
    'k add --title "Deploys need a tag" --text "…" --provenance file:docs/deploy.md#L3-L9',
    'k add --title "Two reviewers" --text "Every change has two." --provenance meeting:Planning@2026-11-15',
    'k add --title Ports --text - --provenance "cmd:ss -ltn" --merge-key ports --ttl-policy ephemeral < ports.txt',
  ],
  options: [
    { flags: '--id <id>', summary: 'the id; a new ULID if absent' },
    { flags: '--title <text>', summary: 'a short, specific title', required: true },
    { flags: '--text <text>', summary: 'the fact; - for standard input', required: true },
    {
      flags: '--provenance <source>',
      summary: 'file:PATH#L3-L9, url:, cmd:, commit:, ref:ken://…, person:NAME, meeting:TITLE@DATE',
      required: true,
      repeatable: true,
    },
    { flags: '--supports <claim>', summary: 'the claim that it speaks for; see "ken knowledge claims"' },
    { flags: '--contradicts <claim>', summary: 'the claim that it speaks against' },
    { flags: '--claim-id <id>', summary: 'the claim it belongs to, without a side' },
    { flags: '--merge-key <key>', summary: 'a key that at most one active entry has' },
    { flags: '--on-conflict <policy>', summary: 'merge, supersede or reject; merge if absent' },
    { flags: '--status <status>', summary: 'active, superseded, deprecated or stale; active if absent' },
    { flags: '--ttl-policy <policy>', summary: 'ephemeral, decay or persistent; persistent if absent' },
    { flags: '--expires-ts <time>', summary: 'when it expires; for ephemeral and decay' },
    { flags: '--tag <tag>', summary: 'a tag to find it by', repeatable: true },
    { flags: '--label <key=value>', summary: 'a label', repeatable: true },
    { flags: '--allow-secret', summary: 'add it even if it looks like a secret' },
  ],

  async run(invocation) {
    const { options, terminal, open } = invocation;
    const given = {
      id: options.text('id'),
      title: requiredText(options, 'title'),
      provenance: options.texts('provenance'),
      claimId: options.text('claim-id'),
      supports: options.text('supports'),
      contradicts: options.text('contradicts'),
      mergeKey: options.text('merge-key'),
      onConflict: options.text('on-conflict'),
      status: options.text('status'),
      ttlPolicy: options.text('ttl-policy'),
      expires: options.text('expires-ts'),
      tags: options.texts('tag'),
      labels: parseLabelChanges(options.texts('label'), 'An entry'),
      allowSecret: options.has('allow-secret'),
    };
    const text = await readText(requiredText(options, 'text'), invocation, 'ledger/invalid');
    const app = await open({ makesPersonal: true });
    const actor = await actorOf(invocation, app);
    const { id, action, supersededIds, unfound } = await addEntry(
      { ...app, isCitationUri },
      { ...given, text, actor },
    );
    if (terminal.json) terminal.printJson({ id, action, superseded_ids: supersededIds });
    else terminal.print(id);
    if (!terminal.json) terminal.note(said(action, supersededIds));
    for (const source of unfound)
      terminal.warn(`${source} does not exist now, so a change of it will not be noticed.`);
  },
});

function said(action: string, supersededIds: readonly string[]): string {
  const [old] = supersededIds;
  if (old !== undefined) return `It supersedes ${old}.`;
  return action === 'merged' ? 'It is the next version of that entry.' : 'It is a new entry.';
}
