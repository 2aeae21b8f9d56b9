import { singleLine, truncateText } from '../../../../base/terminal-text.ts';
import type { Clock } from '../../../../base/time.ts';
import type { TurnEnd, TurnEvent } from '../../../../domain/turns/turn-event.ts';
import { receiptLines } from '../../render/receipt.ts';
import { toolProgress } from '../../render/tool-progress.ts';
import type { Terminal } from '../../terminal.ts';
import { answerText } from './answer-text.ts';

export interface RenderOptions {
  /** Prints the answer only once it is complete. */
  readonly waits: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface Screen {
  show(event: TurnEvent): void | Promise<void>;
  /** Called when the turn has ended, however it ended. */
  close(): void;
}

/** Returns how the turn ended. Standard output has the answer (or the JSON lines) and nothing else. */
export async function renderTurn(
  terminal: Terminal,
  events: AsyncIterable<TurnEvent>,
  options: RenderOptions,
): Promise<TurnEnd> {
  const screen = terminal.json
    ? { show: (event: TurnEvent) => terminal.printJsonLine(event), close() {} }
    : await answer(terminal, options);
  let end: TurnEnd | undefined;
  try {
    for await (const event of events) {
      if (event.type === 'turn-end') end = event.end;
      await screen.show(event);
    }
  } finally {
    screen.close();
  }
  if (!end) throw new Error('The turn told no end.');
  return end;
}

async function answer(terminal: Terminal, { waits, clock, signal }: RenderOptions): Promise<Screen> {
  const text = await answerText(terminal, { waits });
  const progress = toolProgress(terminal, clock, signal);
  return {
    async show(event) {
      if (event.type === 'text-delta') return text.write(event.text);
      if (event.type === 'tool-progress') return progress.show(event.name, event.progress);
      if (event.type === 'tool-result') await progress.end();
      if (event.type === 'tool-call') text.end();
      if (event.type === 'retry') text.again();
      if (event.type === 'turn-end') text.close(true);
      aside(terminal, event);
    },
    close: () => text.close(false),
  };
}

/** Prints everything except the answer to standard error, one dim line each. */
function aside(terminal: Terminal, event: TurnEvent): void {
  if (event.type === 'tool-call') terminal.dim(`→ ${beside(terminal, event.shown)}`);
  if (event.type === 'tool-result' && event.result.outcome.type === 'error') {
    terminal.dim(`✗ ${event.result.name}: ${beside(terminal, event.result.outcome.message)}`);
  }
  if (event.type === 'tool-result' && event.result.receipt) {
    for (const line of receiptLines(event.result.receipt)) terminal.detail(`  ${event.result.name}: ${line}`);
  }
  if (event.type === 'retry') {
    terminal.note(`${event.reason} Trying again in ${Math.ceil(event.waitMs / 1000)} s.`);
  }
  if (event.type === 'usage') terminal.detail(`usage: ${JSON.stringify(event.usage)}`);
}

/** Cuts off long calls, which may contain a whole file, unless `--verbose` is set. */
function beside({ verbose }: Terminal, text: string): string {
  if (verbose) return singleLine(text);
  const beginning = text.slice(0, LONGEST_BESIDE * 4);
  const line = singleLine(beginning);
  return truncateText(beginning.length < text.length ? `${line}…` : line, LONGEST_BESIDE);
}

const LONGEST_BESIDE = 300;
