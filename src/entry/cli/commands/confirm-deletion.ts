/** The steps that come before something is deleted for good: `--dry-run`, and the question unless `--yes` is given. */

import type { App } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { counted } from '../../../base/text.ts';
import type { Invocation, OptionSpec } from '../command.ts';

export const DELETION = [
  { flags: '-y, --yes', summary: 'do not ask' },
  { flags: '--dry-run', summary: 'only show what would be deleted' },
] as const satisfies readonly OptionSpec[];

export const ERASURE = [
  { flags: '-y, --yes', summary: 'do not ask; it still needs you at a terminal' },
  { flags: '--dry-run', summary: 'only show every copy that would be erased' },
] as const satisfies readonly OptionSpec[];

export const ERASURE_DESCRIPTION =
  'Removes it from its store, from indexes, from backups and copies that ken made, from files that repairs ' +
  'set aside, and from approvals and jobs that show it. Only a record of its id remains, so that no restore ' +
  'brings it back. First shows every copy, and what it cannot erase: backups elsewhere, other files with the ' +
  'same text, and commits of git. It cannot be undone, and needs you at a terminal.';

interface Deletion {
  readonly ids: readonly string[];
  /** Each one with its title, as a person knows it. */
  readonly names: readonly string[];
  /** Noun for one of them: `topic`. */
  readonly noun: string;
  /** How to delete without being asked, and what else to do instead. */
  readonly hint: string;
}

/** True if they are to be deleted; otherwise the person has been told why not. */
export async function confirmsDeletion(
  { options, terminal, signal }: Invocation<'yes' | 'dry-run', never>,
  { questioner }: Pick<App, 'questioner'>,
  { ids, names, noun, hint }: Deletion,
): Promise<boolean> {
  if (options.has('dry-run')) {
    if (terminal.json) terminal.printJson({ would_remove: ids });
    else for (const name of names) terminal.print(`would delete ${name}`);
    return false;
  }
  if (options.has('yes')) return true;
  const what = names.length === 1 ? `this ${noun}` : `these ${counted(names.length, noun)}`;
  if (!(await questioner.isThere())) {
    const list = names.join('; ');
    const end = /[.?!]$/.test(list) ? '' : '.';
    throw new Fault('cli/usage', `There is no terminal to ask whether to delete ${what}: ${list}${end}`, {
      hint,
    });
  }
  const text = `${names.join('\n')}\n\nDelete ${what} for good?`;
  const question = { id: 'delete', text, answerType: 'boolean', default: false } as const;
  if ((await questioner.ask('ken', question, signal)) === true) return true;
  terminal.note('Nothing was deleted.');
  return false;
}
