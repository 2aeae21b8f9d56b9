import { setTimeout as wait } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Fault } from '../../base/fault.ts';
import type { ProcessStarter, RunningProcess } from '../../base/processes.ts';
import { withoutSecrets } from '../../base/text.ts';
import type { ServerPlace, ServerSettings } from '../../domain/tools/server-settings.ts';
import { Connection, type ServerTransport } from './connection.ts';
import { ProcessTransport } from './process-transport.ts';
import { isNegotiationFailure, isTimeout, serverFault } from './server-fault.ts';

export interface ConnectionPorts {
  readonly starter: ProcessStarter;
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** The working directory of server processes: the workspace. */
  readonly directory: string;
  /** The environment of server processes, to which the settings of a server add variables. */
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
  let server = await openTransport(ports, settings);
  try {
    return await Connection.open(server, 'auto', limits).catch(async (error) => {
      if (settings.place.kind !== 'process' || !isNegotiationFailure(error)) throw error;
      server = await openTransport(ports, settings);
      return Connection.open(server, 'legacy', limits);
    });
  } catch (error) {
    if (signal.aborted)
      throw new Fault('tools/cancelled', `The server "${name}" did not start, because you stopped waiting.`);
    if (deadline.aborted || isTimeout(error)) throw tooSlow(name, startupMs);
    const report = await server.exitReport();
    if (report === undefined) throw serverFault(name, 'be reached', error, server.secrets);
    throw new Fault('tools/server-ended', `The server "${name}" ended while it was starting.`, {
      hint: report,
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

async function openTransport(
  ports: ConnectionPorts,
  { name, place }: ServerSettings,
): Promise<ServerTransport> {
  return place.kind === 'process' ? startProcess(ports, name, place) : httpTransport(ports, name, place);
}

async function startProcess(
  { starter, directory, environment }: ConnectionPorts,
  server: string,
  place: Extract<ServerPlace, { kind: 'process' }>,
): Promise<ServerTransport> {
  try {
    const process = await starter.start({
      command: place.command,
      directory,
      environment: { ...environment, ...place.environment },
    });
    const secrets = Object.values(place.environment);
    return {
      server,
      transport: new ProcessTransport(process),
      secrets,
      exitReport: async () => withoutSecrets(await exitReport(process), secrets),
    };
  } catch (error) {
    throw serverFault(server, 'be started', error);
  }
}

async function exitReport(process: RunningProcess): Promise<string> {
  const { exitCode, signal } = await process.ended;
  const end = exitCode === undefined ? `It was ended by ${signal}.` : `It ended with code ${exitCode}.`;
  const output = process.errorTail().trim().split('\n').slice(-LAST_LINES).join('\n');
  return output === '' ? end : `${end} It said last:\n${output}`;
}

const LAST_LINES = 5;

async function httpTransport(
  { fetch }: ConnectionPorts,
  server: string,
  place: Extract<ServerPlace, { kind: 'http' }>,
): Promise<ServerTransport> {
  const url = URL.parse(place.url);
  if (!url) throw new Fault('config/invalid', `providers.mcp.${server}.url is not an address: ${place.url}`);
  const transport = new StreamableHTTPClientTransport(url, {
    fetch,
    requestInit: { headers: { ...place.headers } },
  });
  return {
    server,
    transport,
    secrets: Object.values(place.headers),
    exitReport: async () => undefined,
    endSession: () => endSession(transport),
  };
}

/** Servers with an older version of the protocol keep a session until it is terminated. */
async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  if (transport.sessionId === undefined) return;
  const ending = transport.terminateSession().catch(() => {});
  await Promise.race([ending, wait(END_SESSION_MS, undefined, { ref: false })]);
}

const END_SESSION_MS = 500;
