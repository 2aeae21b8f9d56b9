import { Fault } from '../../../base/fault.ts';
import { requireOperator } from '../../../domain/approvals/operator/operator-presence.ts';
import { command, type Invocation } from '../command.ts';
import type { Terminal } from '../terminal.ts';

export const web = command({
  name: 'web',
  summary: 'open the page of this workspace in your browser',
  description:
    'Serves a page on this machine alone, until Ctrl-C: search, approvals, the knowledge base, references, the ledger, ' +
    'conversations and settings. It prints an address that signs in one browser, once. A second "ken web" of the same ' +
    'workspace prints the address of the first. Where you are not at a terminal of your own, the page is read only.',
  examples: ['web', 'web --port 8080 --no-open', 'web --read-only', 'web --print-login'],
  options: [
    { flags: '--port <port>', summary: 'use this port; a free one by default' },
    { flags: '--no-open', summary: 'do not open a browser' },
    { flags: '--read-only', summary: 'show everything and change nothing' },
    { flags: '--print-login', summary: 'print a new login address of the page that runs' },
    {
      flags: '--plain-host',
      summary: 'use 127.0.0.1, for a browser that does not find names below localhost',
    },
  ],

  async run(invocation) {
    const { options, terminal, openAnywhere, signal } = invocation;
    const port = options.count('port') ?? 0;
    if (port > 65_535) throw new Fault('cli/usage', '--port takes a port up to 65535.');
    const app = await openAnywhere();
    const { askRunningPage, pageFiles } = await import('../../web/running-page.ts');
    const files = pageFiles(app.directories.state, app.workspace?.root);
    // Each browser opens the lock on approvals for itself.
    const presence = await app.operator.presence('question');
    if (options.has('print-login')) {
      await requireOperator(app, 'Signing in to the page', 'question');
      const login = await askRunningPage(files, 'login');
      if (login === undefined) throw notRunning();
      return printAddress(terminal, login);
    }
    const running = await askRunningPage(files, presence.isPresent ? 'login' : 'address');
    if (running !== undefined) {
      terminal.note('The page of this workspace is already running.');
      return printAddress(terminal, running);
    }
    const isReadOnly = options.has('read-only') || !presence.isPresent;
    if (!presence.isPresent && !options.has('read-only'))
      terminal.warn(`the page is read only: ${presence.why}.`);
    if (options.has('plain-host'))
      terminal.warn('other servers on this machine receive the cookie of a page on 127.0.0.1.');
    const { serveWeb } = await import('../../web/serve-web.ts');
    const place = { app, ...invocation.opening, isReadOnly, signal, report: terminal.error };
    await serveWeb(place, {
      port,
      hasPlainHost: options.has('plain-host'),
      files,
      async announce({ login, forward }) {
        printAddress(terminal, login);
        const opener = options.has('no-open') ? undefined : browserOpener(invocation);
        if (opener) await openBrowser(opener, await forward());
        terminal.note('Ctrl-C ends the page.');
      },
    });
  },
});

function notRunning(): Fault {
  return new Fault('net/connection', 'The page of this workspace is not running.', {
    hint: 'Start it with "ken web".',
  });
}

function printAddress(terminal: Terminal, address: string): void {
  if (terminal.json) terminal.printJson({ address });
  else terminal.print(address);
}

/** The program that opens a browser; undefined without a terminal and a desktop. */
function browserOpener({ terminal, environment }: Pick<Invocation, 'terminal' | 'environment'>) {
  if (!terminal.isInteractive) return undefined;
  if (process.platform === 'darwin') return '/usr/bin/open';
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? '/usr/bin/xdg-open' : undefined;
}

/** The browser goes on when ken ends. A file is opened, so that no list of processes shows the login address. */
async function openBrowser(program: string, file: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const child = spawn(program, [file], { detached: true, stdio: 'ignore' });
  // Without such a program, the printed address is enough.
  child.on('error', () => {});
  child.unref();
}
