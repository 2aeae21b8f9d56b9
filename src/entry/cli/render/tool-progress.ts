import type { Clock } from '../../../base/time.ts';
import type { ToolProgress } from '../../../domain/tools/tool.ts';
import type { Terminal } from '../terminal.ts';
import type { Progress } from './progress.ts';

/** Shows the tool that reported last. Starts at the first report. */
export function toolProgress(terminal: Pick<Terminal, 'progress'>, clock: Clock, signal: AbortSignal) {
  let opened: Promise<Progress> | undefined;
  let shown: string | undefined;
  return {
    async show(tool: string, { phase, done, total }: ToolProgress): Promise<void> {
      opened ??= terminal.progress(clock, signal);
      const progress = await opened;
      const title = phase === tool ? tool : `${tool}: ${phase}`;
      if (title !== shown) progress.phase({ title, total, done });
      else progress.update(done, total);
      shown = title;
    },
    /** Must be called however the work ends. */
    async end(): Promise<void> {
      (await opened)?.end();
      shown = undefined;
    },
  };
}
