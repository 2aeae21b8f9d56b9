import type { App, OpenRequest } from '../app.ts';
import { deferred } from '../base/deferred.ts';
import type { Config } from '../config/schema.ts';

/** The programs of the operator's own that take over the terminal for a while. */
export function openTerminalPrograms(
  { environment }: OpenRequest,
  config: Config,
): Pick<App, 'editor' | 'pager'> {
  return {
    editor: deferred(async () => {
      const { terminalEditor } = await import('../adapters/terminal/editor.ts');
      return terminalEditor(config.editor ?? (environment.VISUAL || environment.EDITOR));
    }),
    pager: deferred(async () => {
      const { terminalPager } = await import('../adapters/terminal/pager.ts');
      return terminalPager(environment.PAGER ?? 'less', environment);
    }),
  };
}
