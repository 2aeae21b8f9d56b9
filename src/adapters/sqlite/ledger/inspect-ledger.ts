import type { DatabaseSync } from 'node:sqlite';
import { LEDGER_FILES } from '../../../domain/ledger/entry/ledger-event.ts';

/** The first problem; undefined when there is none. Rows that pass can be read without further checks. */
export function strangeRows(connection: DatabaseSync): string | undefined {
  const hasClaims = connection.prepare("select 1 from sqlite_schema where name = 'claim'").get();
  const found = [...RULES, ...(hasClaims ? [CLAIM_RULE] : [])].find(
    ([, sql]) => connection.prepare(`select exists (${sql}) as is_so`).get()?.is_so,
  );
  return found?.[0];
}

/** An earlier ken has no claims. */
const CLAIM_RULE = [
  'a claim is not one of ken’s',
  `select 1 from claim where id glob '*[^A-Za-z0-9_.:@+~/-]*' or length(id) not between 1 and 200
     or stated not between 0 and 8640000000000`,
] as const;

const list = (
  column: string,
  type: string,
) => `case when json_valid(${column}) then json_type(${column}) <> 'array'
  or exists (select 1 from json_each(${column}) where type <> '${type}') else 1 end`;
const object = (column: string) =>
  `case when json_valid(${column}) then json_type(${column}) <> 'object' else 1 end`;
/** Up to the latest time that a Date can represent. */
const outOfTime = (column: string) => `${column} not between 0 and 8640000000000`;
const outOfCount = (column: string) => `${column} not between 0 and 1000000000000`;
const fileCases = Object.entries(LEDGER_FILES).map(([type, file]) => `when '${type}' then '${file}'`);

const RULES: readonly (readonly [string, string])[] = [
  [
    'an entry has an id that ken does not give',
    `select 1 from entry where id glob '*[^A-Za-z0-9_.:@+~/-]*' or length(id) not between 1 and 200
       or (lower(id) glob 'procedural/*' and id <> lower(id))`,
  ],
  ['something points to an entry that is not there', 'select 1 from pragma_foreign_key_check'],
  [
    'a chain of entries never ends',
    `with recursive ended (id) as (
       select id from entry where supersedes is null
       union select entry.id from ended join entry on entry.supersedes = ended.id)
     select 1 from entry where id not in ended`,
  ],
  [
    'an entry has no version, or two at once',
    `select 1 from entry left join version on version.entry = entry.id and until is null
     group by entry.id having count(version.position) <> 1`,
  ],
  [
    'a version is out of time',
    `select 1 from version where ${['created', 'since', 'written', 'ifnull(until, 0)', 'ifnull(expires, 0)']
      .map(outOfTime)
      .join(' or ')} or ${outOfCount('number')} or ${outOfCount('position')}`,
  ],
  ['a version has tags that are none', `select 1 from version where ${list('tags', 'text')}`],
  [
    'a version has labels that are none',
    `select 1 from version where ${object('labels')}
       or exists (select 1 from json_each(labels) where type <> 'text')`,
  ],
  [
    'a citation is out of time',
    `select 1 from citation where ${outOfTime('cited')} or ${outOfTime('ifnull(verified, 0)')}
       or ${outOfCount('number')} or ${outOfCount('place')}`,
  ],
  [
    'an event is not one of ken’s',
    `select 1 from event where ${outOfTime('at')} or ${outOfCount('position')} or ${object('data')}
       or ${list('changes', 'object')}
       or file is not case type ${fileCases.join(' ')} end`,
  ],
  [
    'feedback was counted that cannot be',
    `select 1 from feedback where ${['retrieved', 'helped', 'hurt'].map(outOfCount).join(' or ')}`,
  ],
  [
    'a promotion is not one of ken’s',
    `select 1 from promotion where ${outOfTime('at')} or ${list('evidence', 'text')}`,
  ],
];
