/** `ken mcp` with tools that print, warn, crash, hang or do nothing at all: `odd-server-child.ts [--http 0]`. */

import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkspaceApp } from '../../src/app.ts';
import { openApp } from '../../src/compose.ts';
import { failure, success, type Tool, type ToolRequest } from '../../src/domain/tools/tool.ts';
import { serveHttp } from '../../src/entry/mcp/serve-http.ts';
import { serveStdio } from '../../src/entry/mcp/serve-stdio.ts';
import { mcpContext } from '../../src/entry/mcp/serving/mcp-context.ts';
import { startServing } from '../../src/entry/mcp/serving/serving.ts';

const directory = process.cwd();
const file = (name: string) => path.join(directory, name);

type Call = (request: ToolRequest, signal: AbortSignal) => Promise<string>;

function tool(name: string, call: Call, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `Does something odd: ${name}.`,
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    reach: 'read',
    run: 'unattended',
    call: async (request, signal) => ({ outcome: success(await call(request, signal)) }),
    ...more,
  };
}

/** Until the test makes the file `release`. */
async function held({ onProgress }: ToolRequest, signal: AbortSignal): Promise<string> {
  writeFileSync(file('started'), '');
  for (let done = 0; !existsSync(file('release')); done++) {
    if (signal.aborted) {
      writeFileSync(file('aborted'), '');
      throw signal.reason;
    }
    onProgress?.({ phase: 'steps', done, total: 1000 });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return 'released';
}

async function slept(milliseconds: number, signal: AbortSignal): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
  return 'computed';
}

async function fails(_: ToolRequest, signal: AbortSignal): Promise<string> {
  await slept(1_000, signal);
  return 'It failed, as it was told.';
}

const app = await openApp({
  assignments: [],
  workspace: undefined,
  directory,
  environment: process.env,
  warn: (text) => process.stderr.write(`${text}\n`),
});
if (!app.workspace) throw new Error('There is no workspace here.');

const tools = [
  tool('empty', async () => ''),
  tool('prints', async () => {
    // biome-ignore lint/suspicious/noConsole: that is what it is about
    console.log('printed by console.log');
    process.stdout.write('printed to standard output\n');
    process.emitWarning('a warning of Node');
    return 'printed';
  }),
  tool('crashes', async () => {
    throw new TypeError('a bug in a tool');
  }),
  tool('dies', async () => {
    setImmediate(() => {
      throw new TypeError('a bug that nobody can catch');
    });
    return new Promise<string>(() => {});
  }),
  tool('held', held),
  tool('breaks', async (request, signal) => {
    await held(request, signal);
    throw new TypeError('a bug after a long time');
  }),
  tool('long', async () => 'wide 界 '.repeat(20_000)),
  tool('asks', async ({ action }) => (action === 'run' ? 'done by order' : 'by order'), {
    run: 'ask',
    reach: 'execute',
  }),
  // The four tools that the conformance suite wants for tasks.
  tool('greet', async ({ arguments: { name } }) => `Hello, ${name}!`, {
    parameters: { type: 'object', properties: { name: { type: 'string' } } },
  }),
  tool('slow_compute', async ({ arguments: { seconds } }, signal) => slept(Number(seconds) * 1000, signal), {
    parameters: {
      type: 'object',
      properties: { seconds: { type: 'number' }, label: { type: 'string' } },
    },
  }),
  tool('failing_job', fails, { call: async (_, signal) => ({ outcome: failure(await fails(_, signal)) }) }),
  tool('protocol_error_job', async (_, signal) => {
    await slept(1_000, signal);
    throw new TypeError('a bug after a second');
  }),
  tool('spawns', async (_, signal) => {
    writeFileSync(file('started'), '');
    await app.processes.run(
      {
        command: ['sleep', '600'],
        directory: '/',
        environment: { PATH: process.env.PATH ?? '', MARK: file('mark') },
        limits: { timeoutMs: 600_000, stdoutBytes: 10, stderrBytes: 10 },
      },
      signal,
    );
    return 'slept';
  }),
];

const report = (error: unknown) => void process.stderr.write(`${error}\n`);
const serving = await startServing({
  allows: 'all',
  moreTools: tools,
  report,
  note: () => {},
  open: async () => app as WorkspaceApp,
  openAt: async () => undefined,
});
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const isOnePipe = process.argv[2] !== '--http';
const context = mcpContext({ serving, isOnePipe, asksForRoots: false, report });
if (isOnePipe) await serveStdio(context, process, stop.signal);
else {
  const announce = ({ url, token }: { url: string; token: string }) => {
    process.stderr.write(`Authorization: Bearer ${token}\n`);
    process.stdout.write(`${url}\n`);
  };
  await serveHttp(context, { port: Number(process.argv[3]), announce }, stop.signal);
}
await serving.close();
