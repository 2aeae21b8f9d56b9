import type { Command } from '../command.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'serve this workspace to an assistant over MCP',
  description:
    'Speaks the Model Context Protocol on standard input and output, in the revisions 2026-07-28 and 2025-11-25, ' +
    'until its input ends. What needs your approval waits for "ken approvals approve".',
  examples: ['mcp', 'mcp --tools read'],
  options: [
    { flags: '--tools <which>', summary: 'all, or read for those that only look', choices: ['all', 'read'] },
  ],

  async run({ options, terminal, signal, open }) {
    const app = await open();
    const { served } = await import('../../mcp/served.ts');
    const { serveStdio } = await import('../../mcp/serve-stdio.ts');
    const serving = served(app, {
      allows: options.text('tools') === 'read' ? 'read' : 'all',
      report: terminal.error,
      note: terminal.detail,
    });
    await serveStdio(serving, process, signal);
    return undefined;
  },
};
