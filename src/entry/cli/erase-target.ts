/** Erasing from the command line: a preview of every copy, the operator's approval, and a report. */

import type { App } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import { counted } from '../../base/text.ts';
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
