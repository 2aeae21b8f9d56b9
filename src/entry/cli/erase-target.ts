/** Erasing from the command line: a preview of every copy, the operator's approval, and a report. */

import type { App, WorkspaceApp } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import { asText } from '../../base/json.ts';
import { counted } from '../../base/text.ts';
import { secondsOf } from '../../base/time.ts';
import {
  type ErasedCopies,
  type EraseTarget,
  eraseCopies,
  type FoundCopies,
} from '../../domain/backup/erase.ts';
import type { ExitCode, Invocation } from './command.ts';
import { table } from './render/table.ts';
import type { Terminal } from './terminal.ts';

/** Exits with 1 when a copy could not be erased. */
export async function eraseTarget(
  { options, terminal, signal }: Invocation<'yes' | 'dry-run', never>,
  app: App,
  target: EraseTarget,
): Promise<ExitCode> {
  const found = await app.erasures.find(target, signal);
  const isPreview = options.has('dry-run');
  if (!terminal.json) describe(terminal, found);
  if (isPreview) {
    if (terminal.json) terminal.printJson(asJson(target, found));
    return 0;
  }
  const name = `${target.kind} ${target.id}`;
  const { requireOperator } = await import('../../domain/approvals/operator/operator-presence.ts');
  await requireOperator(app, `Erasing ${name}`);
  if (!options.has('yes') && !(await agrees(app, name, signal))) {
    terminal.note('Nothing was erased.');
    return 0;
  }
  const decided = { at: app.clock.now(), by: await app.operator.name(), through: 'terminal', digest: null };
  await app.decisionLog.append({ act: 'erase', subject: name, ...decided });
  await app.erasures.bury(target);
  const done = await eraseCopies(found.copies);
  if (terminal.json) terminal.printJson(asJson(target, found, done));
  else report(terminal, name, done);
  return done.failed.length > 0 ? 1 : 0;
}

export async function conversationToErase(app: WorkspaceApp, target: string): Promise<EraseTarget> {
  const { findConversation } = await import('../../domain/conversations/find-conversation.ts');
  const { eventTexts } = await import('../../domain/conversations/event-text.ts');
  const { id, metadata } = await findConversation(app, target);
  const log = await app.conversations.log(id);
  const texts = [metadata.title ?? '', ...[...eventTexts(log?.events ?? [])].map(({ text }) => text)];
  return { kind: 'conversation', id, texts };
}

/** Also one whose erasure was interrupted: it is finished, although the entry is gone. A claim is `claim=ID`, or its id. */
export async function entryToErase(app: WorkspaceApp, target: string): Promise<EraseTarget> {
  const { entryId } = await import('../../domain/ledger/entry/entry.ts');
  const { claimKey } = await import('../../domain/ledger/entry/stated-claim.ts');
  const { meantEntry, requireEntry } = await import('./commands/knowledge/require-entry.ts');
  const claim = await meantClaim(app, target);
  if (claim !== undefined)
    return { kind: 'entry', id: claimKey(claim), texts: await statementsOf(app.ledger, claimKey(claim)) };
  const given = entryId(target);
  const isBuried = (await app.erasures.tombstones()).some(
    (each) => each.kind === 'entry' && each.id === given,
  );
  const id = isBuried ? given : (await meantEntry(app.ledger, given)).id;
  if (!isBuried) await requireEntry(app.ledger, id);
  const versions = await app.ledger.versions(id);
  return { kind: 'entry', id, texts: [...new Set(versions.flatMap(({ title, text }) => [title, text]))] };
}

/** `claim=ID`, or the id of a claim that no entry has. */
async function meantClaim(
  { ledger, clock }: Pick<WorkspaceApp, 'ledger' | 'clock'>,
  named: string,
): Promise<string | undefined> {
  const { claimOfKey, noClaim } = await import('../../domain/ledger/entry/stated-claim.ts');
  const id = claimOfKey(named) ?? named;
  const [claim] = await ledger.claims(secondsOf(clock.now()), [id]);
  const isNamed = claimOfKey(named) !== undefined;
  if (!claim?.stated) {
    if (isNamed) throw noClaim(id, await ledger.claims(secondsOf(clock.now())));
    return undefined;
  }
  return isNamed || (await ledger.entries([named])).length === 0 ? id : undefined;
}

/** Everything that the claim has said. */
async function statementsOf(ledger: WorkspaceApp['ledger'], key: string): Promise<string[]> {
  const events = await ledger.events(key);
  const said = events.flatMap(({ changes }) => changes.map(({ text }) => asText(text) ?? ''));
  return [...new Set(said)].filter((text) => text !== '');
}

async function agrees({ questioner }: App, name: string, signal: AbortSignal): Promise<boolean> {
  if (!(await questioner.isThere())) throw new Fault('cli/usage', 'There is no terminal to ask at.');
  const text = `Erase ${name} everywhere? This cannot be undone.`;
  const question = { id: 'erase', text, answerType: 'boolean', default: false } as const;
  return (await questioner.ask('ken', question, signal)) === true;
}

const MOST_SHOWN = 20;

function describe(terminal: Terminal, { copies, unreachable, commits, elsewhere }: FoundCopies): void {
  const columns = [{ title: 'erases' }, { title: 'file', flexible: true }];
  terminal.printStyled(
    table(
      terminal,
      columns,
      copies.map(({ path, what }) => [what, path]),
    ),
  );
  const listed = (lines: readonly string[], text: string) => {
    if (lines.length === 0) return;
    terminal.note(text);
    for (const line of lines.slice(0, MOST_SHOWN)) terminal.note(`  ${line}`);
    if (lines.length > MOST_SHOWN) terminal.note(`  and ${lines.length - MOST_SHOWN} more`);
  };
  listed(
    unreachable,
    'These backups are not where ken wrote them. Delete them, or restore nothing else from them:',
  );
  listed(elsewhere, 'These files say the same and stay as they are:');
  listed(commits, 'These commits of git hold the text and stay as they are:');
}

function report(terminal: Terminal, name: string, { erased, failed }: ErasedCopies): void {
  for (const { copy, error } of failed)
    terminal.warn(`${copy.path} still holds it: ${error instanceof Error ? error.message : String(error)}`);
  if (failed.length === 0) terminal.note(`${name} is erased from ${counted(erased.length, 'place')}.`);
  else terminal.note(`${name} is still there. Run the same command again when this is mended.`);
}

function asJson({ kind, id }: EraseTarget, found: FoundCopies, done?: ErasedCopies) {
  return {
    kind,
    id,
    copies: found.copies.map((copy) => ({
      path: copy.path,
      what: copy.what,
      erased: done?.erased.includes(copy) ?? false,
    })),
    unreachable: found.unreachable,
    elsewhere: found.elsewhere,
    commits: found.commits,
  };
}
