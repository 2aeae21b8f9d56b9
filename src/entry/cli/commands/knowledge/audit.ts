import { compareCodePoints, counted } from '../../../../base/text.ts';
import type { Entry } from '../../../../domain/ledger/entry/entry.ts';
import { auditEntries } from '../../../../domain/ledger/evidence/audit-entries.ts';
import { type AuditFinding, auditTexts } from '../../../../domain/ledger/evidence/audit-texts.ts';
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
    const { count, findings, used } =
      from === undefined ? await ofLedger(invocation) : await ofFile(invocation, from);
    const { terminal } = invocation;
    if (terminal.json) terminal.printJson({ audited: count, findings, feedback: used.map(usageJson) });
    else {
      if (findings.length > 0) terminal.printStyled(table(terminal, FINDINGS, shownRows(findings)));
      else terminal.note(`Nothing found in ${counted(count, 'entry', 'entries')}.`);
      if (used.length > 0) terminal.printStyled(table(terminal, USED, usageRows(used)));
    }
    return findings.length > 0 ? 6 : 0;
  },
});

interface Audit {
  readonly count: number;
  readonly findings: readonly AuditFinding[];
  readonly used: readonly Entry[];
}

async function ofLedger({ open }: Invocation): Promise<Audit> {
  const app = await open();
  const { entries, findings } = await auditEntries({ ...app, isCitationUri });
  const used = entries.filter(({ feedback }) => feedback.retrieved > 0).sort(mostRetrievedFirst);
  return { count: entries.length, findings, used };
}

function mostRetrievedFirst(a: Entry, b: Entry): number {
  return b.feedback.retrieved - a.feedback.retrieved || compareCodePoints(a.id, b.id);
}

async function ofFile(invocation: Invocation, file: string): Promise<Audit> {
  const texts = foreignTexts(new TextDecoder().decode(await readContent(file, invocation)));
  return { count: texts.length, findings: auditTexts(texts), used: [] };
}

const FINDINGS: readonly Column[] = [
  { title: 'finding' },
  { title: 'entries', flexible: true },
  { title: 'what', flexible: true },
];

/** Most rows of one kind that are printed. */
const MOST_OF_A_KIND = 20;

function shownRows(findings: readonly AuditFinding[]): string[][] {
  return [...Map.groupBy(findings, ({ kind }) => kind)].flatMap(([kind, all]) => {
    const more = all.length - MOST_OF_A_KIND;
    const rows = all.slice(0, MOST_OF_A_KIND).map(({ ids, message }) => [kind, ids.join(' '), message]);
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
function usageRows(used: readonly Entry[]): string[][] {
  const sorted = used.toSorted((a, b) => b.feedback.hurt - a.feedback.hurt);
  const more = used.length - MOST_OF_A_KIND;
  const rows = sorted.slice(0, MOST_OF_A_KIND).map(usageRow);
  return more > 0 ? [...rows, [`… ${more} more`, '', '', '']] : rows;
}

function usageRow({ id, feedback }: Entry): string[] {
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

function usageJson({ id, feedback }: Entry) {
  const { retrieved, helped, hurt } = feedback;
  return { id, retrieved, helped, hurt, helped_rate: helped / retrieved, hurt_rate: hurt / retrieved };
}
