import type { ServerSettings } from '../../domain/tools/server-settings.ts';
import type { ToolServers } from '../../domain/tools/tool-servers.ts';
import type { Connection } from './connection.ts';
import { type ConnectionPorts, openConnection } from './open-connection.ts';

/** Throws a Fault when there is no such server or its settings are invalid. */
export type FindServer = (name: string) => ServerSettings;

export function mcpToolServers(ports: ConnectionPorts, findServer: FindServer): ToolServers {
  const connections = new Map<string, Promise<Connection>>();
  /** Stops servers that are still starting when the adapter closes. */
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
    const current = await before?.catch(() => undefined);
    if (current?.isUsable) return current;
    await current?.close();
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
