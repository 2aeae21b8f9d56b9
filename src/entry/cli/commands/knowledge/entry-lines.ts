import { singleLine } from '../../../../base/terminal-text.ts';
import { elapsed, isoTime } from '../../../../base/time.ts';
import { formatLabel } from '../../../../domain/labels/label.ts';
import { type Entry, isProcedural, type Seconds } from '../../../../domain/ledger/entry/entry.ts';
import type { Standing } from '../../../../domain/ledger/search/current-entries.ts';
import { TRUST_WORDS } from '../../../../domain/search/ranking/outcome.ts';

/** Names the side, and what the claim says where it was stated. */
export function claimLine({ claimId, claimStance }: Entry, text: string | undefined): string | undefined {
  if (claimId === undefined) return undefined;
  return `${claimStance === undefined ? '' : `${claimStance} `}${claimId}${text === undefined ? '' : `: ${text}`}`;
}

/** Says whether an entry with a procedural id is an approved rule: any ledger may contain such ids. */
export function ruleText(standing: Standing | undefined): string {
  return standing === 'procedural' ? TRUST_WORDS.procedural : `not a ${TRUST_WORDS.procedural}`;
}

/** One line for each field, then the text. `now` is in milliseconds. */
export function entryLines(
  entry: Entry,
  standing: Standing | undefined,
  now: number,
  claimText?: string,
): string[] {
  const time = (at: Seconds) => `${isoTime(at * 1000).replace('.000Z', 'Z')} (${elapsed(at * 1000, now)})`;
  const { helped, hurt, retrieved } = entry.feedback;
  const rows: [string, string | undefined][] = [
    ['id', entry.id],
    ['title', entry.title],
    ['status', entry.status],
    ['trust', isProcedural(entry.id) ? ruleText(standing) : standing && TRUST_WORDS[standing]],
    ['version', String(entry.version)],
    ['written', entry.isClaim ? 'not by you: it came with the ledger' : undefined],
    ['created', time(entry.createdAt)],
    ['updated', time(entry.updatedAt)],
    ['expires', entry.expires === undefined ? undefined : time(entry.expires)],
    ['claim', claimLine(entry, claimText)],
    ['key', entry.mergeKey],
    ['replaces', entry.supersedes],
    ['successor', entry.supersededBy],
    ['tags', entry.tags.join(' ') || undefined],
    ['labels', [...entry.labels].map(([key, value]) => formatLabel(key, value)).join(' ') || undefined],
    ['feedback', retrieved > 0 ? `${retrieved} retrieved, ${helped} helped, ${hurt} hurt` : undefined],
    ...entry.citations.map(({ provenance, verified }): [string, string] => [
      'evidence',
      verified && verified.verdict !== 'unchecked'
        ? `${provenance} (${verified.verdict}, checked ${elapsed(verified.at * 1000, now)})`
        : provenance,
    ]),
  ];
  const known = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(9)} ${singleLine(value)}`],
  );
  return [...known, '', entry.text];
}
