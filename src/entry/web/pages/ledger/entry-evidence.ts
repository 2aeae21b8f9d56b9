/** The lines that an entry rests on, as they are now; for lines that changed, also as they were. */

import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { shortDifference } from '../../../../base/line-difference.ts';
import type { Entry, KeptCitation } from '../../../../domain/ledger/entry/entry.ts';
import { parseProvenance } from '../../../../domain/ledger/entry/provenance.ts';
import { beforeAndNow } from '../../../../domain/ledger/evidence/check-evidence.ts';
import { citedLines, sourceText } from '../../../../domain/ledger/evidence/evidence.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';

export interface Evidence {
  readonly provenance: string;
  readonly verdict: string | null;
  readonly checkedAt: number | null;
  readonly firstLine: number;
  /** Null where nothing can be read. */
  readonly text: string | null;
  /** Null unless the lines are not those that were cited. */
  readonly change: string | null;
}

const MOST_LINES = 40;

export async function evidenceOf(app: WorkspaceApp, { citations }: Entry): Promise<readonly Evidence[]> {
  return Promise.all(citations.map((citation) => oneEvidence(app, citation)));
}

async function oneEvidence(app: WorkspaceApp, citation: KeptCitation): Promise<Evidence> {
  const { provenance, verified } = citation;
  const now = await currentLines(app, provenance);
  return {
    provenance,
    verdict: verified?.verdict ?? null,
    checkedAt: verified ? verified.at * 1000 : null,
    firstLine: now.firstLine,
    text: now.text === undefined ? null : firstLines(now.text),
    change: verified?.verdict === 'changed' ? await changeOf(app, citation) : null,
  };
}

function firstLines(text: string): string {
  const lines = text.split('\n');
  return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), '\u2026'].join('\n') : text;
}

async function currentLines(
  app: WorkspaceApp,
  given: string,
): Promise<{ readonly firstLine: number; readonly text: string | undefined }> {
  const provenance = parseProvenance(given, isCitationUri);
  const nothing = { firstLine: 1, text: undefined };
  try {
    if (provenance?.scheme === 'file') {
      const { path, lines } = provenance;
      const text = await app.evidence.read(path);
      return { firstLine: lines?.first ?? 1, text: text === undefined ? undefined : citedLines(text, lines) };
    }
    if (provenance?.scheme !== 'url' && provenance?.scheme !== 'ref') return nothing;
    const source = await sourceText(app, provenance);
    const first = Number(/#L(\d+)/.exec(given)?.[1] ?? 1);
    return source.kind === 'there' ? { firstLine: first, text: source.text } : nothing;
  } catch (error) {
    // One source that cannot be read hides none of the others.
    if (error instanceof Fault) return nothing;
    throw error;
  }
}

async function changeOf(app: WorkspaceApp, citation: KeptCitation): Promise<string | null> {
  const compared = await beforeAndNow({ ...app, isCitationUri }, citation);
  if (compared?.before === undefined) return null;
  return shortDifference(compared.before, compared.now ?? '');
}
