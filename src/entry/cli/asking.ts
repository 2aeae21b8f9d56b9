import type { App } from '../../app.ts';
import type { Terminal } from './terminal.ts';

/** The same app, in which no progress is drawn over what somebody is asked. */
export function askingUndisturbed<Asking extends Pick<App, 'approver' | 'questioner'>>(
  terminal: Pick<Terminal, 'undisturbed'>,
  app: Asking,
): Asking {
  const { approver, questioner } = app;
  return {
    ...app,
    approver: {
      isThere: () => approver.isThere(),
      ask: (approval, signal) => terminal.undisturbed(() => approver.ask(approval, signal)),
    },
    questioner: {
      isThere: () => questioner.isThere(),
      ask: (asker, question, signal) => terminal.undisturbed(() => questioner.ask(asker, question, signal)),
    },
  };
}
