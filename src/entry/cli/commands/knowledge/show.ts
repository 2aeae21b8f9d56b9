import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { secondsOf } from '../../../../base/time.ts';
import { isInForce } from '../../../../domain/ledger/entry/citations.ts';
import type { Entry } from '../../../../domain/ledger/entry/entry.ts';
import { entryJson } from '../../../../domain/ledger/entry/entry-json.ts';
import { parseMoment } from '../../../../domain/ledger/entry/timestamp.ts';
import { standings } from '../../../../domain/ledger/search/current-entries.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command } from '../../command.ts';
import { entryLines } from './entry-lines.ts';
import { meantEntry, requireEntry } from './require-entry.ts';

/** The words of the entry's claim. */
async function claimText(
  { ledger, clock }: Pick<WorkspaceApp, 'ledger' | 'clock'>,
  { claimId }: Pick<Entry, 'claimId'>,
): Promise<string | undefined> {
  if (claimId === undefined) return undefined;
  const [claim] = await ledger.claims(secondsOf(clock.now()), [claimId]);
  return claim?.stated?.text;
}

export const showKnowledge = command({
  name: 'show',
  summary: 'show an entry or an earlier version of it',
  examples: ['k show 01K9ZC4N8Q', 'k show ken://entry/ports@v2', 'k show ports --as-of 2026-01-31T12:00:00Z'],
  arguments: [
    { name: 'id', summary: 'an id or a citation of an entry', required: true, complete: 'entries' },
  ],
  options: [
    { flags: '--as-of <time>', summary: 'as it was then' },
    { flags: '--version <n>', summary: 'this version' },
  ],

  async run({ arguments: [target = ''], options, terminal, open }) {
    const asOf = options.text('as-of');
    const app = await open();
    const { ledger, clock } = app;
    const named = await meantEntry(ledger, target);
    const number = options.count('version', 1) ?? named.version;
    const moment = asOf === undefined ? undefined : parseMoment(asOf, secondsOf(clock.now()));
    const entry = await requireEntry(ledger, named.id, moment);
    const version = number === undefined ? entry : (await ledger.versions(named.id))[number - 1];
    if (!version) throw new Fault('ledger/not-found', `"${named.id}" has no version ${number}.`);
    const citations =
      version === entry
        ? entry.citations
        : (await ledger.citations(version.id)).filter((each) => isInForce(each, version.version));
    const shown = { ...entry, ...version, citations };
    const [standing] = await standings({ ...app, isCitationUri }, [shown]);
    if (terminal.json) terminal.printJson({ entry: { ...entryJson(shown), standing } });
    else {
      const lines = entryLines(shown, standing, clock.now(), await claimText(app, shown));
      for (const line of lines) terminal.print(line);
    }
  },
});
