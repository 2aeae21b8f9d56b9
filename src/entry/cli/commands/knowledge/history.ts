import { isJsonList, type JsonObject, memberOf } from '../../../../base/json.ts';
import { isoTime } from '../../../../base/time.ts';
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
