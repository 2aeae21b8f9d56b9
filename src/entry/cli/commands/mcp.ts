import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import { projectDirectory } from '../../project-directory.ts';
import { command } from '../command.ts';
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
        'read: only those that change nothing; all: also reference_search, knowledge_search and the like',
      choices: ['all', 'read'],
    },
    { flags: '--http <port>', summary: 'serve over HTTP on this port of this machine; 0 picks a free one' },
    { flags: '--token-file <file>', summary: 'with --http: the token is in this file', complete: 'files' },
  ],

  async run({ options, terminal, signal, open, environment, directory }) {
    const port = options.count('http');
    if (port !== undefined && port > 65_535) throw new Fault('cli/usage', '--http takes a port up to 65535.');
    // A client that has one entry for all projects starts it anywhere.
    const app = await open({ makesPersonal: true, directory: projectDirectory(environment, directory) });
    const { servedWorkspace } = await import('../../mcp/served-workspace.ts');
    const serving = servedWorkspace(app, {
      allows: toolsFrom(options.text('tools')),
      report: terminal.error,
      note: terminal.detail,
    });
    if (port === undefined) {
      const { serveStdio } = await import('../../mcp/serve-stdio.ts');
      if (terminal.isInteractive) terminal.note(WAITING);
      await serveStdio(serving, process, signal);
    } else {
      const { serveHttp } = await import('../../mcp/serve-http.ts');
      const file = options.text('token-file');
      const token =
        file === undefined
          ? environment.KEN_MCP_TOKEN
          : ((await app.configFiles.read(path.resolve(directory, file))) ?? '');
      const announced = { port, token: checkedToken(token), announce: announceOn(terminal) };
      await serveHttp(serving, announced, signal);
    }
  },
});

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
