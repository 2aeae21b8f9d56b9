/** From the settings of a server to a connection with it, within the time it may take. */

import { setTimeout as wait } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Fault } from '../../base/fault.ts';
import type { ProcessStarter, RunningProcess } from '../../base/running-process.ts';
import type { ServerPlace, ServerSettings } from '../../domain/tools/server-settings.ts';
import { Connection, type Line } from './connection.ts';
import { ProcessTransport } from './process-transport.ts';
import { isNegotiationFailure, isTimeout, serverFault } from './server-fault.ts';

export interface ConnectionPorts {
  readonly starter: ProcessStarter;
  /** The only way to the network. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** The workspace. */
  readonly directory: string;
  /** Of every server that is a program; its own variables are added. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function openConnection(
  ports: ConnectionPorts,
  settings: ServerSettings,
  signal: AbortSignal,
): Promise<Connection> {
  const { name, startupMs } = settings;
  const deadline = AbortSignal.timeout(startupMs);
  const limits = { timeoutMs: startupMs, signal: AbortSignal.any([signal, deadline]) };
  let line = await openLine(ports, settings);
  try {
    return await Connection.open(line, 'auto', limits).catch(async (error) => {
      if (settings.place.kind !== 'process' || !isNegotiationFailure(error)) throw error;
      line = await openLine(ports, settings);
      return Connection.open(line, 'legacy', limits);
    });
  } catch (error) {
    if (signal.aborted) throw new Fault('tools/cancelled', `The server "${name}" was not waited for.`);
    if (deadline.aborted || isTimeout(error)) throw tooSlow(name, startupMs);
    const words = await line.lastWords();
    if (words === undefined) throw serverFault(name, 'be reached', error);
    throw new Fault('tools/server-ended', `The server "${name}" ended instead of starting.`, {
      hint: words,
      cause: error,
    });
  }
}

function tooSlow(name: string, startupMs: number): Fault {
  return new Fault(
    'tools/server-timeout',
    `The server "${name}" did not start within ${startupMs / 1000} s.`,
    {
      hint: `Raise providers.mcp.${name}.startup_timeout_s if it needs longer.`,
    },
  );
}

async function openLine(ports: ConnectionPorts, { name, place }: ServerSettings): Promise<Line> {
  return place.kind === 'process' ? processLine(ports, name, place) : httpLine(ports, name, place);
}

async function processLine(
  { starter, directory, environment }: ConnectionPorts,
  server: string,
  place: Extract<ServerPlace, { kind: 'process' }>,
): Promise<Line> {
  try {
    const process = await starter.start({
      command: place.command,
      directory,
      environment: { ...environment, ...place.environment },
    });
    return { server, transport: new ProcessTransport(process), lastWords: () => lastWords(process) };
  } catch (error) {
    throw serverFault(server, 'be started', error);
  }
}

async function lastWords(process: RunningProcess): Promise<string> {
  const { exitCode, signal } = await process.ended;
  const end = exitCode === undefined ? `It was ended by ${signal}.` : `It ended with code ${exitCode}.`;
  const said = process.errorTail().trim().split('\n').slice(-LAST_LINES).join('\n');
  return said === '' ? end : `${end} It said last:\n${said}`;
}

const LAST_LINES = 5;

async function httpLine(
  { fetch }: ConnectionPorts,
  server: string,
  place: Extract<ServerPlace, { kind: 'http' }>,
): Promise<Line> {
  const url = URL.parse(place.url);
  if (!url) throw new Fault('config/invalid', `providers.mcp.${server}.url is no address: ${place.url}`);
  const transport = new StreamableHTTPClientTransport(url, {
    fetch,
    requestInit: { headers: { ...place.headers } },
  });
  return { server, transport, lastWords: async () => undefined, leave: () => endSession(transport) };
}

/** A server of the older era keeps a session until it is told that it is over. */
async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  if (transport.sessionId === undefined) return;
  const ending = transport.terminateSession().catch(() => {});
  await Promise.race([ending, wait(LEAVE_MS, undefined, { ref: false })]);
}

const LEAVE_MS = 500;
