import type { WorkspaceApp } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { counted } from '../../../base/text.ts';
import type { RefreshedStale } from '../../../domain/references/lifecycle/refresh-stale.ts';
import type { SyncCount } from '../../../domain/search/index/sync-index.ts';
import type { FreshRound } from '../../../domain/search/watch/keep-index-fresh.ts';
import { keepFresh } from '../../keep-fresh.ts';
import { configurationText } from '../../mcp/serving/configuration-text.ts';
import { refreshUnasked } from '../../refresh-unasked.ts';
import { command, type OpenOptions } from '../command.ts';
import { openWorkspace } from '../open-workspace.ts';
import type { Terminal } from '../terminal.ts';

export const watch = command({
  name: 'watch',
  summary: 'keep the search index fresh while files change',
  description:
    'Notices changed, new, moved and deleted files and brings the index up to date a moment later, until ' +
    'Ctrl-C. Without it, the next search does this work first. "ken mcp" and "ken web" also watch while they ' +
    'run.',
  examples: ['watch', 'watch --quiet'],

  async run({ opening: { openApp, request }, terminal, signal }) {
    const openAnywhere = (how?: OpenOptions) => openApp({ ...request, ...how });
    const open = () => openWorkspace(terminal, openAnywhere);
    // Directories that are watched do not keep a process running.
    const awake = setInterval(() => {}, LONG_MS);
    let app = await open();
    let configuration = await configurationText(app);
    try {
      while (!signal.aborted) {
        configuration = await untilConfigured(app, { terminal, configuration, signal });
        if (signal.aborted) break;
        const next = await open().catch((error: unknown) => {
          if (!(error instanceof Fault)) throw error;
          terminal.warn(`the configuration from before counts until this is repaired: ${error.message}`);
        });
        if (!next) continue;
        await app.close();
        app = next;
        terminal.note('The configuration has changed.');
      }
    } finally {
      clearInterval(awake);
      await app.close();
    }
  },
});

const LONG_MS = 1_000_000_000;

interface Watching {
  readonly terminal: Terminal;
  /** The text of the configuration that is known. */
  readonly configuration: string;
  readonly signal: AbortSignal;
}

/** Keeps the index fresh until the configuration is another one, whose text it returns. */
async function untilConfigured(app: WorkspaceApp, watching: Watching): Promise<string> {
  const { terminal, signal } = watching;
  const changed = new AbortController();
  let { configuration } = watching;
  let isFirst = true;
  const endRefresh = refreshUnasked(app, {
    onRefreshed: (results) => printRefreshed(terminal, results),
    report: terminal.error,
  });
  await keepFresh(
    app,
    {
      onRound(round) {
        printRound(terminal, round, isFirst);
        isFirst = false;
        void configurationText(app).then((text) => {
          if (text === configuration) return;
          configuration = text;
          changed.abort();
        });
      },
      onFault: (fault) => terminal.warn(`the index is not up to date: ${fault.message}`),
    },
    AbortSignal.any([signal, changed.signal]),
  );
  await endRefresh();
  return configuration;
}

function printRefreshed(terminal: Terminal, results: readonly RefreshedStale[]): void {
  for (const { topic, result, problem } of results) {
    if (result === 'refreshed') terminal.print(`${topic}: refreshed`);
    if (result === 'waits') terminal.warn(`${problem} It waits for your approval.`);
    if (result === 'failed') terminal.warn(`${topic} is unchanged: ${problem}`);
  }
}

function printRound(terminal: Terminal, round: FreshRound<SyncCount>, isFirst: boolean): void {
  const { indexed, removed, failures } = round.result;
  if (isFirst)
    terminal.note(`${counted(round.watched, 'directory', 'directories')} watched; Ctrl-C ends it.`);
  if (isFirst && round.unwatched > 0)
    terminal.warn(`${round.unwatched} more are not watched; a search sees what changed in them.`);
  for (const { name, fault } of failures) terminal.warn(`${name}: ${fault.message}`);
  if (indexed + removed === 0) return;
  terminal.print(`${indexed} indexed, ${removed} removed (${(round.ms / 1000).toFixed(1)} s)`);
}
