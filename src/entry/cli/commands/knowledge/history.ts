import { Fault } from '../../../../base/fault.ts';
import { isJsonList, type JsonObject, memberOf } from '../../../../base/json.ts';
import { lineDifference } from '../../../../base/line-difference.ts';
import { isoTime } from '../../../../base/time.ts';
import type { EntryVersion } from '../../../../domain/ledger/entry/entry.ts';
import { earlierCitationJson, eventJson, versionJson } from '../../../../domain/ledger/entry/entry-json.ts';
import type { LedgerEvent } from '../../../../domain/ledger/entry/ledger-event.ts';
import { noEntry } from '../../../../domain/ledger/plans/plan-status.ts';
import { command } from '../../command.ts';
import { type Column, table } from '../../render/table.ts';
import { meantEntry } from './require-entry.ts';

export const knowledgeHistory = command({
  name: 'history',
  summary: 'show every version of an entry, and what happened to it',
  examples: ['k history 01K9ZC4N8Q', 'k history ports --json'],
  arguments: [{ name: 'id', summary: 'an id', required: true, complete: 'entries' }],

  async run({ arguments: [target = ''], terminal, open }) {
    const { ledger } = await open();
    const { id } = await meantEntry(ledger, target);
    const [versions, events] = [await ledger.versions(id), await ledger.events(id)];
    if (versions.length === 0) throw noEntry(id);
    if (terminal.json)
      terminal.printJson({
        id,
        versions: versions.map(versionJson),
        citations: (await ledger.citations(id)).map(earlierCitationJson),
        events: events.map((event) => eventJson(event, id)),
      });
    else {
      const rows = events.map((event) => row(id, event));
      terminal.printStyled(table(terminal, COLUMNS, rows));
    }
  },
});

const COLUMNS: readonly Column[] = [
  { title: 'when' },
  { title: 'version', align: 'right' },
  { title: 'what' },
  { title: 'who' },
  { title: 'changed', flexible: true },
];

function row(id: string, { at, type, actor, data, changes }: LedgerEvent): string[] {
  const change = changes.find((each) => each.id === id);
  const { id: _, version, cites, uncites, ...fields } = change ?? {};
  const what = String(
    (change && type === 'add' && fields.status === 'superseded' && 'superseded') ||
      (data.action ?? data.outcome ?? type),
  );
  const told = type === 'verify' ? found(id, data) : Object.keys(fields);
  return [isoTime(at * 1000), String(version ?? ''), what, actor, told.join(', ')];
}

function found(id: string, { checked }: JsonObject): string[] {
  const own = (isJsonList(checked) ? checked : []).filter((each) => memberOf(each, 'id') === id);
  return own.map((each) => {
    const [provenance, verdict, to] = ['provenance', 'verdict', 'moved_to'].map((name) =>
      memberOf(each, name),
    );
    return `${provenance} ${verdict}${to === undefined ? '' : ` to ${to}`}`;
  });
}

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
