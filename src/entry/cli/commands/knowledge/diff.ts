import { Fault } from '../../../../base/fault.ts';
import { lineDifference } from '../../../../base/line-difference.ts';
import type { EntryVersion } from '../../../../domain/ledger/entry/entry.ts';
import { versionJson } from '../../../../domain/ledger/entry/entry-json.ts';
import { noEntry } from '../../../../domain/ledger/plans/plan-status.ts';
import { command } from '../../command.ts';
import { meantEntry } from './require-entry.ts';

export const diffKnowledge = command({
  name: 'diff',
  summary: 'show what changed between two versions of an entry',
  description: 'Compares the last two versions by default.',
  examples: ['k diff ports', 'k diff ports --from 1 --to 3'],
  arguments: [{ name: 'id', summary: 'an id', required: true, complete: 'entries' }],
  options: [
    { flags: '--from <n>', summary: 'the earlier version' },
    { flags: '--to <n>', summary: 'the later version' },
  ],

  async run({ arguments: [target = ''], options, terminal, open }) {
    const { ledger } = await open();
    const { id } = await meantEntry(ledger, target);
    const versions = await ledger.versions(id);
    if (versions.length === 0) throw noEntry(id);
    const to = options.count('to', 1) ?? versions.length;
    const from = options.count('from', 1) ?? Math.max(1, to - 1);
    const diff = lineDifference(textOf(id, versions, from), textOf(id, versions, to));
    if (terminal.json) terminal.printJson({ id, from, to, diff });
    else terminal.print(diff);
  },
});

/** One line for each field that is set, then the text. */
function textOf(id: string, versions: readonly EntryVersion[], number: number): string {
  const version = versions[number - 1];
  if (!version) throw new Fault('ledger/not-found', `"${id}" has no version ${number}.`);
  const { id: _, content, version: __, updated_at, created_at, ...fields } = versionJson(version);
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  return [...lines, '', content].join('\n');
}
