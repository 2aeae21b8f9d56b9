import type { Pager } from '../../base/processes.ts';
import { neutralise } from '../../base/terminal-text.ts';
import type { Terminal } from './terminal.ts';

/** Prints data that may be longer than the screen: through the pager, where somebody sits at a terminal. */
export async function printLong(
  terminal: Terminal,
  { pager }: { pager: Pager },
  text: string,
): Promise<void> {
  if (!terminal.isTerminal) terminal.write(text);
  else await printLongStyled(terminal, { pager }, neutralise(text));
}

/** The same, for text that has been neutralised and then styled by us. */
export async function printLongStyled(
  terminal: Terminal,
  { pager }: { pager: Pager },
  text: string,
): Promise<void> {
  if (terminal.wantsPager(text) && (await pager.show(text))) return;
  terminal.writeStyled(text);
}
