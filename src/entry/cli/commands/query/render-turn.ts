import { singleLine, truncateText } from '../../../../base/terminal-text.ts';
import type { Clock } from '../../../../base/time.ts';
import type { TokenUsage } from '../../../../domain/turns/model/model.ts';
import type { TurnEnd, TurnEvent } from '../../../../domain/turns/turn-event.ts';
import type { Status } from '../../render/progress.ts';
import { receiptLines } from '../../render/receipt.ts';
import { toolProgress } from '../../render/tool-progress.ts';
import type { Terminal } from '../../terminal.ts';
import { answerText } from './answer-text.ts';

export interface RenderOptions {
  /** Prints the answer only once it is complete. */
  readonly waits: boolean;
  /** `provider/model` */
  readonly model: string;
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

async function answer(terminal: Terminal, options: RenderOptions): Promise<Screen> {
  const { waits, clock, signal, model } = options;
  const text = await answerText(terminal, { waits });
  const progress = toolProgress(terminal, clock, signal);
  const status = turnStatus(terminal, options);
  const used = turnUsage(clock);
  const stopped = async () => (await terminal.live())?.distrustLastRow();
  return {
    async show(event) {
      if (event.type === 'text-delta') {
        if (!waits) status.end();
        return text.write(event.text);
      }
      if (event.type === 'tool-progress') {
        status.end();
        return progress.show(event.name, event.progress);
      }
      if (event.type === 'tool-result') await progress.end();
      if (event.type === 'tool-call') text.end();
      if (event.type === 'retry') text.again();
      if (event.type === 'usage') used.add(event.usage);
      if (event.type === 'turn-end') {
        status.end();
        if (signal.aborted) await stopped();
        text.close(true);
      }
      aside(terminal, event);
      await status.follow(event, model);
      if (event.type === 'turn-end' && (terminal.isTerminal || terminal.verbose)) used.print(terminal);
    },
    close() {
      status.end();
      text.close(false);
    },
  };
}

/** Says what the turn waits for while no words come. */
function turnStatus(terminal: Terminal, { clock, signal }: RenderOptions) {
  let shown: Status | undefined;
  const running: string[] = [];
  const say = async (what: string) => {
    if (signal.aborted) return;
    shown ??= await terminal.status(clock, signal);
    shown.say(what);
  };
  return {
    async follow(event: TurnEvent, model: string): Promise<void> {
      if (event.type === 'turn-start' || event.type === 'retry') return say(`waiting for ${model}`);
      if (event.type === 'reasoning-delta') return say(`${model} is thinking`);
      if (event.type === 'tool-call') running.push(event.call.name);
      if (event.type === 'tool-result') running.shift();
      if (event.type !== 'tool-call' && event.type !== 'tool-result') return;
      await say(running.length > 0 ? `running ${running.join(', ')}` : `waiting for ${model}`);
    },
    end() {
      shown?.end();
      shown = undefined;
    },
  };
}

/** Sums up the usage of all requests of a turn, and its time. */
function turnUsage(clock: Clock) {
  const began = clock.now();
  const sum: Record<string, number> = {};
  return {
    add(usage: TokenUsage) {
      for (const [name, count] of Object.entries(usage)) sum[name] = (sum[name] ?? 0) + Number(count);
    },
    print(terminal: Terminal) {
      const { input_tokens, output_tokens, cached_tokens, cost_usd } = sum;
      if (input_tokens === undefined && output_tokens === undefined) return;
      const cached = cached_tokens ? ` (${inThousands(cached_tokens)} cached)` : '';
      const facts = [
        `${inThousands(input_tokens ?? 0)} tokens in${cached}, ${inThousands(output_tokens ?? 0)} out`,
        ...(cost_usd === undefined ? [] : [`$${cost_usd.toPrecision(2)}`]),
        `${((clock.now() - began) / 1000).toFixed(1)} s`,
      ];
      terminal.dim(facts.join(', '));
    },
  };
}

function inThousands(count: number): string {
  return count.toLocaleString('en');
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
    const when = event.waitMs > 0 ? `Trying again in ${Math.ceil(event.waitMs / 1000)} s.` : 'Asking again.';
    terminal.note(`${event.reason} ${when}`);
  }
}

/** Cuts off long calls, which may contain a whole file, unless `--verbose` is set. */
function beside({ verbose }: Terminal, text: string): string {
  if (verbose) return singleLine(text);
  const beginning = text.slice(0, LONGEST_BESIDE * 4);
  const line = singleLine(beginning);
  return truncateText(beginning.length < text.length ? `${line}…` : line, LONGEST_BESIDE);
}

const LONGEST_BESIDE = 300;
