import path from 'node:path';
import { isInWorkspace } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { projectDirectory } from '../../project-directory.ts';
import { command, type Invocation, type OpenOptions } from '../command.ts';
import { openWorkspace } from '../open-workspace.ts';
import type { Terminal } from '../terminal.ts';

export const mcp = command({
  name: 'mcp',
  summary: 'serve this workspace to an assistant over MCP',
  description:
    'Speaks the Model Context Protocol on standard input and output, in the revisions 2026-07-28 and 2025-11-25, ' +
    'until its input ends; or over HTTP on this machine, for clients that have the token it prints. Calls that need ' +
    'your approval wait for "ken approvals approve".',
  examples: ['mcp', 'mcp --tools read', 'mcp --http 0'],
  options: [
    {
      flags: '--tools <which>',
      summary:
        'read offers only tools that change nothing; all adds reference_search, knowledge_search and similar ones',
      choices: ['all', 'read'],
    },
    { flags: '--http <port>', summary: 'serve over HTTP on this port of this machine; 0 picks a free one' },
    { flags: '--token-file <file>', summary: 'with --http: the token is in this file', complete: 'files' },
  ],

  async run(invocation) {
    const { options, terminal, signal, environment, directory } = invocation;
    const port = options.count('http');
    if (port !== undefined && port > 65_535) throw new Fault('cli/usage', '--http takes a port up to 65535.');
    const serving = await startedServing(invocation, toolsFrom(options.text('tools')));
    try {
      const { mcpContext } = await import('../../mcp/serving/mcp-context.ts');
      const isOnePipe = port === undefined;
      const asksForRoots = isOnePipe && invocation.opening.request.workspace === undefined;
      const context = mcpContext({ serving, isOnePipe, asksForRoots, report: terminal.error });
      if (port === undefined) {
        const { serveStdio } = await import('../../mcp/serve-stdio.ts');
        if (terminal.isInteractive) terminal.note(WAITING);
        return await serveStdio(context, process, signal);
      }
      const { serveHttp } = await import('../../mcp/serve-http.ts');
      const file = options.text('token-file');
      const token = file === undefined ? environment.KEN_MCP_TOKEN : await readToken(directory, file);
      await serveHttp(context, { port, token: checkedToken(token), announce: announceOn(terminal) }, signal);
    } finally {
      await serving.close();
    }
  },
});

/** A client that has one entry for all projects starts the server anywhere. */
async function startedServing(
  { terminal, opening: { openApp, request }, environment, directory }: Invocation,
  allows: 'usual' | 'all' | 'read',
) {
  const { startServing } = await import('../../mcp/serving/serving.ts');
  const openAnywhere = (how?: OpenOptions) => openApp({ ...request, ...how });
  return startServing({
    allows,
    report: terminal.error,
    note: terminal.detail,
    open: () =>
      openWorkspace(terminal, openAnywhere, {
        makesPersonal: true,
        directory: projectDirectory(environment, directory),
      }),
    async openAt(place) {
      const app = await openAnywhere({ directory: place });
      if (isInWorkspace(app)) return app;
      await app.close();
      return undefined;
    },
  });
}

async function readToken(directory: string, file: string): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  try {
    return await readFile(path.resolve(directory, file), 'utf8');
  } catch (cause) {
    throw new Fault('files/unreadable', `The token file ${file} cannot be read.`, { cause });
  }
}

function toolsFrom(given: string | undefined): 'usual' | 'all' | 'read' {
  return given === 'read' || given === 'all' ? given : 'usual';
}

const WAITING =
  'Waiting for a client on standard input. "ken setup" connects one, which then starts this by itself; Ctrl-C ends it.';

/** A short token could be guessed, and other characters do not fit into a header. */
function checkedToken(given: string | undefined): string | undefined {
  const token = given?.trim();
  if (token === undefined || /^[\w.~+/=-]{32,1000}$/.test(token)) return token;
  throw new Fault('cli/usage', 'The token needs 32 letters or digits at least.', {
    hint: 'Make one with "openssl rand -hex 32", or leave --token-file and KEN_MCP_TOKEN out: ken keeps one of its own.',
  });
}

/** Prints the address as data, and a token of ken's own on standard error. */
function announceOn(terminal: Terminal) {
  return ({ url, token, isGiven }: { url: string; token: string; isGiven: boolean }) => {
    if (!isGiven)
      terminal.warn(`anyone with this token can use ken as you do:\nAuthorization: Bearer ${token}`);
    if (terminal.json) terminal.printJson({ url });
    else terminal.print(url);
  };
}
