/** Tools of MCP servers. Each server is started when it is first needed, and again after it has ended. */

import type { ServerSettings } from '../../domain/tools/server-settings.ts';
import type { ToolServers } from '../../domain/tools/tool-servers.ts';
import type { Connection } from './connection.ts';
import { type ConnectionPorts, openConnection } from './open-connection.ts';

/** A Fault when there is no server of that name, or what is configured makes no sense. */
export type FindServer = (name: string) => ServerSettings;

export function mcpToolServers(ports: ConnectionPorts, findServer: FindServer): ToolServers {
  const connections = new Map<string, Promise<Connection>>();
  /** Ends the starting of servers when nobody waits for them any more. */
  const closing = new AbortController();

  function connect(name: string, signal: AbortSignal): Promise<Connection> {
    const opening = usable(connections.get(name), name, signal);
    connections.set(name, opening);
    return opening;
  }

  async function usable(
    before: Promise<Connection> | undefined,
    name: string,
    signal: AbortSignal,
  ): Promise<Connection> {
    const kept = await before?.catch(() => undefined);
    if (kept?.isUsable) return kept;
    await kept?.close();
    return openConnection(ports, findServer(name), AbortSignal.any([signal, closing.signal]));
  }

  return {
    list: async (server, signal) => (await connect(server, signal)).list(signal),
    call: async (call, signal) => (await connect(call.server, signal)).call(call, signal),
    async close() {
      closing.abort();
      await Promise.all(
        [...connections.values()].map(async (opening) => (await opening.catch(() => undefined))?.close()),
      );
    },
  };
}
