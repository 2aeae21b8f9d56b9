import { counted } from '../../../../base/text.ts';
import { elapsed, secondsOf } from '../../../../base/time.ts';
import type { Entry } from '../../../../domain/ledger/entry/entry.ts';
import { entryJson } from '../../../../domain/ledger/entry/entry-json.ts';
import {
  type ClaimSides,
  claimId,
  claimJson,
  noClaim,
} from '../../../../domain/ledger/entry/stated-claim.ts';
import { stateClaim } from '../../../../domain/ledger/state-claim.ts';
import { command, type Invocation } from '../../command.ts';
import { readText } from '../../read-content.ts';
import { idsFor } from '../../render/short-ids.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { actorOf } from './actor.ts';

export const knowledgeClaims = command({
  name: 'claims',
  summary: 'state claims, and show what supports and what contradicts them',
  description:
    'A claim is a statement that entries speak for ("ken k add --supports ID") or against (--contradicts). Without an ' +
    'id, all claims are listed; with --text, the claim is stated, or stated in new words.',
  examples: ['k claims retries --text "Retrying a request is safe."', 'k claims retries', 'k claims --json'],
  arguments: [{ name: 'id', summary: 'the claim' }],
  options: [
    { flags: '--text <text>', summary: 'what it says; - for standard input' },
    { flags: '--allow-secret', summary: 'state it even if it looks like a secret' },
  ],

  async run(invocation) {
    const { arguments: given, options } = invocation;
    const id = given[0] === undefined ? undefined : claimId(given[0]);
    const text = options.text('text');
    if (id === undefined) await list(invocation);
    else if (text === undefined) await show(invocation, id);
    else await state(invocation, { id, text, allowSecret: options.has('allow-secret') });
  },
});

async function list({ terminal, open }: Invocation): Promise<void> {
  const { ledger, clock } = await open();
  const claims = await ledger.claims(secondsOf(clock.now()));
  if (terminal.json) terminal.printJson({ claims: claims.map(claimJson) });
  else if (claims.length === 0)
    terminal.note('There are no claims. "ken knowledge claims ID --text …" states one.');
  else printTable(terminal, COLUMNS, claims);
}

const COLUMNS: readonly ItemColumn<ClaimSides>[] = [
  { title: 'id', cell: ({ id }) => id },
  { title: 'for', align: 'right', cell: ({ supports }) => String(supports) },
  { title: 'against', align: 'right', cell: ({ contradicts }) => String(contradicts) },
  { title: 'claim', flexible: true, cell: ({ stated }) => stated?.text ?? '(not stated)' },
];

async function state(
  invocation: Invocation,
  given: { readonly id: string; readonly text: string; readonly allowSecret: boolean },
): Promise<void> {
  const { terminal, open } = invocation;
  const text = await readText(given.text, invocation, 'ledger/invalid');
  const app = await open({ makesPersonal: true });
  const { id, action } = await stateClaim(app, { ...given, text, actor: await actorOf(invocation, app) });
  if (terminal.json) terminal.printJson({ id, action });
  else terminal.note(SAID[action](id));
}

const SAID = {
  stated: (id: string) => `The claim ${id} is stated. Entries support it with "ken k add --supports ${id}".`,
  restated: (id: string) => `The claim ${id} has new words.`,
  unchanged: (id: string) => `The claim ${id} says so already.`,
};

/** Entries of one side that are shown; the rest is counted. */
const MOST = 100;

async function show({ terminal, open }: Invocation, id: string): Promise<void> {
  const { ledger, clock } = await open();
  const now = clock.now();
  const at = secondsOf(now);
  const [claim] = await ledger.claims(at, [id]);
  if (!claim) throw noClaim(id, await ledger.claims(at));
  const filter = { claimId: id, statuses: ['active' as const], unexpiredAt: at };
  const entries = await ledger.list({ ...filter, limit: 3 * MOST });
  const side = (stance: Entry['claimStance']) => entries.filter(({ claimStance }) => claimStance === stance);
  const sides = {
    supports: side('supports'),
    contradicts: side('contradicts'),
    mentions: side(undefined),
  };
  if (terminal.json) {
    const { supports, contradicts, mentions, ...told } = claimJson(claim);
    const listed = Object.fromEntries(
      Object.entries(sides).map(([name, each]) => [name, each.slice(0, MOST).map(entryJson)]),
    );
    terminal.printJson({ claim: { ...told, counts: { supports, contradicts, mentions } }, ...listed });
    return;
  }
  terminal.print(claim.stated?.text ?? `Nobody has stated the claim "${id}"; entries name it.`);
  if (claim.stated)
    terminal.print(
      `Stated ${elapsed(claim.stated.statedAt * 1000, now)} by ${claim.stated.statedBy}${claim.stated.isForeign ? ', not by you' : ''}.`,
    );
  const shown = idsFor(terminal, entries);
  for (const [title, name] of TITLES) {
    if (claim[name] === 0) continue;
    terminal.print('');
    terminal.print(`${title} (${claim[name]})`);
    printTable(terminal, sideColumns(shown), sides[name].slice(0, MOST));
    const left = claim[name] - Math.min(sides[name].length, MOST);
    if (left > 0)
      terminal.note(`and ${counted(left, 'more entry', 'more entries')}: "ken k list --claim-id ${id}".`);
  }
  if (claim.supports + claim.contradicts === 0)
    terminal.note(`No entry takes a side. "ken k add --supports ${id}" or "--contradicts ${id}" adds one.`);
}

const TITLES = [
  ['For', 'supports'],
  ['Against', 'contradicts'],
  ['Without a side', 'mentions'],
] as const;

function sideColumns(shown: (id: string) => string): ItemColumn<Entry>[] {
  return [
    { title: 'id', cell: ({ id }) => shown(id) },
    { title: 'title', flexible: true, cell: ({ title }) => title },
    { title: 'evidence', flexible: true, cell: ({ provenance }) => provenance },
  ];
}
