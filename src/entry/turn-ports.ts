import type { WorkspaceApp } from '../app.ts';
import type { BuiltinPorts } from '../domain/turns/tools/builtin-tools.ts';

export type TurnApp = WorkspaceApp & Pick<BuiltinPorts, 'search'>;

/** Loads the search engine at the first question. */
export function turnPorts(app: WorkspaceApp, onItems?: (done: number, total: number) => void): TurnApp {
  return {
    ...app,
    search: async (...asked) => (await import('./searched-indexes.ts')).searchApp(app, ...asked, onItems),
  };
}
