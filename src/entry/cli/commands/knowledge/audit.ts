import { compareCodePoints, counted } from '../../../../base/text.ts';
import { type Audit, auditEntries } from '../../../../domain/ledger/evidence/audit-entries.ts';
import {
  type AuditFinding,
  auditTexts,
  type FindingKind,
  type ReceiveFinding,
} from '../../../../domain/ledger/evidence/audit-texts.ts';
import { memoryScratch } from '../../../../domain/ledger/evidence/scratch.ts';
import { foreignTexts } from '../../../../domain/ledger/exchange/foreign-texts.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { command, type Invocation } from '../../command.ts';
import { readContent } from '../../read-content.ts';
import { type Column, table } from '../../render/table.ts';

export const auditKnowledge = command({
  name: 'audit',
  summary: 'find duplicates, dead evidence, secrets and unused entries',
  description:
    'Also shows how often each entry helped and hurt. With --from it checks another program’s collection, without ' +
    'importing it: JSON or JSON lines of {id, text|content|memory}, or a Markdown list. Exit 6 when anything is found.',
  examples: ['k audit', 'k audit --from memories.json'],
  options: [{ flags: '--from <file>', summary: 'this file instead of the ledger; - for standard input' }],

  async run(invocation) {
    const from = invocation.options.text('from');
    const { terminal } = invocation;
    const findings = gatherFindings(terminal.json ? Number.POSITIVE_INFINITY : MOST_OF_A_KIND);
    const { count, used } =
      from === undefined
        ? await ofLedger(invocation, findings.receive)
        : await ofFile(invocation, from, findings.receive);
    const kinds = findings.inOrder();
    if (terminal.json) {
      const all = kinds.flatMap(({ kept }) => kept);
      terminal.printJson({ audited: count, findings: all, feedback: used.map(usageJson) });
    } else {
      if (kinds.length > 0) terminal.printStyled(table(terminal, FINDINGS, shownRows(kinds)));
      else terminal.note(`Nothing found in ${counted(count, 'entry', 'entries')}.`);
      if (used.length > 0) terminal.printStyled(table(terminal, USED, usageRows(used)));
    }
    return kinds.length > 0 ? 6 : 0;
  },
});

async function ofLedger({ open }: Invocation, receive: ReceiveFinding): Promise<Audit> {
  const app = await open();
  app.keepHeapSmall();
  const { count, used } = await auditEntries({ ...app, isCitationUri }, receive);
  return { count, used: used.toSorted(mostRetrievedFirst) };
}

function mostRetrievedFirst(a: UsedEntry, b: UsedEntry): number {
  return b.feedback.retrieved - a.feedback.retrieved || compareCodePoints(a.id, b.id);
}

type UsedEntry = Audit['used'][number];

async function ofFile(invocation: Invocation, file: string, receive: ReceiveFinding): Promise<Audit> {
  const texts = foreignTexts(new TextDecoder().decode(await readContent(file, invocation)));
  const pages = async function* () {
    yield texts;
  };
  await auditTexts(memoryScratch, pages, receive);
  return { count: texts.length, used: [] };
}

interface FoundKind {
  readonly kind: FindingKind;
  readonly kept: readonly AuditFinding[];
  /** All that were found. */
  readonly count: number;
}

/** Keeps so many of each kind: an audit of a large ledger may find something in every entry. */
function gatherFindings(mostOfAKind: number) {
  const found = new Map<FindingKind, { kind: FindingKind; kept: AuditFinding[]; count: number }>();
  return {
    receive(finding: AuditFinding) {
      const { kind } = finding;
      const known = found.get(kind) ?? { kind, kept: [], count: 0 };
      found.set(kind, known);
      known.count += 1;
      if (known.count <= mostOfAKind) known.kept.push(finding);
    },
    inOrder: (): readonly FoundKind[] => [...found.values()].sort((a, b) => PLACES[a.kind] - PLACES[b.kind]),
  };
}

/** The place of each kind; the type lets none be forgotten. */
const PLACES: Readonly<Record<FindingKind, number>> = {
  exact_duplicate: 0,
  near_duplicate: 1,
  secret: 2,
  contradictory_key: 3,
  orphan_evidence: 4,
  expired_active: 5,
  never_retrieved: 6,
  no_active_tip: 7,
  promotion_ledger: 8,
  shared_pair: 9,
  shared_twin: 10,
  shared_ahead: 11,
  shared_waiting: 12,
  shared_line: 13,
};

const FINDINGS: readonly Column[] = [
  { title: 'finding' },
  { title: 'entries', flexible: true },
  { title: 'what', flexible: true },
];

/** Most rows of one kind that are printed. */
const MOST_OF_A_KIND = 20;

function shownRows(kinds: readonly FoundKind[]): string[][] {
  return kinds.flatMap(({ kind, kept, count }) => {
    const more = count - kept.length;
    const rows = kept.map(({ ids, message }) => [kind, ids.join(' '), message]);
    return more > 0 ? [...rows, [kind, '…', `${more} more; --json has them all.`]] : rows;
  });
}

const USED: readonly Column[] = [
  { title: 'entry' },
  { title: 'retrieved', align: 'right' },
  { title: 'helped', align: 'right' },
  { title: 'hurt', align: 'right' },
];

/** Orders by the share that hurt, highest first. */
function usageRows(used: readonly UsedEntry[]): string[][] {
  const sorted = used.toSorted((a, b) => b.feedback.hurt - a.feedback.hurt);
  const more = used.length - MOST_OF_A_KIND;
  const rows = sorted.slice(0, MOST_OF_A_KIND).map(usageRow);
  return more > 0 ? [...rows, [`… ${more} more`, '', '', '']] : rows;
}

function usageRow({ id, feedback }: UsedEntry): string[] {
  return [
    id,
    String(feedback.retrieved),
    share(feedback.helped, feedback.retrieved),
    share(feedback.hurt, feedback.retrieved),
  ];
}

function share(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)}%`;
}

function usageJson({ id, feedback }: UsedEntry) {
  const { retrieved, helped, hurt } = feedback;
  return { id, retrieved, helped, hurt, helped_rate: helped / retrieved, hurt_rate: hurt / retrieved };
}
