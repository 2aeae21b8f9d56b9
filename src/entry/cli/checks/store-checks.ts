/** Checks of what ken keeps: indexes, the ledger, references, conversations, approvals, and what a repair would mend. */

import path from 'node:path';
import { isInWorkspace } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { counted } from '../../../base/text.ts';
import { secondsOf } from '../../../base/time.ts';
import type { ConversationTrouble } from '../../../domain/conversations/store.ts';
import { type CheckContext, type CheckFinding, fromFault, ok, problem, warning } from './check.ts';

/** Says how far the index of the workspace is behind its sources. A damaged one starts anew when it is opened. */
export async function checkIndex({ app }: CheckContext): Promise<CheckFinding> {
  const { workspaceSources } = await import('../../searched-indexes.ts');
  const { changesSince } = await import('../../../domain/search/index/sync-index.ts');
  if (!isInWorkspace(app)) return ok('none here');
  const { items, behind, failures } = await changesSince(app.searchIndex, workspaceSources(app));
  const [failure] = failures;
  if (failure) return fromFault(failure.fault, 'Run "ken doctor --repair".');
  if (behind === 0) return ok(counted(items, 'item'));
  return ok(`${counted(items, 'item')}; the next search reads ${counted(behind, 'change')}`);
}

/** Fails if the database cannot be read. */
export async function checkLedger({ app }: CheckContext): Promise<CheckFinding> {
  const { ledger, clock } = app;
  const { active = 0, expired = 0 } = (await ledger?.count(secondsOf(clock.now()))) ?? {};
  const promotion = await promotionFinding(app);
  if (promotion) return promotion;
  if (expired === 0) return ok(counted(active, 'active entry', 'active entries'));
  return warning(
    counted(expired, 'active entry has expired', 'active entries have expired'),
    'Mark them with "ken knowledge decay".',
  );
}

/** Rules that are not in force, and lines of the shared file that are no promotions. */
async function promotionFinding(app: CheckContext['app']): Promise<CheckFinding | undefined> {
  if (!isInWorkspace(app) || (await app.ledger.revision(secondsOf(app.clock.now()))) === '') return undefined;
  const { rulesNotInForce } = await import('../../../domain/turns/rules-section.ts');
  const { promotionFindings } = await import('../../../domain/ledger/evidence/audit-entries.ts');
  const [bad, ...others] = await promotionFindings(app);
  if (bad) {
    const more = others.length > 0 ? `, and ${others.length} more` : '';
    return warning(`${bad.message}${more}`, 'See every line with "ken knowledge audit".');
  }
  const [rule, ...more] = await rulesNotInForce(app);
  if (rule === undefined) return undefined;
  return warning(
    `${rule} ${more.length > 0 ? `and ${counted(more.length, 'more rule')} are` : 'is'} not in force: you did not approve the text, or its evidence is missing`,
    'Look at it with "ken knowledge show", and promote it again if you want it.',
  );
}

/** Reads and compares every file, as far as the time goes; "ken ref doctor" reads all of them. */
export async function checkReferenceLibrary(
  { app }: CheckContext,
  signal: AbortSignal,
): Promise<CheckFinding> {
  const { checkLibrary } = await import('../../../domain/references/topic/check-library.ts');
  const until = app.clock.now() + REFERENCES_MS;
  const isOver = () => app.clock.now() > until;
  const { topics, checked, findings } = await checkLibrary(app, signal, isOver);
  const [worst, ...more] = findings.filter(({ topic_id }) => topic_id !== null);
  if (worst) {
    const others = more.length > 0 ? `, and ${counted(more.length, 'more finding')}` : '';
    return problem(`${worst.topic_id}: ${worst.problem}${others}`, `${worst.hint} See "ken ref doctor".`);
  }
  const shown = counted(topics, 'topic');
  if (checked < topics)
    return ok(`${shown}, the files of ${checked} compared; "ken ref doctor" compares all`);
  if (findings.length === 0) return ok(shown);
  return warning(`${shown}, and the index is behind`, 'The next search brings it up to date.');
}

/** Half of what a check may take. */
const REFERENCES_MS = 7_000;

/** Reports the worst finding. What is harmless or repairs itself is a warning. */
export async function checkConversations(
  { app: { conversations } }: CheckContext,
  signal: AbortSignal,
): Promise<CheckFinding> {
  if (!conversations) return ok('none here');
  const troubles = await conversations.troubles(signal);
  for (const kind of ['metadata', 'log', 'torn', 'leftover'] as const) {
    const found = troubles.filter((trouble) => trouble.kind === kind);
    if (found.length === 0) continue;
    const finding = kind === 'metadata' || kind === 'log' ? problem : warning;
    return finding(troubleText(found, troubles.length - found.length), TROUBLE_HINTS[kind]);
  }
  const { length } = await conversations.ids();
  return ok(counted(length, 'conversation'));
}

const TROUBLES_SHOWN = 3;

const TROUBLE_HINTS: Record<ConversationTrouble['kind'], string> = {
  metadata: 'Run "ken doctor --repair"; until then the conversation is in no list.',
  log: 'Run "ken doctor --repair" to set the lines aside; everything else in the log can be read.',
  torn: 'Nothing is lost before it; the next writer moves it to a file of its own.',
  leftover: 'The next new conversation removes it, and so does "ken doctor --repair".',
};

function troubleText(found: readonly ConversationTrouble[], others: number): string {
  const shown = found.slice(0, TROUBLES_SHOWN).map((trouble) => `${trouble.path} ${trouble.detail}`);
  const more = found.length - shown.length + others;
  return [...shown, ...(more > 0 ? [`and ${more} more of this and other kinds`] : [])].join('; ');
}

/** Opens the personal workspace, and looks at what it keeps as at that of this one. */
export async function checkPersonal(context: CheckContext, signal: AbortSignal): Promise<CheckFinding> {
  const { app, openOther } = context;
  const directory = path.join(app.directories.data, 'personal');
  if (app.workspace?.root === directory) return ok('this one');
  if (!openOther) return ok('not looked at here');
  const other = await openOther(directory).catch((error: unknown) => {
    if (error instanceof Fault) return error;
    throw error;
  });
  if (other instanceof Fault)
    return other.code === 'workspace/not-found' ? ok('none yet') : fromFault(other, 'Run ken there.');
  for (const check of [checkLedger, checkConversations]) {
    const finding = await check({ ...context, app: other }, signal);
    if (finding.status === 'problem') return problem(finding.message, `In ${directory}: ${finding.hint}`);
  }
  return ok(directory);
}

/** Names what `--repair` would mend, but for the logs of conversations, which have a check of their own. */
export async function checkRepairs({ app }: CheckContext, signal: AbortSignal): Promise<CheckFinding> {
  const found = await app.repairs.find('quick', signal);
  const [first] = found;
  if (!first) return ok('nothing to mend');
  const worst = found.find(({ isDamage }) => isDamage) ?? first;
  const more = found.length > 1 ? `, and ${found.length - 1} more` : '';
  const finding = worst.isDamage ? problem : warning;
  return finding(`${worst.path} ${worst.problem}${more}`, 'See and mend it with "ken doctor --repair".');
}

export async function checkLock({ app }: CheckContext): Promise<CheckFinding> {
  return (await import('../setup/clients.ts')).checkLock(app);
}

/** Fails if the database cannot be read. */
export async function checkApprovals({ app: { approvals, clock } }: CheckContext): Promise<CheckFinding> {
  const waiting = await approvals.list({ statuses: ['pending'] }, clock.now());
  if (waiting.length === 0) return ok('nothing waits for you');
  return warning(
    `${counted(waiting.length, 'request waits', 'requests wait')} for you`,
    'See them with "ken approvals ls".',
  );
}
